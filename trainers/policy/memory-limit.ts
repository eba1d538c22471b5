import { totalmem } from 'node:os';
import type { BackendName } from '../../models/backend/backend.ts';

/** The memory available for a training. */
export interface MemoryLimit {
  readonly backend: BackendName;
  /** Bytes of the machine, or of this process's share of it. */
  readonly machine: number;
}

/** The limit of this process. */
export function memoryLimitOf(backend: BackendName): MemoryLimit {
  const allowed = process.constrainedMemory();
  return { backend, machine: allowed > 0 ? Math.min(allowed, totalmem()) : totalmem() };
}

/** All that WebAssembly can address. */
const wasmBytes = 2 ** 32;

/** The most bytes available, and the name of what limits them. */
export function capacityOf({ backend, machine }: MemoryLimit): {
  readonly most: number;
  readonly holder: string;
} {
  return backend === 'wasm' && wasmBytes <= machine
    ? { most: wasmBytes, holder: 'backend wasm holds' }
    : { most: machine, holder: 'this machine has' };
}
