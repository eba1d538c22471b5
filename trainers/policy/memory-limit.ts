import { totalmem } from 'node:os';
import type { BackendName } from '../../models/backend/backend.ts';

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

/** The most bytes there can be, and who holds them, in words. */
export function capacityOf({ backend, machine }: MemoryLimit): {
  readonly most: number;
  readonly holder: string;
} {
  return backend === 'wasm' && wasmBytes <= machine
    ? { most: wasmBytes, holder: 'backend wasm holds' }
    : { most: machine, holder: 'this machine has' };
}
