import {
  assertNumbers,
  assertStarts,
  assertTrainingNumbers,
  refusalOf,
  type RefuseArray,
} from '../batch-checks.ts';

/**
 * B decisions among R candidate rows in all, packed end to end. Features are a bag: order does not matter, a feature that
 * stands twice counts twice.
 */
export interface ChoiceBatch {
  /** Feature ids in [0, buckets); those of decision b stand at stateStart[b] .. stateStart[b + 1]. */
  readonly stateFeatures: Int32Array; // (state features in all)
  readonly stateStart: Int32Array; // (B + 1)
  /** Those of candidate row r stand at candidateStart[r] .. candidateStart[r + 1]. */
  readonly candidateFeatures: Int32Array; // (candidate features in all)
  readonly candidateStart: Int32Array; // (R + 1)
  /** The candidates of decision b are rows rowStart[b] .. rowStart[b + 1], at least one. */
  readonly rowStart: Int32Array; // (B + 1)
}

/** Decisions to learn from. */
export interface ChoiceTraining extends ChoiceBatch {
  /** Index of what was chosen, within the decision's own rows. */
  readonly chosen: Int32Array; // (B)
  readonly advantage: Float32Array; // (B)
  /** 0 = not trained. */
  readonly weight: Float32Array; // (B)
  readonly behaviourLogprob: Float32Array; // (B)
  readonly proximalLogprob: Float32Array; // (B)
  /** The whole distribution of the reference policy. */
  readonly referenceLogprobs?: Float32Array; // (R)
  /**
   * What the sum over decisions is divided by; the sum of `weight` when absent. Parts of one batch that are accumulated one
   * after the other give the whole batch's gradient when each is divided by the whole batch's normaliser.
   */
  readonly normaliser?: number;
  /** Names the batch in errors. */
  readonly label?: string;
}

const refuse: RefuseArray = refusalOf('choice batch', 'ChoiceBatch');

/** Refuses a batch whose arrays do not fit together, before a stray index can read what it must not. */
export function assertBatch(batch: ChoiceBatch, buckets: number): void {
  const decisions = batch.rowStart.length - 1;
  assertStarts(refuse, 'rowStart', batch.rowStart, batch.candidateStart.length - 1);
  assertStarts(refuse, 'stateStart', batch.stateStart, batch.stateFeatures.length);
  assertStarts(refuse, 'candidateStart', batch.candidateStart, batch.candidateFeatures.length);
  if (batch.stateStart.length !== decisions + 1) {
    refuse('stateStart', `has ${batch.stateStart.length} entries where rowStart has ${decisions + 1}.`);
  }
  for (let decision = 0; decision < decisions; decision += 1) {
    if (batch.rowStart[decision] === batch.rowStart[decision + 1])
      refuse(`rowStart[${decision}]`, 'leaves a decision without candidates.');
  }
  assertFeatures('stateFeatures', batch.stateFeatures, buckets);
  assertFeatures('candidateFeatures', batch.candidateFeatures, buckets);
}

/** As {@link assertBatch}, and the arrays that only training reads. `name` is the batch's in errors. */
export function assertTraining(training: ChoiceTraining, buckets: number, name: string): void {
  assertBatch(training, buckets);
  const decisions = training.rowStart.length - 1;
  const rows = training.candidateStart.length - 1;
  const { advantage, weight, behaviourLogprob, proximalLogprob, referenceLogprobs, normaliser } = training;
  assertTrainingNumbers(refuse, name, {
    count: decisions,
    numbers: { advantage, behaviourLogprob, proximalLogprob },
    weight,
    normaliser,
  });
  if (referenceLogprobs !== undefined)
    assertNumbers(refuse, { batch: name, name: 'referenceLogprobs' }, referenceLogprobs, rows);
  if (training.chosen.length !== decisions)
    refuse('chosen', `has ${training.chosen.length} entries for ${decisions} decisions.`);
  for (let decision = 0; decision < decisions; decision += 1) {
    const candidates = (training.rowStart[decision + 1] as number) - (training.rowStart[decision] as number);
    const chosen = training.chosen[decision] as number;
    if (chosen < 0 || chosen >= candidates)
      refuse(`chosen[${decision}]`, `is ${chosen}, but the decision has ${candidates} candidates.`);
  }
}

function assertFeatures(name: string, features: Int32Array, buckets: number): void {
  for (let at = 0; at < features.length; at += 1) {
    const feature = features[at] as number;
    if (feature < 0 || feature >= buckets)
      refuse(`${name}[${at}]`, `is ${feature}, outside 0 to ${buckets - 1}.`);
  }
}
