import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';

/** Longest delay of a Node timer. A longer one would fire at once. */
const longestTimerMs = 2_147_483_647;

const penalty = z.number().nonnegative();
const inARow = z.int().positive();

/** Limits of one episode, and the penalties for errors of the model. */
export const episodeLimitsSchema = z.strictObject({
  /** Wall-clock limit of the whole episode in milliseconds. After it the episode is faulted. */
  wallMs: z.int().positive().max(longestTimerMs).default(600_000),
  /**
   * Replies that cannot be parsed as an action. The env is not called. After `inARow` consecutive ones the
   * episode ends as failed.
   */
  malformed: z.strictObject({ inARow: inARow.default(3), penalty: penalty.default(0.1) }).prefault({}),
  /**
   * Actions that the env rejects. If `inARow` is given, that many consecutive ones end the episode as failed.
   */
  inadmissible: z.strictObject({ inARow: inARow.optional(), penalty: penalty.default(0.1) }).prefault({}),
});

export type EpisodeLimits = z.output<typeof episodeLimitsSchema>;

const accepted = new WeakSet<EpisodeLimits>(); // thousands of episodes share one object

/** Validates limits. @throws UsageError if no episode can be played under them */
export function assertEpisodeLimits(limits: EpisodeLimits): void {
  if (accepted.has(limits)) return;
  const parsed = episodeLimitsSchema.safeParse(limits);
  if (parsed.success) {
    accepted.add(limits);
    return;
  }
  throw new UsageError({
    where: 'limits of an episode',
    what: `${describeIssues(parsed.error)}.`,
    fix: 'Counts and milliseconds must be integers of at least 1, penalties numbers of at least 0.',
  });
}
