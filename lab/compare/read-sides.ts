import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../../envs/core/errors.ts';
import { makeSide, type Member, type Side } from './side.ts';
import { readTrainedRun, type ResultChoice } from './trained-run.ts';
import { isPolicy, type EvaluationResult } from '../../trainers/results/result.ts';
import { configName } from '../../trainers/run/run-document.ts';
import { readResults } from './read-result.ts';

/** The sides that a word of the command line names: `runs/a`, `result.json`, or `gigpo=runs/a,runs/b`. A file of several results is as many sides, unless a name chooses one. */
export async function readSides(word: string, wanted: ResultChoice): Promise<readonly Side[]> {
  const { name, places } = await readWord(word);
  const read: (readonly Member[])[] = [];
  for (const place of places) read.push(await readPlace(place, wanted));
  if (name === undefined && read.length === 1)
    return (read[0] ?? []).map((member) => makeSide(member.name, [member]));
  const members = read.map((found, index) => chooseOne(found, name, places[index] ?? ''));
  return [makeSide(name ?? members[0]?.result.training?.method ?? 'pooled', members)];
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** What is there under the whole word is meant by it, whatever characters it has. */
async function readWord(
  word: string,
): Promise<{ readonly name: string | undefined; readonly places: readonly string[] }> {
  if (await isThere(word)) return { name: undefined, places: [word] };
  const [, name, rest = word] = /^([^=]*)=(.*)$/s.exec(word) ?? [];
  const places = (await isThere(rest)) ? [rest] : rest.split(',');
  if (name !== '' && !places.includes('')) return { name, places };
  throw new UsageError({
    where: `cairn compare, ${word}`,
    what: name === '' ? 'it has no name before the =.' : 'it has an empty place.',
    fix: 'Write NAME=RUN,RUN,RUN, such as gigpo=runs/g-0,runs/g-1.',
  });
}

/** The members that a folder of a run, or a file of results, holds. */
async function readPlace(place: string, wanted: ResultChoice): Promise<readonly Member[]> {
  if (await isThere(join(place, configName))) return [await readTrainedRun(place, wanted)];
  const results = await readResults(place);
  for (const result of results) assertWanted(place, result, wanted);
  return results.map((result) => ({ where: place, name: result.agent, result, notes: [] }));
}

/** Options that choose among results of runs are refused where a file holds another one. */
function assertWanted(place: string, { panel, shown }: EvaluationResult, wanted: ResultChoice): void {
  const wrongPanel = wanted.panel !== undefined && wanted.panel !== panel.name;
  const wrongDecoding =
    wanted.decoding !== undefined &&
    isPolicy(shown) &&
    shown.remote === undefined &&
    wanted.decoding !== shown.decoding.kind;
  if (!wrongPanel && !wrongDecoding) return;
  const what = wrongPanel
    ? `it is a result on ${panel.name}, and --panel ${wanted.panel} is asked for.`
    : `it is a result of decoding ${shown.decoding.kind}, and --decoding ${wanted.decoding} is asked for.`;
  throw new UsageError({ where: place, what, fix: 'Leave the option out, or give results that are alike.' });
}

function chooseOne(found: readonly Member[], name: string | undefined, place: string): Member {
  const [only, ...more] = found;
  if (only !== undefined && more.length === 0) return only;
  const named = found.find(({ result }) => result.agent === name);
  if (named !== undefined) return named;
  throw new UsageError({
    where: place,
    what: `it holds several results${name === undefined ? '' : `, and none is called ${name}`}: ${found.map(({ result }) => result.agent).join(', ')}.`,
    fix: `Name one: NAME=${place} with one of these names.`,
  });
}
