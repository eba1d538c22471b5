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
 * Version 1 of the trajectory format. It differs from version 2 in that the penalty was a term of the reward, the keys of the last
 * state were not kept, and token decisions could be a mask.
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

/** The trajectory of a line that the schema has accepted, as version 2 has it. Throws a `TypeError` on what version 1 never wrote. */
export function fromLineV1(line: z.output<typeof trajectoryLineV1>): Trajectory {
  const steps = line.steps.map((taken) => upgradeStep(taken, line.strings));
  return trajectoryFromLine(line, { steps, finalStateKey: undefined, finalAnchorKey: undefined });
}

const upgradeStep = (taken: StepLine, strings: readonly string[]): TrajectoryStep =>
  stepFromLine(taken, strings, {
    decision: taken.decision && decisionOf(taken.decision, strings),
    ...splitPenalty(taken),
  });

/** The term under which the rollout added its penalty to the reward, as a number of 0 or less. */
const penaltyTerm = 'invalid-action';

/**
 * The reward as the env paid it, and the penalty. An inadmissible action that cost nothing had no term.
 *
 * The total was `paid - penalty`, and floating point does not give `paid` back by adding the penalty again. Nearly all envs pay the sum
 * of their terms, so that sum is taken where it leads to the stored total.
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

/** Decisions were once one list of tokens, the prompt among them, and a mask of those that were sampled, with a log-probability each. */
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
