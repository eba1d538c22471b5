import { RunError } from '../../envs/core/errors.ts';
import type { CreditEstimator } from '../credit/estimator.ts';
import { checkpointBytes, estimateChoiceMemory, type ChoiceBatchSize, type MemoryEstimate } from '../model/choice/memory-estimate.ts';
import { allFaulted, describeAll } from './faults.ts';
import { learnFrom, playIteration } from './iteration.ts';
import type { Preparation } from './session.ts';
import { initialState } from './train-state.ts';

/** What a run would take, measured on one iteration that is thrown away. */
export interface TrainingForecast {
  /** Seconds of that iteration, by phase: at most, since untrained policies play to the limit and every step was learned from. */
  readonly iterationSeconds: Readonly<Record<string, number>>;
  readonly environmentSteps: number;
  /** Bytes on the tensor backend. */
  readonly memory: MemoryEstimate;
  /** Bytes of one checkpoint. */
  readonly checkpoint: number;
  /** Seconds of all iterations, without warm start and evaluations. */
  readonly trainingSeconds: number;
}

/** Plays one iteration and updates the policy by it, writing nothing. The preparation must not be trained with afterwards. */
export async function forecastTraining(preparation: Preparation): Promise<TrainingForecast> {
  const { config } = preparation;
  const estimator = learningFromAll(preparation.estimator);
  const played = await playIteration(preparation, initialState, () => undefined);
  if (allFaulted(played.groups)) {
    throw new RunError({ where: 'the iteration that was measured', what: describeAll(played.groups), mend: 'Mend the world before you train in it.' });
  }
  const { line, phases } = await learnFrom({ ...preparation, estimator, store: { append: async () => undefined } }, initialState, played);
  const seconds = Object.values(phases).reduce((sum, phase) => sum + phase, 0);
  return {
    iterationSeconds: phases,
    environmentSteps: line.environmentSteps,
    memory: estimateChoiceMemory(config.policy, batchSize(line.figures, config.update.batchSteps)),
    checkpoint: checkpointBytes(config.policy),
    trainingSeconds: seconds * config.iterations,
  };
}

/** An untrained policy may solve nothing, and then there is nothing to learn from: here every step has an advantage. */
function learningFromAll(estimator: CreditEstimator): CreditEstimator {
  return {
    ...estimator,
    assign: (groups, evidence) => {
      const credit = estimator.assign(groups, evidence);
      return { ...credit, groups: credit.groups.map((members) => members.map((member) => ({ ...member, advantage: member.advantage.map(() => 1) }))) };
    },
  };
}

/** The average mini-batch of an iteration. */
function batchSize(figures: Readonly<Record<string, number>>, decisions: number): ChoiceBatchSize {
  const share = decisions / Math.max(1, figures['update/steps'] ?? 1);
  return {
    decisions,
    rows: Math.round(share * (figures['update/candidates'] ?? 0)),
    features: Math.round(share * (figures['update/features'] ?? 0)),
  };
}
