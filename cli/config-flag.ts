import { describeConfigKeys, type ConfigKey } from '../envs/core/config-keys.ts';
import type { AnyEnvDefinition } from '../envs/core/env.ts';
import { loadRegistry } from './named-env.ts';

/**
 * What to write where a flag that nobody knows is the name of a key of the env's config, such as `Use --set strict=true, a key of the
 * config of shop-v1. `; empty where it is none. Where no env is named, any that has such a key will do.
 * @param flag as it was typed, such as `--strict` or `--max-steps=30`
 */
export async function hintAtConfigKey(flag: string, words: readonly string[]): Promise<string> {
  const [, typed = '', given] = /^--([^=]+)(?:=(.*))?$/s.exec(flag) ?? [];
  const name = typed.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (name === '') return '';
  for (const { id, config } of await definitionsOf(words)) {
    const key = describeConfigKeys(config).find((candidate) => candidate.name === name || candidate.name.startsWith(`${name}.`));
    if (key !== undefined) return `Use --set ${name}=${given ?? valueFor(key, name, words[words.indexOf(flag) + 1])}, a key of the config of ${id}. `;
  }
  return '';
}

/** The env that the words name, or all; its own modules are loaded too, and one that cannot be is left out, for another error is told. */
async function definitionsOf(words: readonly string[]): Promise<readonly AnyEnvDefinition[]> {
  const modules = words.flatMap((word, index) => (words[index - 1] === '--env-module' ? [word] : (/^--env-module=(.+)$/s.exec(word)?.[1] ?? [])));
  const never = new AbortController().signal;
  const registry = await loadRegistry(modules, never).catch(() => loadRegistry([], never));
  const named = registry.definitions.filter(({ id }) => words.includes(id) || words.includes(id.replace(/-v\d+$/, '')));
  return named.length > 0 ? named : registry.definitions;
}

/** What it may be set to: a flag that stands alone is a yes, else the word after it is its value. */
function valueFor(key: ConfigKey, name: string, next: string | undefined): string {
  if (key.name === name && key.type === 'boolean') return 'true';
  const isValue = key.name === name && next !== undefined && !next.startsWith('-') && /^(?:integer|number)/.test(key.type) === /^[\d.]+$/.test(next);
  return isValue ? next : 'VALUE';
}
