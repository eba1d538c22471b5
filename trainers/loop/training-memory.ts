import { totalmem } from 'node:os';
import { UsageError } from '../../envs/core/errors.ts';
import type { BackendName } from '../model/backend/backend.ts';
import { estimateChoiceMemory, type ChoiceBatchSize, type MemoryEstimate } from '../model/choice/memory-estimate.ts';
import { formatBytes } from '../run-folder/free-space.ts';
import type { SettledTrainConfig } from './settle-config.ts';

/** Bytes on the tensor backend, with those of the policy after the warm start, which stays beside the one that learns. */
export interface TrainingMemory extends MemoryEstimate {
  readonly reference: number;
}

/** What training with that policy takes, its largest mini-batch being of this size. */
export function estimateTrainingMemory(policy: SettledTrainConfig['policy'], batch: ChoiceBatchSize): TrainingMemory {
  const estimate = estimateChoiceMemory(policy, batch);
  const reference = estimate.weights + estimate.optimiser;
  return { ...estimate, reference, peak: estimate.peak + reference };
}

/** Where the memory of a training comes from. */
export interface MemoryLimit {
  readonly backend: BackendName;
  /** Bytes of the machine, or of the share of it that this process may use. */
  readonly machine: number;
}

/** Of this process. */
export function memoryLimitOf(backend: BackendName): MemoryLimit {
  const allowed = process.constrainedMemory();
  return { backend, machine: allowed > 0 ? Math.min(allowed, totalmem()) : totalmem() };
}

/** All that WebAssembly can address. */
const wasmBytes = 2 ** 32;

/** The smallest mini-batch that there can be. */
const leastBatch: ChoiceBatchSize = { decisions: 1, rows: 1, features: 1 };

/**
 * Refuses, with a `UsageError`, a training that cannot fit: arithmetic on the config, before anything is allocated.
 * @param batchAt the largest mini-batch, where the episodes it is of are known, for a `batchSteps`
 */
export function assertFitsMemory(
  config: Pick<SettledTrainConfig, 'policy' | 'update'>,
  limit: MemoryLimit,
  batchAt: (batchSteps: number) => ChoiceBatchSize = () => leastBatch,
): void {
  const { most, holder } = capacityOf(limit);
  const needOf = ({ policy, update }: typeof config): number => takenFrom(limit, estimateTrainingMemory(policy, batchAt(update.batchSteps)));
  const need = needOf(config);
  if (need <= most) return;
  const { weights } = estimateTrainingMemory(config.policy, leastBatch);
  const shape = `${config.policy.buckets} buckets of width ${config.policy.width}`;
  throw new UsageError({
    where: 'training config, memory',
    what: `its tensors take at least ${formatBytes(need)} (the weights alone, of ${shape}, ${formatBytes(weights)}), and ${holder} at most ${formatBytes(most)}.`,
    mend: describeMend(config, (changed) => needOf(changed) <= most),
  });
}

function capacityOf({ backend, machine }: MemoryLimit): { readonly most: number; readonly holder: string } {
  return backend === 'wasm' && wasmBytes <= machine ? { most: wasmBytes, holder: 'backend wasm holds' } : { most: machine, holder: 'this machine has' };
}

/** What of it lies in the memory that is known: of a graphics card only the state that is made for it before it is sent there. */
function takenFrom({ backend }: MemoryLimit, { peak, reference }: TrainingMemory): number {
  return backend === 'wasm' || backend === 'cpu' ? peak : reference;
}

type Shaped = Pick<SettledTrainConfig, 'policy' | 'update'>;

/** Keys of which each, lowered alone, lets the training fit, with the most that it may be. */
function describeMend(config: Shaped, fits: (changed: Shaped) => boolean): string {
  const keys = [
    ['policy.width', config.policy.width, (width: number) => ({ ...config, policy: { ...config.policy, width } })],
    ['policy.buckets', config.policy.buckets, (buckets: number) => ({ ...config, policy: { ...config.policy, buckets } })],
    ['policy.hidden', config.policy.hidden, (hidden: number) => ({ ...config, policy: { ...config.policy, hidden } })],
    ['update.batchSteps', config.update.batchSteps, (batchSteps: number) => ({ ...config, update: { ...config.update, batchSteps } })],
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
