import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { backend as activeBackend, findBackendFactory } from '@tensorflow/tfjs-core';
import { messageOf } from '../../envs/core/errors.ts';
import {
  isOperatorBackend,
  registerNativeKernels,
  registerTensorflowProduct,
  whyNoNativeKernels,
} from '../kernels/tensorflow/native-kernels.ts';
import { whyLibraryIsCut } from './elf-library.ts';
import { startRegistered, type BackendStart } from './start.ts';

const packageName = '@tensorflow/tfjs-node-gpu';

/**
 * TensorFlow's own library, on an NVIDIA GPU where there is one. Its package is optional, and `npm run provision -- tensorflow` builds its binding.
 * @param environment with LD_LIBRARY_PATH, where the system's loader looks for the library first
 */
export async function startTensorflow(
  environment: Readonly<Record<string, string | undefined>> = {},
): Promise<BackendStart> {
  const binding = bindingFile();
  const cut = binding === undefined ? undefined : whyLibraryIsCut(binding, environment);
  const isInstalled = binding !== undefined;
  if (cut !== undefined) return unavailable(`${cut}.`, isInstalled);
  try {
    await import(packageName); // registers itself
  } catch (thrown) {
    return unavailable(
      `the package ${packageName} cannot be loaded (${inOneLine(messageOf(thrown))}).`,
      isInstalled,
    );
  }
  if (findBackendFactory('tensorflow') === null) {
    return {
      kind: 'unavailable',
      reason: `${packageName} brought a tensor library of its own, of another version.`,
      fix: `Install ${packageName}@4.22.0, the version of the other tensor packages.`,
      isInstalled,
    };
  }
  const failure = await startRegistered('tensorflow');
  if (failure !== undefined) {
    return {
      kind: 'unavailable',
      reason: failure,
      fix: 'Build it again with `npm run provision -- tensorflow`, or use --backend webgpu or wasm.',
      isInstalled,
    };
  }
  const backend = activeBackend();
  const onGpu = usesGpu(backend);
  const slower = registerKernels(backend, onGpu);
  return {
    kind: 'started',
    summary: onGpu ? "TensorFlow's library on an NVIDIA GPU" : "TensorFlow's library on the processor",
    notes: [
      ...(onGpu ? [] : ['TensorFlow found no NVIDIA GPU that its library supports.']),
      ...(slower === undefined ? [] : [slower]),
    ],
    hardware: onGpu ? 'gpu' : 'processor',
  };
}

/** Registers our kernels for what the backend computes on; says why some are missing. */
function registerKernels(backend: object, onGpu: boolean): string | undefined {
  if (!isOperatorBackend(backend)) return undefined;
  registerTensorflowProduct();
  if (onGpu) return undefined; // ours compute on the processor
  const reason = whyNoNativeKernels(backend);
  if (reason === undefined) registerNativeKernels();
  return reason === undefined
    ? undefined
    : `${reason}: training is slower. Run \`npm run provision -- tensorflow\` in a checkout.`;
}

const unavailable = (reason: string, isInstalled: boolean): BackendStart => ({
  kind: 'unavailable',
  reason,
  fix: 'Run `npm run provision -- tensorflow` in a checkout, which builds it, or use --backend webgpu or wasm.',
  isInstalled,
});

function usesGpu(backend: object): boolean {
  return 'isUsingGpuDevice' in backend && backend.isUsingGpuDevice === true;
}

/** On one line, without the modules that required it and without Node's advice: the message about a binding for another Node has five lines. */
const inOneLine = (text: string): string =>
  (text.split(/\nRequire stack:|\s+Please try/)[0] ?? text).replaceAll(/\s*\n\s*/g, ' ').slice(0, 300);

/** Where the package has its binding; undefined if it is not installed. */
function bindingFile(): string | undefined {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`));
    return join(folder, 'lib', 'napi-v8', 'tfjs_binding.node');
  } catch {
    return undefined;
  }
}
