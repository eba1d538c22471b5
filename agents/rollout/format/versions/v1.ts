import { z } from 'zod';
import type { Decision, TokenSpan } from '../../../core/agent.ts';
import type { Trajectory, TrajectoryStep } from '../../trajectory.ts';
import {
  decisionFromLine,
  decisions,
  finite,
  groupLine,
  headShape,
  integers,
  stepFromLine,
  stepShape,
  tailShape,
  trajectoryFromLine,
} from './line-parts.ts';

/**
 * Version 1 of the trajectory format. Differences from version 2:
 * - the penalty was a term of the reward
 * - the keys of the final state were not stored
 * - token decisions could be a mask
 */

const decision = z.discriminatedUnion('kind', [
  ...decisions,
  z.strictObject({ kind: z.literal('tokens'), tokens: integers, sampled: integers, logprobs: finite }),
]);

const step = z.strictObject({ ...stepShape, decision: decision.optional() });

/** The first line of a group. */
export const groupLineV1 = groupLine(1);

/** One member of a group. */
export const trajectoryLineV1 = z.strictObject({ ...headShape, steps: z.array(step), ...tailShape });

type StepLine = z.output<typeof step>;
type DecisionLine = z.output<typeof decision>;

/** Converts a validated line to version 2. @throws TypeError for input that version 1 never wrote */
export function fromLineV1(line: z.output<typeof trajectoryLineV1>): Trajectory {
  const steps = line.steps.map((taken) => upgradeStep(taken, line.strings));
  return trajectoryFromLine(line, { steps, finalStateKey: undefined, finalAnchorKey: undefined });
}

const upgradeStep = (taken: StepLine, strings: readonly string[]): TrajectoryStep =>
  stepFromLine(taken, strings, {
    decision: taken.decision && decisionOf(taken.decision, strings),
    ...splitPenalty(taken),
  });

/** The reward term in which the rollout stored its penalty, as a number of at most 0. */
const penaltyTerm = 'invalid-action';

/**
 * Splits a reward into what the env paid and the penalty. An inadmissible action without a penalty had no
 * term.
 *
 * The total was `paid - penalty`, and floating-point addition of the penalty does not restore `paid` exactly.
 * Nearly all envs pay the sum of their terms, so that sum is used if it leads to the stored total.
 */
function splitPenalty({
  verdict,
  reward,
}: Pick<StepLine, 'verdict' | 'reward'>): Pick<TrajectoryStep, 'reward' | 'penalty'> {
  if (reward === undefined) return { reward, penalty: undefined };
  const { [penaltyTerm]: term, ...terms } = reward.terms;
  if (term === undefined) return { reward, penalty: verdict === 'admissible' ? undefined : 0 };
  if (term > 0)
    throw new TypeError(`a reward has a term ${penaltyTerm} of ${term}, and penalties are no gains`);
  const sum = Object.values(terms).reduce((total, value) => total + value, 0);
  const total = sum + term === reward.total ? sum : reward.total - term;
  return { reward: { total, terms }, penalty: 0 - term };
}

function decisionOf(made: DecisionLine, strings: readonly string[]): Decision {
  return made.kind === 'tokens'
    ? { kind: 'tokens', spans: spansOfMask(made), leftOut: 0 }
    : decisionFromLine(made, strings);
}

/**
 * Decisions used to be one list of tokens including the prompt, a mask of the sampled ones, and a
 * log-probability for each of those.
 */
function spansOfMask({
  tokens,
  sampled,
  logprobs,
}: Extract<DecisionLine, { readonly kind: 'tokens' }>): readonly TokenSpan[] {
  if (sampled.length !== tokens.length || logprobs.length !== tokens.length) {
    throw new TypeError(
      `a decision has ${tokens.length} tokens, ${sampled.length} marks and ${logprobs.length} log-probabilities`,
    );
  }
  const spans: TokenSpan[] = [];
  for (let start = 0; start < tokens.length;) {
    const firstSampled = placeFrom(start, sampled, 1);
    const end = placeFrom(firstSampled, sampled, 0);
    spans.push({
      kept: start,
      appended: tokens.slice(start, firstSampled),
      sampled: tokens.slice(firstSampled, end),
      logprobs: logprobs.slice(firstSampled, end),
    });
    start = end;
  }
  return spans;
}

function placeFrom(start: number, marks: readonly number[], mark: number): number {
  const place = marks.indexOf(mark, start);
  return place < 0 ? marks.length : place;
}
