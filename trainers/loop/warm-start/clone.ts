import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import type { Context } from '../../../envs/core/context.ts';
import type { EvaluationResult } from '../../results/result.ts';
import { passBegins, type ImitationSettings, type TrainablePolicy } from '../../update/policy.ts';
import type { CloningState } from '../../run/cloning-state.ts';
import type { TrainConfig } from '../../config/config.ts';
import { isInterruption } from '../interruption.ts';
import { scheduleFactor } from '../../update/schedule.ts';

/** One pass over the demonstrations. */
export interface ClonedPass {
  readonly epoch: number;
  readonly loss: number;
  /** The result on `dev`, if it was played after this pass. */
  readonly result: DevResult | undefined;
}

/** What cloning needs of an evaluation on `dev`. */
export type DevResult = Pick<EvaluationResult, 'success' | 'faults'>;

export type CloningSettings = TrainConfig['warmStart'] &
  Pick<TrainConfig['update'], 'optimiser' | 'maxGradNorm' | 'weightDecay'>;

/** Inputs and callbacks of cloning. */
export interface CloningPlan {
  readonly policy: Pick<TrainablePolicy, 'imitate'>;
  /** Solved episodes. */
  readonly demonstrations: readonly TrajectoryGroup[];
  readonly settings: CloningSettings;
  /** State to resume from; the policy has its weights. */
  readonly from: CloningState;
  /** Plays `dev` with the current weights. */
  readonly evaluate: (epoch: number) => Promise<DevResult>;
  readonly onPass: (pass: ClonedPass) => Promise<void>;
  /** Called during a pass with the share that is done. */
  readonly onDone?: (epoch: number, share: number) => void;
  /** Saves state and weights: after each evaluation, and on an interruption. */
  readonly keep: (state: CloningState) => Promise<void>;
  /** Restores the best weights into the policy. */
  readonly restore: (state: CloningState) => Promise<void>;
  readonly context: Context;
}

/**
 * Behaviour cloning: minimises the cross-entropy of the demonstrated actions, pass by pass. It ends when
 * `evaluate` has not improved for `patience` evaluations or all passes are done, and leaves the best weights
 * in the policy. An interruption stops it between two mini-batches.
 */
export async function clone(plan: CloningPlan): Promise<void> {
  const { policy, settings, context } = plan;
  const imitation = await policy.imitate(plan.demonstrations);
  let state = plan.from;
  let kept = state;
  try {
    while (!isOver(state, settings)) {
      if (awaitsEvaluation(state, settings)) {
        const result = await plan.evaluate(state.epoch);
        const { rate } = result.success;
        const better = rate > state.best;
        state = {
          ...state,
          evaluated: state.epoch,
          best: better ? rate : state.best,
          stale: better ? 0 : state.stale + 1,
        };
        await plan.onPass({ epoch: state.epoch, loss: state.loss, result });
        await plan.keep(state);
        kept = state;
      } else {
        context.signal.throwIfAborted();
        const epoch = state.epoch + 1;
        const { isWhole, ...pass } = await imitation.pass(
          passSettings(settings, epoch),
          context.rng.fork('clone').fork(epoch),
          {
            from: state.pass,
            signal: context.signal,
            onDone: (share) => plan.onDone?.(epoch, share),
          },
        );
        state = isWhole
          ? { ...state, epoch, loss: pass.lossSum / pass.weight, pass: passBegins }
          : { ...state, pass };
        if (isWhole && !awaitsEvaluation(state, settings))
          await plan.onPass({ epoch, loss: state.loss, result: undefined });
      }
    }
  } catch (thrown) {
    if (isInterruption(thrown, context) && state !== kept) await plan.keep(state);
    throw thrown;
  }
  await plan.restore(state);
}

/** The schedule covers all possible passes. Passes of a token policy differ by a mini-batch or two. */
function passSettings(
  { schedule, epochs, learningRate, batchSteps, optimiser, maxGradNorm, weightDecay }: CloningSettings,
  epoch: number,
): ImitationSettings {
  return {
    batchSteps,
    optimiser,
    maxGradNorm,
    weightDecay,
    learningRate: (at, count) =>
      learningRate * scheduleFactor(schedule, (epoch - 1) * count + at, epochs * count),
  };
}

function awaitsEvaluation(
  { epoch, evaluated }: CloningState,
  { evaluateEvery, epochs }: CloningSettings,
): boolean {
  return evaluated < epoch && (epoch % evaluateEvery === 0 || epoch === epochs);
}

function isOver(state: CloningState, settings: CloningSettings): boolean {
  return (
    !awaitsEvaluation(state, settings) && (state.epoch >= settings.epochs || state.stale >= settings.patience)
  );
}
