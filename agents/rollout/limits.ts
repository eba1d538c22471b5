import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';

/** Longest delay that a timer of Node takes; a longer one would fire at once. */
const longestTimerMs = 2_147_483_647;

const penalty = z.number().nonnegative();
const inARow = z.int().positive();

/** What one episode may cost, and the price of the model's errors. */
export const episodeLimitsSchema = z.strictObject({
  /** Wall clock of the whole episode in milliseconds; when it has passed the episode is faulted. */
  wallMs: z.int().positive().max(longestTimerMs).default(600_000),
  /** Replies that cannot be read as an action: the env is not called. At `inARow` of them the episode ends, failed. */
  malformed: z.strictObject({ inARow: inARow.default(3), penalty: penalty.default(0.1) }).prefault({}),
  /** Actions that the env says cannot be done. At `inARow` of them, where it is given, the episode ends, failed. */
  inadmissible: z.strictObject({ inARow: inARow.optional(), penalty: penalty.default(0.1) }).prefault({}),
});

export type EpisodeLimits = z.output<typeof episodeLimitsSchema>;

const accepted = new WeakSet<EpisodeLimits>(); // thousands of episodes share one object

/** Refuses limits that no episode can be played under. */
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
    fix: 'Give counts and milliseconds as whole numbers above 0, and penalties as numbers from 0 up.',
  });
}
