import { describeConfigKeys, type ConfigKey } from '../envs/core/config-keys.ts';
import type { AnyEnvDefinition } from '../envs/core/env.ts';
import { loadRegistry } from './named-env.ts';

/** What a flag that nobody knows turned out to be: a key of the config of the env that is named, set in words that are known, or else what helps whoever typed it. */
export type ConfigFlag = { readonly kind: 'set'; readonly words: readonly string[] } | { readonly kind: 'unknown'; readonly hint: string };

/**
 * Takes `--strict` as `--set strict=true` and `--max-steps 30` as `--set maxSteps=30` where the env that the words name has such a key. Where no env is named, as with the
 * policy of a run, the hint says how the key of one that has it is set.
 * @param flag as it was typed, such as `--strict` or `--max-steps=30`
 */
export async function readConfigFlag(flag: string, words: readonly string[]): Promise<ConfigFlag> {
  const [, typed = '', given] = /^--([^=]+)(?:=(.*))?$/s.exec(flag) ?? [];
  const name = typed.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (name === '') return { kind: 'unknown', hint: '' };
  const { named, all } = await definitionsOf(words);
  const place = words.indexOf(flag);
  const next = words[place + 1];
  for (const { id, config } of named.length > 0 ? named : all) {
    const key = keyOf(config, name);
    if (key === undefined) continue;
    const value = given ?? valueFor(key, name, next);
    if (named.length === 0 || value === undefined) return { kind: 'unknown', hint: `Use --set ${name}=${value ?? 'VALUE'}, a key of the config of ${id}. ` };
    const isNext = given === undefined && value === next;
    return { kind: 'set', words: words.toSpliced(place, isNext ? 2 : 1, '--set', `${name}=${key.type === 'string' ? JSON.stringify(value) : value}`) };
  }
  const other = all.find(({ config }) => keyOf(config, name) !== undefined);
  return { kind: 'unknown', hint: other === undefined ? '' : `${named.map(({ id }) => id).join(', ')} has no key ${name} in its config; ${other.id} has. ` };
}

/** The key of that name, or the first of those below it. */
const keyOf = (config: AnyEnvDefinition['config'], name: string): ConfigKey | undefined =>
  describeConfigKeys(config).find((candidate) => candidate.name === name || candidate.name.startsWith(`${name}.`));

/** The envs that the words name, and all; those of modules too, and one that cannot be loaded is left out, for another error is told. */
async function definitionsOf(words: readonly string[]): Promise<{ readonly named: readonly AnyEnvDefinition[]; readonly all: readonly AnyEnvDefinition[] }> {
  const modules = words.flatMap((word, index) => (words[index - 1] === '--env-module' ? [word] : (/^--env-module=(.+)$/s.exec(word)?.[1] ?? [])));
  const never = new AbortController().signal;
  const registry = await loadRegistry(modules, never).catch(() => loadRegistry([], never));
  const named = registry.definitions.filter(({ id }) => words.includes(id) || words.includes(id.replace(/-v\d+$/, '')));
  return { named, all: registry.definitions };
}

/** What it is set to: a flag that stands alone is a yes, else the word after it is its value; undefined where that is none, or the key holds others. */
function valueFor(key: ConfigKey, name: string, next: string | undefined): string | undefined {
  if (key.name !== name) return undefined;
  if (key.type === 'boolean') return next === 'false' ? next : 'true';
  return next === undefined || (next.startsWith('-') && !/^-[\d.]+$/.test(next)) ? undefined : next;
}
