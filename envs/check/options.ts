import { z } from 'zod';
import type { ResetContext } from '../core/context.ts';
import type { EnvDefinition, EnvHost, EnvId } from '../core/env.ts';
import { UsageError } from '../core/errors.ts';
import { describeIssues } from '../core/issues.ts';
import type { Rng } from '../core/rng.ts';
import type { Ongoing, Opening } from '../core/step.ts';
import type { Law } from './laws.ts';

/** Opens an env: `openEnv`, or the author's own function for an env that is used without it. */
export type Opener = <Config extends z.ZodType, Obs, Act>(
  definition: EnvDefinition<EnvId, Config, Obs, Act>,
  config: z.input<Config>,
  context: ResetContext,
) => Promise<EnvHost<Obs, Act>>;

const count = z.int().positive();

const planSchema = z.strictObject({
  /** The seed of all random choices of the check. */
  seed: z.int().default(0),
  /** Tasks played of each panel: the first, the last, and random others. */
  tasksPerPanel: count.default(3),
  /** Tasks of each panel whose content is compared with the other panels. */
  contentsPerPanel: count.default(100),
  /** Episodes per task. They alternate between the planner, random play, a mix of both, and the searcher. */
  episodes: count.default(4),
  /**
   * The minimum number of steps in total. Where episodes are short, more random episodes of the same tasks
   * are played, for at most 2 s.
   */
  leastSteps: count.default(400),
  /** Longer episodes are cut off. */
  maxSteps: count.default(60),
  /** Steps that two worlds with one key, or with a swapped secret, are played side by side. */
  lookahead: count.default(4),
  /** The most pairs of states with equal state keys that are played side by side. */
  pairs: count.default(40),
  /** The most points of episodes at which snapshots and hidden facts are tried. */
  points: count.default(24),
  /**
   * Tasks of each kind or level that the audit of the env itself tries. Default: 100, for at most 5 s. A given number has no time limit.
   */
  auditTasks: count.optional(),
  /** Episodes that run concurrently. */
  concurrency: count.default(16),
  /** Time limit of each call, in milliseconds. */
  deadlineMs: count.max(2_147_483_647).default(10_000),
  /** Time limit for the env's timers, sockets and files to end after close, in milliseconds. */
  graceMs: count.max(2_147_483_647).default(1_000),
});

/** The numbers of a check, with their defaults filled in. */
export type CheckPlan = z.output<typeof planSchema>;

/** Options of a check. All are optional for an env that lists its admissible actions. */
export interface CheckOptions<Config extends z.ZodType, Obs, Act> extends Partial<CheckPlan> {
  /** The config to open with. Default: the defaults of the config. */
  readonly config?: z.input<Config>;
  /** The panels to check. Default: all. */
  readonly panels?: readonly string[];
  /**
   * The laws to check. Default: all. The laws that these depend on are checked too. For example, `hidden`
   * compares episodes and so needs `repeat`, `reuse` and `concurrency`.
   */
  readonly laws?: readonly Law[];
  /** Returns an action to try, for envs that list none. It may use no other randomness than `rng`. */
  actions?(turn: Opening<Obs, Act> | Ongoing<Obs, Act>, rng: Rng): Act;
  readonly open?: Opener;
  /** Cancels the check, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Reads the numbers among the options.
 *
 * @throws UsageError that names what is wrong with them
 */
export function planOf(options: Partial<CheckPlan> & { readonly [other: string]: unknown }): CheckPlan {
  const known = Object.keys(planSchema.shape);
  const others = ['config', 'panels', 'laws', 'actions', 'open', 'signal'];
  const unknown = Object.keys(options).find((key) => !known.includes(key) && !others.includes(key));
  const parsed = planSchema.safeParse(Object.fromEntries(known.map((key) => [key, options[key]])));
  if (unknown === undefined && parsed.success) return parsed.data;
  throw new UsageError({
    where: 'options of checkEnv',
    what: parsed.success
      ? `the option "${String(unknown)}" does not exist.`
      : `${describeIssues(parsed.error)}.`,
    fix: `The options are ${[...known, ...others].join(', ')}.`,
  });
}
