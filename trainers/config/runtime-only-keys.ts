import { z } from 'zod';
import type { Json } from '../../envs/core/json.ts';

/**
 * The keys of a training config that move none of its numbers: what is kept on disk, and how many episodes are under way at once, unless
 * rollouts run ahead of the updates, for then it moves how old the weights are that a step meets.
 */
export const runtimeOnlyKeys = ({ async = 0 }: { readonly async?: unknown }): readonly string[] => [
  'checkpoints',
  'trajectories',
  ...(async === 0 ? ['concurrency'] : []),
];

/** A config without what is not set, and without the keys of those names. */
export function settingsWithout(config: object, names: readonly string[]): Json {
  const set = z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(config)));
  return Object.fromEntries(Object.entries(set).filter(([key]) => !names.includes(key)));
}
