import { UsageError } from '../../../envs/core/errors.ts';
import type { ChoiceConfig } from '../../../models/choice/choice-config.ts';
import { estimateChoiceMemory, type ChoiceBatchSize } from '../../../models/choice/memory-estimate.ts';
import { formatBytes } from '../../../files/free-space.ts';
import { capacityOf, type MemoryLimit } from '../memory-limit.ts';
import type { TrainingMemory, UpdateShape } from '../../update/policy.ts';

/** What the memory of training a choice policy goes by. */
interface ChoiceTrainingShape {
  readonly policy: ChoiceConfig;
  readonly update: UpdateShape;
}

/** What such a training takes, its largest mini-batch being of this size. The reference has moments like the policy that learns. */
export function estimateTrainingMemory(
  { policy, update }: ChoiceTrainingShape,
  batch: ChoiceBatchSize,
): TrainingMemory {
  const estimate = estimateChoiceMemory(policy, batch);
  const reference = update.klWeight > 0 ? estimate.weights + estimate.optimiser : 0;
  return { ...estimate, reference, peak: estimate.peak + reference };
}

/** The smallest mini-batch that there can be. */
const leastBatch: ChoiceBatchSize = { decisions: 1, rows: 1, features: 1 };

/**
 * Refuses, with a `UsageError`, a training that cannot fit: arithmetic on the config, before anything is allocated.
 * @param batchAt the largest mini-batch, where the episodes it is of are known, for a `batchSteps`
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
    what: `its tensors take at least ${formatBytes(need)} (the weights alone, of ${shape}, ${formatBytes(weights)}), and ${holder} at most ${formatBytes(most)}.`,
    fix: describeFix(config, (changed) => needOf(changed) <= most),
  });
}

/** What of it lies in the memory that is known: of a graphics card only the state that is made for it before it is sent there. */
function takenFrom({ backend }: MemoryLimit, { peak, weights, optimiser }: TrainingMemory): number {
  return backend === 'wasm' || backend === 'cpu' ? peak : weights + optimiser;
}

/** Keys of which each, lowered alone, lets the training fit, with the most that it may be. */
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
  if (settings.length === 0) return 'Lower policy.width and policy.buckets both: their defaults are small.';
  return `What would fit: ${settings.join(', or ')}${settings.length === 1 ? '' : ', each alone'}.`;
}

/** The largest whole number from 1 to below `above` that will do, where all below one that does do; undefined where none does. */
function largest(above: number, does: (value: number) => boolean): number | undefined {
  let [low, high] = [0, above];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (does(middle)) low = middle;
    else high = middle;
  }
  return low === 0 ? undefined : low;
}
