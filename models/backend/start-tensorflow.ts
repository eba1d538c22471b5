import { backend as activeBackend, findBackendFactory } from '@tensorflow/tfjs-core';
import { messageOf } from '../../envs/core/errors.ts';
import { startRegistered, type BackendStart } from './start.ts';

const packageName = '@tensorflow/tfjs-node-gpu';

/** TensorFlow's own library, on an NVIDIA GPU where there is one. Its package is optional, and `npm run provision -- tensorflow` builds its binding. */
export async function startTensorflow(): Promise<BackendStart> {
  try {
    await import(packageName); // registers itself
  } catch (thrown) {
    return {
      kind: 'unavailable',
      reason: `the package ${packageName} cannot be loaded (${firstLine(messageOf(thrown))}).`,
      fix: 'Run `npm run provision -- tensorflow` in a checkout, which builds it, or use --backend webgpu or wasm.',
    };
  }
  if (findBackendFactory('tensorflow') === null) {
    return {
      kind: 'unavailable',
      reason: `${packageName} brought a tensor library of its own, of another version.`,
      fix: `Install ${packageName}@4.22.0, the version of the other tensor packages.`,
    };
  }
  const failure = await startRegistered('tensorflow');
  if (failure !== undefined) {
    return {
      kind: 'unavailable',
      reason: failure,
      fix: 'Build it again with `npm run provision -- tensorflow`, or use --backend webgpu or wasm.',
    };
  }
  const onGpu = usesGpu(activeBackend());
  return {
    kind: 'started',
    summary: onGpu ? "TensorFlow's library on an NVIDIA GPU" : "TensorFlow's library on the processor",
    notes: onGpu ? [] : ['TensorFlow found no NVIDIA GPU that its library supports.'],
    hardware: onGpu ? 'gpu' : 'processor',
  };
}

function usesGpu(backend: object): boolean {
  return 'isUsingGpuDevice' in backend && backend.isUsingGpuDevice === true;
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? text;
}
