import { getBackend, setBackend, tidy, type TensorContainer } from '@tensorflow/tfjs-core';
import type { DeviceLoss } from './device-loss.ts';

/** From the fastest to the plainest. */
export const backendNames = ['tensorflow', 'webgpu', 'wasm', 'cpu'] as const;
export type BackendName = (typeof backendNames)[number];

/**
 * As much of a tensor as reading takes. The declarations of TensorFlow.js do not compile under every check, so no type of it
 * may stand in ours that a user's program can reach.
 */
export interface ReadableTensor {
  readonly dtype: string;
  /** Numbers. */
  readonly size: number;
  data(): Promise<unknown>;
}

/** A backend of TensorFlow.js that runs. There is at most one of each name in a process. */
export interface TensorBackend {
  readonly name: BackendName;
  /** Why it was taken, in one sentence. */
  readonly why: string;
  /** What else is worth knowing of it, such as the device or a backend that could not start. */
  readonly notes: readonly string[];
  /**
   * Runs tensor operations on this backend, at once. Tensors made inside are freed unless they are returned; the callback must
   * not wait. Throws a `RunError` once the backend's GPU is gone, as does `read`.
   */
  run<T>(body: () => T): T;
  /** The tensor's values, copied off the backend. */
  read(tensor: ReadableTensor): Promise<Float32Array>;
}

/**
 * The handle on a backend that has been started under its name.
 * @param loss of the device behind it, where it can be lost
 */
export function backendHandle(
  of: Pick<TensorBackend, 'name' | 'why' | 'notes'>,
  loss?: DeviceLoss,
): TensorBackend {
  return {
    ...of,
    run: <T>(body: () => T): T => {
      loss?.assertPresent(); // a driver takes work for a lost device, and does nothing
      activate(of.name);
      return tidy(body as () => T & TensorContainer); // whatever is no tensor and holds none goes through as it is
    },
    read: async (tensor) => {
      const values = await (loss === undefined ? tensor.data() : loss.during(() => tensor.data()));
      if (!(values instanceof Float32Array))
        throw new TypeError(`a tensor of ${tensor.dtype} was read as float32`);
      return values;
    },
  };
}

/** TensorFlow.js has one active backend a process; those that were started switch at once. */
function activate(name: BackendName): void {
  if (getBackend() === name) return;
  void setBackend(name); // a started backend is switched to before the promise is made
  if (getBackend() !== name) throw new TypeError(`backend ${name} was used before it was started`);
}
