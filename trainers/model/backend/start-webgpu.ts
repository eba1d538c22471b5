import { env, registerBackend } from '@tensorflow/tfjs-core';
import { messageOf, RunError } from '../../../envs/core/errors.ts';
import { registerWebgpuKernels } from '../kernels/webgpu/webgpu-kernels.ts';
import { DeviceLoss } from './device-loss.ts';
import { keepBindings } from './keep-bindings.ts';
import { memoryFull } from './memory-full.ts';
import { reuseBuffers } from './reuse-buffers.ts';
import { startRegistered, type Start } from './start.ts';
import { uploadInLine } from './upload-in-line.ts';

/** Any GPU with a Vulkan, Metal or D3D12 driver, through Dawn. Its two packages are optional. */
export async function startWebgpu(): Promise<Start> {
  const packages = await loadPackages();
  if (packages.kind === 'unavailable') return packages;
  const { dawn, WebGPUBackend } = packages;
  const opened = await openDevice(dawn).catch((thrown: unknown) => messageOf(thrown));
  if (typeof opened === 'string') return { kind: 'unavailable', reason: `its driver refuses (${opened}).`, mend: updateDriver };
  if (opened === undefined) {
    return {
      kind: 'unavailable',
      reason: 'no graphics driver offers an adapter.',
      mend: 'Install the Vulkan driver of the GPU, or use --backend wasm.',
    };
  }
  const { gpu, adapter, device } = opened;
  provideConstants(dawn.globals);
  const loss = new DeviceLoss(where, device.lost);
  device.addEventListener('uncapturederror', ({ error }) => loss.fail(failureOf(error))); // a driver goes on after what it could not do, with whatever stands in memory
  registerBackend('webgpu', () => {
    const backend = withNavigator(gpu, () => new WebGPUBackend(device, adapter.info));
    reuseBuffers(backend.bufferManager, device);
    uploadInLine(backend);
    keepBindings(backend);
    return backend;
  });
  const isSoftware = isSoftwareAdapter(adapter.info);
  registerWebgpuKernels(WebGPUBackend, { byTiles: !isSoftware });
  env().set('WEBGPU_CPU_FORWARD', false); // small results would else lie on the processor, where our kernels do not look
  const failure = await startRegistered('webgpu');
  if (failure !== undefined) return { kind: 'unavailable', reason: failure, mend: updateDriver };
  const { vendor, architecture, device: model, description } = adapter.info;
  const name = [description || model, vendor, architecture].filter((part) => part !== '').join(', ');
  return {
    kind: 'started',
    summary: `${name}${isSoftware ? ', a software driver that computes on the processor' : ''}`,
    notes: isSoftware ? ['A software graphics driver is far slower than --backend wasm: it is for tests.'] : [],
    hardware: isSoftware ? 'software-gpu' : 'gpu',
    loss,
  };
}

const where = 'backend webgpu';
const updateDriver = 'Update the graphics driver, or use --backend wasm.';

/** The best GPU, with all that it can do: the default limits would bound a tensor at 128 MiB. Undefined where there is none. */
async function openDevice(dawn: { readonly create: (options: string[]) => GPU }) {
  const gpu = dawn.create([]);
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (adapter === null) return undefined;
  return { gpu, adapter, device: await adapter.requestDevice({ requiredLimits: limitsToAskFor(adapter.limits) }) };
}

/** What a driver says that it could not do. */
function failureOf({ constructor: { name }, message }: GPUError): RunError {
  const said = message.trim().split('\n')[0] ?? '';
  if (name === 'GPUOutOfMemoryError' || /out.of.(host.|device.)?memory/i.test(message)) {
    return memoryFull(where, `the GPU has no room for what it was to hold, and what it holds is not to be trusted any more (${said}).`);
  }
  return new RunError({ where, what: `the GPU could not do what it was told, and what it holds is not to be trusted any more (${said}).`, mend: 'Begin again in a new process, or use --backend wasm; if it happens again, tell the developers.' });
}

/** What a graphics adapter says of itself. */
export interface AdapterDescription {
  readonly vendor: string;
  readonly architecture: string;
  readonly device: string;
  readonly description: string;
  readonly isFallbackAdapter: boolean;
}

const softwareNames = /swiftshader|llvmpipe|lavapipe|softpipe|basic render|software/i;

/** True for a graphics driver that computes on the processor. */
export function isSoftwareAdapter(adapter: AdapterDescription): boolean {
  return adapter.isFallbackAdapter || softwareNames.test([adapter.vendor, adapter.architecture, adapter.device, adapter.description].join(' '));
}

async function loadPackages() {
  try {
    const [dawn, { WebGPUBackend }] = await Promise.all([import('webgpu'), import('@tensorflow/tfjs-backend-webgpu')]);
    return { kind: 'loaded', dawn, WebGPUBackend } as const;
  } catch (thrown) {
    return {
      kind: 'unavailable',
      reason: `its packages webgpu and @tensorflow/tfjs-backend-webgpu cannot be loaded (${messageOf(thrown)}).`,
      mend: 'Run `npm ci` without --omit=optional, or use --backend wasm.',
    } as const;
  }
}

/** The flags of WebGPU, such as `GPUBufferUsage`, which the backend takes from the global scope. */
function provideConstants(globals: object): void {
  for (const [name, value] of Object.entries(globals)) {
    if (!(name in globalThis)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}

/** The backend refuses to be made where the global scope does not look like a browser's. */
function withNavigator<T>(gpu: object, make: () => T): T {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', { value: { gpu }, configurable: true });
  try {
    return make();
  } finally {
    if (before === undefined) Reflect.deleteProperty(globalThis, 'navigator');
    else Object.defineProperty(globalThis, 'navigator', before);
  }
}

const limitNames = [
  'maxComputeWorkgroupStorageSize',
  'maxComputeWorkgroupsPerDimension',
  'maxStorageBufferBindingSize',
  'maxBufferSize',
  'maxComputeWorkgroupSizeX',
  'maxComputeInvocationsPerWorkgroup',
] as const;

function limitsToAskFor(limits: Readonly<Record<(typeof limitNames)[number], number>>): Record<string, number> {
  return Object.fromEntries(limitNames.map((name) => [name, limits[name]]));
}
