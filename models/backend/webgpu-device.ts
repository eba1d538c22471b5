import type { WebGPUBackend } from '@tensorflow/tfjs-backend-webgpu';
import { keepBindings } from './keep-bindings.ts';
import { readBack } from './read-back.ts';
import { reuseBuffers } from './reuse-buffers.ts';
import { uploadInLine } from './upload-in-line.ts';

/** A device of Dawn's, which its backend computes on. */
export interface OpenedDevice {
  readonly gpu: GPU;
  readonly adapter: GPUAdapter;
  readonly device: GPUDevice;
}

/**
 * The best GPU, with all that it can do: the default limits would bound a tensor at 128 MiB. Undefined where there is none.
 *
 * @param switches of Dawn, such as `backend=null` for a device that does nothing
 */
export async function openDevice(
  dawn: { readonly create: (switches: string[]) => GPU },
  switches: readonly string[] = [],
): Promise<OpenedDevice | undefined> {
  const gpu = dawn.create([...switches]);
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (adapter === null) return undefined;
  return {
    gpu,
    adapter,
    device: await adapter.requestDevice({ requiredLimits: limitsToAskFor(adapter.limits) }),
  };
}

const limitNames = [
  'maxComputeWorkgroupStorageSize',
  'maxComputeWorkgroupsPerDimension',
  'maxStorageBufferBindingSize',
  'maxBufferSize',
  'maxComputeWorkgroupSizeX',
  'maxComputeInvocationsPerWorkgroup',
] as const;

function limitsToAskFor(
  limits: Readonly<Record<(typeof limitNames)[number], number>>,
): Record<string, number> {
  return Object.fromEntries(limitNames.map((name) => [name, limits[name]]));
}

/** TensorFlow.js's backend on that device, which Cairn makes take less memory and less of the processor's time. */
export function createWebgpuBackend(
  Backend: typeof WebGPUBackend,
  { gpu, adapter, device }: OpenedDevice,
): WebGPUBackend {
  const backend = withNavigator(gpu, () => new Backend(device, adapter.info));
  reuseBuffers(backend.bufferManager, device);
  uploadInLine(backend);
  keepBindings(backend);
  readBack(backend, { isSoftware: isSoftwareAdapter(adapter.info) });
  instances.set(backend, gpu);
  return backend;
}

const instances = new WeakMap<WebGPUBackend, GPU>(); // Dawn crashes where its instance is collected before its device

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

/** The flags of WebGPU, such as `GPUBufferUsage`, which the backend takes from the global scope. */
export function provideConstants(globals: object): void {
  for (const [name, value] of Object.entries(globals)) {
    if (!(name in globalThis))
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
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
  return (
    adapter.isFallbackAdapter ||
    softwareNames.test([adapter.vendor, adapter.architecture, adapter.device, adapter.description].join(' '))
  );
}
