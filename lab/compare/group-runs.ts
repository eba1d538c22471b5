import { basename } from 'node:path';
import { canonicalJson } from '../../envs/core/json.ts';
import { makeSide, type Member, type Side } from './side.ts';

/**
 * Sides of runs that were found in a folder or by a pattern: runs that differ only in their seed are one side, called by what their
 * folders have in common, such as `gigpo` for `gigpo-0` and `gigpo-1`. Results in files are sides of their own.
 */
export function groupRuns(members: readonly Member[]): readonly Side[] {
  const groups = new Map<string, Member[]>();
  for (const [index, member] of members.entries()) {
    const seed = member.settings?.seed;
    const key = member.settings === undefined ? `file ${index}` : canonicalJson(member.settings.settings);
    const group = [...groups.entries()].find(
      ([name, others]) =>
        name.startsWith(`${key} `) && others.every(({ settings }) => settings?.seed !== seed),
    );
    if (group === undefined) groups.set(`${key} ${groups.size}`, [member]);
    else group[1].push(member);
  }
  return [...groups.values()].map((group) => makeSide(nameOf(group), group));
}

function nameOf(group: readonly Member[]): string {
  const [first, ...others] = group.map(({ where, name }) => (group.length === 1 ? name : basename(where)));
  if (first === undefined || others.length === 0) return first ?? '';
  let length = 0;
  while (others.every((other) => other[length] === first[length]) && length < first.length) length += 1;
  const common = first.slice(0, length).replace(/[-_.+ ]+(?:s|seed)?[-_.+ ]*$/, '');
  return common === '' ? (group[0]?.result.training?.method ?? first) : common;
}
