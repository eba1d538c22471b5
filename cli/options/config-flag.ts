import { describeConfigKeys, type ConfigKey } from '../../envs/core/config-keys.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { loadRegistry } from './named-env.ts';
import { flagOf } from './option-values.ts';

/**
 * The meaning of an unknown flag: a key of the named env's config with its value; or else a hint, and the
 * flags of that env that may have been meant.
 */
export type ConfigFlag =
  | { readonly kind: 'set'; readonly words: readonly string[] }
  | { readonly kind: 'unknown'; readonly hint: string; readonly flags: readonly string[] };

/**
 * Accepts `--strict` as `--set strict=true` and `--max-steps 30` as `--set maxSteps=30` if the named env has
 * such a key. With a run's policy no env is named. Then the hint says how to set the key of an env that has
 * it.
 * @param flag as typed, such as `--strict` or `--max-steps=30`
 */
export async function readConfigFlag(flag: string, words: readonly string[]): Promise<ConfigFlag> {
  const [, typed = '', given] = /^--([^=]+)(?:=(.*))?$/s.exec(flag) ?? [];
  const name = typed.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (name === '') return unknown('');
  const { named, all } = await definitionsOf(words);
  const place = words.indexOf(flag);
  const isOnlyName = words.filter((word) => all.some((definition) => isNamed(definition, word))).length === 1;
  const next =
    isOnlyName && named.some((definition) => isNamed(definition, words[place + 1]))
      ? undefined
      : words[place + 1];
  for (const { id, config } of named.length > 0 ? named : all) {
    const keys = keysOf(config, name);
    const [key] = keys;
    if (key === undefined) continue;
    if (key.name !== name)
      return unknown(`${name} is a group of keys in the config of ${id}: ${sayBelow(keys, given ?? next)}. `);
    const value = given ?? valueFor(key, next);
    const whose = named.length === 0 ? `environments such as ${id}` : id;
    if (named.length === 0 || value === undefined)
      return unknown(`Use --set ${name}=${value ?? 'VALUE'}, a key of the config of ${whose}. `);
    const isNext = given === undefined && value === next;
    return {
      kind: 'set',
      words: words.toSpliced(
        place,
        isNext ? 2 : 1,
        '--set',
        `${name}=${key.type === 'string' ? JSON.stringify(value) : value}`,
      ),
    };
  }
  const other = all.find(({ config }) => keysOf(config, name).length > 0);
  if (other !== undefined)
    return unknown(`${named.map(({ id }) => id).join(', ')} has no config key ${name}; ${other.id} has. `);
  return unknown(
    '',
    named.flatMap(({ config }) => describeConfigKeys(config).map((key) => flagOf(key.name))),
  );
}

/** How to set a config key of the named env that has the same name as an option; empty if there is none. */
export async function sayConfigKey(
  option: string,
  of: { readonly env: string; readonly envModule: readonly string[]; readonly value: unknown },
): Promise<string> {
  const { named } = await definitionsOf([of.env, ...of.envModule.map((file) => `--env-module=${file}`)]);
  for (const { id, config } of named) {
    const key = keysOf(config, option).find(({ name }) => name === option);
    if (key === undefined) continue;
    const value =
      typeof of.value === 'string' && key.type === 'list of string'
        ? JSON.stringify(of.value.split(','))
        : 'VALUE';
    return `To set the config key ${option} of ${id}, write --set '${option}=${value}'. `;
  }
  return '';
}

const unknown = (hint: string, flags: readonly string[] = []): ConfigFlag => ({
  kind: 'unknown',
  hint,
  flags,
});

/** The key of that name, or else all keys below it. */
function keysOf(config: AnyEnvDefinition['config'], name: string): readonly ConfigKey[] {
  const keys = describeConfigKeys(config);
  const own = keys.find((key) => key.name === name);
  return own === undefined ? keys.filter((key) => key.name.startsWith(`${name}.`)) : [own];
}

/** A number fits only keys that take one. */
function sayBelow(keys: readonly ConfigKey[], value: string | undefined): string {
  const isNumber = value !== undefined && /^-?\d+(?:\.\d+)?$/.test(value);
  const numbers = isNumber ? keys.filter(({ type }) => /^(?:integer|number)\b/.test(type)) : [];
  const names = (of: readonly ConfigKey[], word: (name: string) => string): string =>
    [...new Set(of.map(({ name }) => word(name)))].join(' or ');
  const set = `--set with ${names(keys, (name) => name)}`;
  return numbers.length === 0
    ? `use ${set}`
    : `use ${names(numbers, (name) => `--${name} ${value}`)}, or ${set}`;
}

const isNamed = ({ id }: AnyEnvDefinition, word: string | undefined): boolean =>
  word === id || word === id.replace(/-v\d+$/, '');

/**
 * The named envs and all envs, including those of modules. A module that cannot be loaded is skipped, because
 * another error is reported.
 */
async function definitionsOf(
  words: readonly string[],
): Promise<{ readonly named: readonly AnyEnvDefinition[]; readonly all: readonly AnyEnvDefinition[] }> {
  const modules = words.flatMap((word, index) =>
    words[index - 1] === '--env-module' ? [word] : (/^--env-module=(.+)$/s.exec(word)?.[1] ?? []),
  );
  const never = new AbortController().signal;
  const registry = await loadRegistry(modules, never).catch(() => loadRegistry([], never));
  const named = registry.definitions.filter((definition) => words.some((word) => isNamed(definition, word)));
  return { named, all: registry.definitions };
}

/** Words for yes and no are recognised as values, although only `true` and `false` are accepted. */
const yesOrNo = /^(?:true|false|yes|no|on|off|[01])$/i;

/**
 * The value of the flag: yes if it stands alone, otherwise the next word; undefined if that is not a value.
 */
function valueFor(key: ConfigKey, next: string | undefined): string | undefined {
  if (key.type === 'boolean') return next !== undefined && yesOrNo.test(next) ? next : 'true';
  return next === undefined || (next.startsWith('-') && !/^-[\d.]+$/.test(next)) ? undefined : next;
}
