import { env, registerBackend } from '@tensorflow/tfjs-core';
import { messageOf, RunError } from '../../envs/core/errors.ts';
import { registerWebgpuKernels } from '../kernels/webgpu/webgpu-kernels.ts';
import { DeviceLoss } from './device-loss.ts';
import { memoryFull } from './memory-full.ts';
import { startRegistered, type BackendStart } from './start.ts';
import { createWebgpuBackend, isSoftwareAdapter, openDevice, provideConstants } from './webgpu-device.ts';

/** Any GPU with a Vulkan, Metal or D3D12 driver, through Dawn. Its two packages are optional. */
export async function startWebgpu(): Promise<BackendStart> {
  const packages = await loadPackages();
  if (packages.kind === 'unavailable') return packages;
  const { dawn, WebGPUBackend } = packages;
  const opened = await openDevice(dawn).catch((thrown: unknown) => messageOf(thrown));
  if (typeof opened === 'string')
    return { kind: 'unavailable', reason: `its driver refuses (${opened}).`, fix: updateDriver };
  if (opened === undefined) {
    return {
      kind: 'unavailable',
      reason: 'no graphics driver offers an adapter.',
      fix: 'Install the Vulkan driver of the GPU, or use --backend wasm.',
    };
  }
  const { adapter, device } = opened;
  provideConstants(dawn.globals);
  const loss = new DeviceLoss(where, device.lost);
  device.addEventListener('uncapturederror', ({ error }) => loss.fail(failureOf(error))); // a driver goes on after what it could not do, with whatever stands in memory
  registerBackend('webgpu', () => createWebgpuBackend(WebGPUBackend, opened));
  const isSoftware = isSoftwareAdapter(adapter.info);
  registerWebgpuKernels(WebGPUBackend, { byTiles: !isSoftware });
  env().set('WEBGPU_CPU_FORWARD', false); // small results would else lie on the processor, where our kernels do not look
  const failure = await startRegistered('webgpu');
  if (failure !== undefined) return { kind: 'unavailable', reason: failure, fix: updateDriver };
  const { vendor, architecture, device: model, description } = adapter.info;
  const name = [description || model, vendor, architecture].filter((part) => part !== '').join(', ');
  return {
    kind: 'started',
    summary: `${name}${isSoftware ? ', a software driver that computes on the processor' : ''}`,
    notes: isSoftware
      ? ['A software graphics driver is far slower than --backend wasm: it is for tests.']
      : [],
    hardware: isSoftware ? 'software-gpu' : 'gpu',
    loss,
  };
}

const where = 'backend webgpu';
const updateDriver = 'Update the graphics driver, or use --backend wasm.';

/** What a driver says that it could not do. */
function failureOf({ constructor: { name }, message }: GPUError): RunError {
  const said = message.trim().split('\n')[0] ?? '';
  if (name === 'GPUOutOfMemoryError' || /out.of.(host.|device.)?memory/i.test(message)) {
    return memoryFull(
      where,
      `the GPU has no room for what it was to hold, and what it holds is not to be trusted any more (${said}).`,
    );
  }
  return new RunError({
    where,
    what: `the GPU could not do what it was told, and what it holds is not to be trusted any more (${said}).`,
    fix: 'Begin again in a new process, or use --backend wasm; if it happens again, tell the developers.',
  });
}

async function loadPackages() {
  try {
    const [dawn, { WebGPUBackend }] = await Promise.all([
      import('webgpu'),
      import('@tensorflow/tfjs-backend-webgpu'),
    ]);
    return { kind: 'loaded', dawn, WebGPUBackend } as const;
  } catch (thrown) {
    return {
      kind: 'unavailable',
      reason: `its packages webgpu and @tensorflow/tfjs-backend-webgpu cannot be loaded (${messageOf(thrown)}).`,
      fix: 'Run `npm ci` without --omit=optional, or use --backend wasm.',
    } as const;
  }
}
