import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import { backend as activeBackend, env } from '@tensorflow/tfjs-core';
import type { BackendWasm } from '@tensorflow/tfjs-backend-wasm';
import type { KernelLoops } from '../kernels/kernel-loops.ts';
import { plainLoops } from '../kernels/plain-loops.ts';
import { simdLoops } from '../kernels/simd/simd-loops.ts';
import { isMemory } from '../kernels/simd/web-assembly.ts';
import { registerTypedArrayKernels } from '../kernels/typed-array-kernels.ts';
import { keepErrorListeners } from './keep-listeners.ts';
import { memoryFull } from './memory-full.ts';
import { startRegistered, type BackendStart } from './start.ts';

/** The processor through WebAssembly, one thread. */
export async function startWasm(): Promise<BackendStart> {
  const { BackendWasm: Backend, setWasmPaths } = await import('@tensorflow/tfjs-backend-wasm');
  setWasmPaths(dirname(createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm')) + sep);
  const failure = await keepErrorListeners(process, () => startRegistered('wasm'));
  if (failure !== undefined) {
    return {
      kind: 'unavailable',
      reason: failure,
      fix: 'Reinstall the packages with `npm ci`, or use --backend cpu.',
    };
  }
  const started: unknown = activeBackend();
  if (started instanceof Backend) refuseWhenFull(started.wasm);
  const simd = (await env().getAsync('WASM_HAS_SIMD_SUPPORT')) === true;
  let loops: KernelLoops | undefined;
  registerTypedArrayKernels('wasm', (backend) => {
    if (!(backend instanceof Backend)) throw new TypeError('a wasm kernel was given another backend');
    loops ??= simd ? loopsOver(backend) : plainLoops;
    return accessOf(backend, loops);
  });
  return {
    kind: 'started',
    summary: `the processor through WebAssembly, ${simd ? 'with' : 'without'} SIMD`,
    notes: simd ? [] : ['This Node has no WebAssembly SIMD: expect a quarter of the usual speed.'],
    hardware: 'processor',
  };
}

function accessOf(
  backend: BackendWasm,
  loops: KernelLoops,
): ReturnType<Parameters<typeof registerTypedArrayKernels>[1]> {
  return {
    make: (shape) => backend.makeOutput(shape, 'float32'),
    floats: (tensor) => {
      const values = backend.typedArrayFromHeap(tensor);
      if (!(values instanceof Float32Array)) throw new TypeError('a kernel needs float32 here');
      return values;
    },
    integers: (tensor) => {
      const values = backend.typedArrayFromHeap(tensor);
      if (!(values instanceof Int32Array)) throw new TypeError('a kernel needs int32 here');
      return values;
    },
    loops,
  };
}

const addressableBytes = 2 ** 32;

interface Allocator {
  _malloc: (bytes: number) => number;
}

function hasAllocator(module: object): module is Allocator {
  return '_malloc' in module && typeof module._malloc === 'function';
}

/** Where its memory is full, the backend is given address 0 and goes on over whatever lies there. */
function refuseWhenFull(module: object): void {
  if (!hasAllocator(module)) return;
  let allocate = module._malloc;
  const allocateOrThrow = (bytes: number): number => {
    const address = bytes < addressableBytes ? allocate(bytes) : 0;
    if (address !== 0 || bytes === 0) return address;
    throw memoryFull('backend wasm', `its memory of 4 GiB has no room for another ${bytes} bytes.`);
  };
  Object.defineProperty(module, '_malloc', {
    get: () => allocateOrThrow,
    set: (replacement: Allocator['_malloc']) => {
      allocate = replacement; // the module's first call sets it
    },
  });
}

/** SIMD over the backend's own memory; where a release of it hides that memory, the plain loops. */
function loopsOver(backend: BackendWasm): KernelLoops {
  const exported: unknown = 'asm' in backend.wasm ? backend.wasm.asm : undefined;
  if (typeof exported !== 'object' || exported === null || !('memory' in exported)) return plainLoops;
  return isMemory(exported.memory) ? simdLoops(exported.memory) : plainLoops;
}
