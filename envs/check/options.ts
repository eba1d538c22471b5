import { z } from 'zod';
import type { ResetContext } from '../core/context.ts';
import type { EnvDefinition, EnvHost, EnvId } from '../core/env.ts';
import { UsageError } from '../core/errors.ts';
import { describeIssues } from '../core/issues.ts';
import type { Rng } from '../core/rng.ts';
import type { Ongoing, Opening } from '../core/step.ts';
import type { Law } from './laws.ts';

/** How an env is opened: `openEnv`, or the author's own way for an env that is not used through it. */
export type Opener = <Config extends z.ZodType, Obs, Act>(
  definition: EnvDefinition<EnvId, Config, Obs, Act>,
  config: z.input<Config>,
  context: ResetContext,
) => Promise<EnvHost<Obs, Act>>;

const count = z.int().positive();

const planSchema = z.strictObject({
  /** All chance of the check comes from it. */
  seed: z.int().default(0),
  /** Tasks played of each panel: the first, the last, and others by lot. */
  tasksPerPanel: count.default(3),
  /** Tasks of each panel whose content is read and compared with the other panels'. */
  contentsPerPanel: count.default(100),
  /** Episodes a task, taking turns between the planner, random play, both, and the searcher. */
  episodes: count.default(4),
  /** Steps played in all, at least: where episodes are short, more are played by lot, of the same tasks and for at most 2 s. */
  leastSteps: count.default(400),
  /** An episode longer than this is cut off. */
  maxSteps: count.default(60),
  /** Steps that two worlds with one key, or with a swapped secret, are played side by side. */
  lookahead: count.default(4),
  /** Pairs of states with equal state keys that are played side by side, at most. */
  pairs: count.default(40),
  /** Points of episodes at which snapshots and hidden facts are tried, at most. */
  points: count.default(24),
  /** Episodes that run side by side. */
  concurrency: count.default(16),
  /** Milliseconds that any one call may take. */
  deadlineMs: count.max(2_147_483_647).default(10_000),
  /** Milliseconds that the env's timers, sockets and files may take to go after close. */
  graceMs: count.max(2_147_483_647).default(1_000),
});

/** The numbers of a check, with their defaults filled in. */
export type CheckPlan = z.output<typeof planSchema>;

/** All of it may be left out for an env that lists its admissible actions. */
export interface CheckOptions<Config extends z.ZodType, Obs, Act> extends Partial<CheckPlan> {
  /** The config to open with; its defaults when left out. */
  readonly config?: z.input<Config>;
  /** The panels to look at; all when left out. */
  readonly panels?: readonly string[];
  /**
   * The laws to check; all when left out. Laws that these depend on are checked as well, and so is what nothing can be played without:
   * `hidden` compares episodes, which takes `repeat`, `reuse` and `concurrency`.
   */
  readonly laws?: readonly Law[];
  /** An action to try, for envs that list none. It draws from `rng` and from nothing else. */
  actions?(turn: Opening<Obs, Act> | Ongoing<Obs, Act>, rng: Rng): Act;
  readonly open?: Opener;
  /** Cancels the check, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The numbers among the options; a `UsageError` names what is wrong with them. */
export function planOf(options: Partial<CheckPlan> & { readonly [other: string]: unknown }): CheckPlan {
  const known = Object.keys(planSchema.shape);
  const others = ['config', 'panels', 'laws', 'actions', 'open', 'signal'];
  const unknown = Object.keys(options).find((key) => !known.includes(key) && !others.includes(key));
  const parsed = planSchema.safeParse(Object.fromEntries(known.map((key) => [key, options[key]])));
  if (unknown === undefined && parsed.success) return parsed.data;
  throw new UsageError({
    where: 'options of checkEnv',
    what: parsed.success ? `there is no option "${String(unknown)}".` : `${describeIssues(parsed.error)}.`,
    fix: `The options are ${[...known, ...others].join(', ')}.`,
  });
}
