import type { TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import type { Context } from '../../envs/core/context.ts';
import type { EvaluationResult } from '../evaluate/result.ts';
import type { ChoicePolicy } from '../model/choice-policy.ts';
import { selectDecisions, shuffledParts } from '../update/minibatch.ts';
import { packDemonstrations } from '../update/pack.ts';
import { wordsOf, type Workbench } from '../workbench.ts';
import type { CloningState } from './cloning-state.ts';
import type { TrainConfig } from './config.ts';
import { isInterruption } from './interruption.ts';

/** One pass over the demonstrations. */
export interface ClonedPass {
  readonly epoch: number;
  readonly loss: number;
  /** On `dev`, where it was played after this pass. */
  readonly result: DevResult | undefined;
}

/** What cloning must know of an evaluation on `dev`. */
export type DevResult = Pick<EvaluationResult, 'success' | 'faults'>;

/** What cloning works on, and who is told of it. */
export interface CloningPlan {
  readonly policy: ChoicePolicy;
  /** Solved ones. */
  readonly demonstrations: readonly TrajectoryGroup[];
  readonly bench: Workbench;
  readonly settings: TrainConfig['warmStart'] & Pick<TrainConfig['update'], 'maxGradNorm' | 'weightDecay'>;
  /** Where to go on; the policy has the weights of then. */
  readonly from: CloningState;
  /** Plays `dev` with the weights of now. */
  readonly evaluate: (epoch: number) => Promise<DevResult>;
  readonly onPass: (pass: ClonedPass) => Promise<void>;
  /** Puts state and weights away: after each evaluation, and when an interruption comes. */
  readonly keep: (state: CloningState) => Promise<void>;
  /** Gives the policy the best weights back. */
  readonly restore: (state: CloningState) => Promise<void>;
  readonly context: Context;
}

/**
 * Behaviour cloning: minimises the cross-entropy of the demonstrated choices, pass by pass, until `evaluate` has not risen for
 * `patience` evaluations or the passes are over, and leaves the best weights in the policy. A pass is never cut in two, so an
 * interruption finds the weights as they were after a whole one.
 */
export async function clone(plan: CloningPlan): Promise<void> {
  const { policy, settings, context } = plan;
  const packed = packDemonstrations(policy, plan.demonstrations, wordsOf(plan.bench));
  let state = plan.from;
  let kept = state;
  try {
    while (!isOver(state, settings)) {
      if (awaitsEvaluation(state, settings)) {
        const result = await plan.evaluate(state.epoch);
        const { rate } = result.success;
        const better = rate > state.best;
        state = { ...state, evaluated: state.epoch, best: better ? rate : state.best, stale: better ? 0 : state.stale + 1 };
        await plan.onPass({ epoch: state.epoch, loss: state.loss, result });
        await plan.keep(state);
        kept = state;
      } else {
        context.signal.throwIfAborted();
        const epoch = state.epoch + 1;
        state = { ...state, epoch, loss: await cloneOnce({ policy, packed, settings, context, epoch }) };
        if (!awaitsEvaluation(state, settings)) await plan.onPass({ epoch, loss: state.loss, result: undefined });
      }
    }
  } catch (thrown) {
    if (isInterruption(thrown, context) && state !== kept) await plan.keep(state);
    throw thrown;
  }
  await plan.restore(state);
}

type Settings = CloningPlan['settings'];

function awaitsEvaluation({ epoch, evaluated }: CloningState, { evaluateEvery, epochs }: Settings): boolean {
  return evaluated < epoch && (epoch % evaluateEvery === 0 || epoch === epochs);
}

function isOver(state: CloningState, settings: Settings): boolean {
  return !awaitsEvaluation(state, settings) && (state.epoch >= settings.epochs || state.stale >= settings.patience);
}

/** One pass in mini-batches of its own order; the mean loss. */
async function cloneOnce(options: {
  readonly policy: ChoicePolicy;
  readonly packed: ReturnType<typeof packDemonstrations>;
  readonly settings: Settings;
  readonly context: Context;
  readonly epoch: number;
}): Promise<number> {
  const { policy, packed, settings, context, epoch } = options;
  const rng = context.rng.fork('clone').fork(epoch);
  const whole = new AbortController().signal;
  let loss = 0;
  for (const part of shuffledParts(packed.chosen.length, settings.batchSteps, (items) => rng.shuffle(items))) {
    const zeros = new Float32Array(part.length);
    const figures = await policy.model.accumulate(
      {
        ...selectDecisions(packed.batch, part),
        chosen: Int32Array.from(part, (at) => packed.chosen[at] as number),
        advantage: zeros,
        weight: new Float32Array(part.length).fill(1),
        behaviourLogprob: zeros,
        proximalLogprob: zeros,
      },
      { kind: 'imitate', temperature: 1, labelSmoothing: 0, entropyWeight: 0 },
      whole,
    );
    await policy.model.apply({
      learningRate: settings.learningRate,
      maxGradNorm: settings.maxGradNorm,
      weightDecay: settings.weightDecay,
    });
    loss += (figures.loss * part.length) / packed.chosen.length;
  }
  return loss;
}
