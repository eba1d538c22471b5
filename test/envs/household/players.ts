import { createRng } from '../../../envs/core/rng.ts';
import type { Env, EnvHost } from '../../../envs/core/env.ts';
import type { StepResult } from '../../../envs/core/step.ts';
import type { TaskRef } from '../../../envs/core/task.ts';
import {
  householdEnv,
  householdHardEnv,
  householdSmallEnv,
  type HouseholdConfig,
} from '../../../envs/household/definition.ts';
import { openEnv } from '../../../envs/open.ts';
import type { Acting, Choose } from '../../support/played.ts';
import { context } from './small-rooms.ts';

export const openHousehold = (config: Partial<HouseholdConfig> = {}): Promise<EnvHost<string, string>> =>
  openEnv(householdEnv, config, context);
export const openHard = (): Promise<EnvHost<string, string>> => openEnv(householdHardEnv, {}, context);
export const openSmall = (): Promise<EnvHost<string, string>> => openEnv(householdSmallEnv, {}, context);

export interface Played {
  readonly steps: number;
  readonly last: StepResult<string, string>;
  readonly solved: boolean;
}

/** Plays an episode to its end. */
export async function playOut(env: Env<string, string>, task: TaskRef, choose: Choose): Promise<Played> {
  let turn: Acting = await env.reset(task, context);
  for (let steps = 1; ; steps += 1) {
    const result = await env.step(choose(turn), context);
    if (result.kind !== 'ongoing')
      return { steps, last: result, solved: result.kind === 'terminated' && result.outcome === 'solved' };
    turn = result;
  }
}

/** Chooses uniformly among the listed commands. */
export function randomly(seed: string): Choose {
  const rng = createRng(1).fork(seed);
  return (turn) => rng.pick(turn.admissible ?? []);
}

/** The searcher of the host. */
export function searching(host: EnvHost<string, string>, seed: string): Choose {
  const searcher = host.experts?.searcher?.(createRng(2).fork(seed));
  if (searcher === undefined) throw new Error('the host has no searcher');
  return (turn) => searcher.act(turn);
}

/** Alternates at random between two players, to reach deep and odd points of an episode. */
export function mixing(first: Choose, second: Choose, seed: string): Choose {
  const rng = createRng(3).fork(seed);
  return (turn) => {
    const [one, other] = [first(turn), second(turn)];
    return rng.uniform() < 0.5 ? one : other;
  };
}

export function* tasksOf(host: EnvHost<string, string>, panel: string, every = 1): Iterable<TaskRef> {
  const size = host.panels.find((info) => info.name === panel)?.size ?? 0;
  for (let index = 0; index < size; index += every) yield { panel, index };
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
