import { UsageError } from '../../../envs/core/errors.ts';
import type { ChoiceConfig } from '../../../models/choice/choice-config.ts';
import { estimateChoiceMemory, type ChoiceBatchSize } from '../../../models/choice/memory-estimate.ts';
import { formatBytes } from '../../../files/free-space.ts';
import { capacityOf, type MemoryLimit } from '../memory-limit.ts';
import type { TrainingMemory, UpdateShape } from '../../update/policy.ts';

/** What determines the memory of training a choice policy. */
interface ChoiceTrainingShape {
  readonly policy: ChoiceConfig;
  readonly update: UpdateShape;
}

/**
 * Memory of such a training with a largest mini-batch of this size. The reference has moments like the
 * learning policy.
 */
export function estimateTrainingMemory(
  { policy, update }: ChoiceTrainingShape,
  batch: ChoiceBatchSize,
): TrainingMemory {
  const estimate = estimateChoiceMemory(policy, batch);
  const reference = update.klWeight > 0 ? estimate.weights + estimate.optimiser : 0;
  return { ...estimate, reference, peak: estimate.peak + reference };
}

/** The smallest possible mini-batch. */
const leastBatch: ChoiceBatchSize = { decisions: 1, rows: 1, features: 1 };

/**
 * Refuses a training that cannot fit into memory: arithmetic on the config, before anything is allocated.
 * @param batchAt the largest mini-batch for a `batchSteps`, if its episodes are known
 * @throws UsageError
 */
export function assertFitsMemory(
  config: ChoiceTrainingShape,
  limit: MemoryLimit,
  batchAt: (batchSteps: number) => ChoiceBatchSize = () => leastBatch,
): void {
  const { most, holder } = capacityOf(limit);
  const needOf = (shape: ChoiceTrainingShape): number =>
    takenFrom(limit, estimateTrainingMemory(shape, batchAt(shape.update.batchSteps)));
  const need = needOf(config);
  if (need <= most) return;
  const { weights } = estimateTrainingMemory(config, leastBatch);
  const shape = `${config.policy.buckets} buckets of width ${config.policy.width}`;
  throw new UsageError({
    where: 'training config, memory',
    what: `its tensors need at least ${formatBytes(need)} (the weights alone, of ${shape}, ${formatBytes(weights)}), and ${holder} at most ${formatBytes(most)}.`,
    fix: describeFix(config, (changed) => needOf(changed) <= most),
  });
}

/**
 * The part in memory whose size is known. For a graphics card, that is only the state created before it is
 * sent there.
 */
function takenFrom({ backend }: MemoryLimit, { peak, weights, optimiser }: TrainingMemory): number {
  return backend === 'wasm' || backend === 'cpu' ? peak : weights + optimiser;
}

/** Keys that make the training fit when one of them is lowered, with their largest values. */
function describeFix(config: ChoiceTrainingShape, fits: (changed: ChoiceTrainingShape) => boolean): string {
  const keys = [
    [
      'policy.width',
      config.policy.width,
      (width: number) => ({ ...config, policy: { ...config.policy, width } }),
    ],
    [
      'policy.buckets',
      config.policy.buckets,
      (buckets: number) => ({ ...config, policy: { ...config.policy, buckets } }),
    ],
    [
      'policy.hidden',
      config.policy.hidden,
      (hidden: number) => ({ ...config, policy: { ...config.policy, hidden } }),
    ],
    [
      'update.batchSteps',
      config.update.batchSteps,
      (batchSteps: number) => ({ ...config, update: { ...config.update, batchSteps } }),
    ],
  ] as const;
  const settings = keys.flatMap(([name, now, change]) => {
    const most = largest(now, (value) => fits(change(value)));
    return most === undefined ? [] : [`--with ${name}=${most}`];
  });
  if (settings.length === 0) return 'Lower both policy.width and policy.buckets: their defaults are small.';
  return `Any of these would fit: ${settings.join(', or ')}.`;
}

/**
 * The largest integer from 1 to below `above` for which `does` is true, if it is true for all smaller ones;
 * undefined if there is none.
 */
function largest(above: number, does: (value: number) => boolean): number | undefined {
  let [low, high] = [0, above];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (does(middle)) low = middle;
    else high = middle;
  }
  return low === 0 ? undefined : low;
}
