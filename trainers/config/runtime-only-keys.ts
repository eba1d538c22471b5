import { z } from 'zod';
import type { Json } from '../../envs/core/json.ts';

/**
 * Keys of a training config that do not change its results: what is kept on disk, and how many episodes run
 * concurrently. The latter does change results if rollouts run ahead of the updates, because it affects how
 * old the weights of a step are.
 */
export const runtimeOnlyKeys = ({ async = 0 }: { readonly async?: unknown }): readonly string[] => [
  'checkpoints',
  'trajectories',
  ...(async === 0 ? ['concurrency'] : []),
];

/** A config without undefined keys and without the given keys. */
export function settingsWithout(config: object, names: readonly string[]): Json {
  const set = z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(config)));
  return Object.fromEntries(Object.entries(set).filter(([key]) => !names.includes(key)));
}
