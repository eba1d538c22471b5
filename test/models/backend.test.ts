import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { fill, getBackend, tensor1d } from '@tensorflow/tfjs-core';
import { expect, test } from 'vitest';
import { RunError, UsageError } from '../../envs/core/errors.ts';
import type { TensorBackend } from '../../models/backend/backend.ts';
import {
  candidatesFor,
  objectionTo,
  openBackend,
  type BackendPreference,
} from '../../models/backend/open-backend.ts';
import { whyItCannotCompute } from '../../models/backend/prove-it-computes.ts';
import { whyLibraryIsCut } from '../../models/backend/elf-library.ts';
import { isSoftwareAdapter } from '../../models/backend/webgpu-device.ts';
import { mayHaveNvidiaGpu } from '../../models/backend/nvidia-devices.ts';
import { mayHaveVulkanDriver } from '../../models/backend/vulkan-drivers.ts';

test('auto chooses a backend that works, says why, and reports the skipped ones', async () => {
  const backend = await openBackend('auto');
  expect(backend.why).toMatch(/^the best that starts: /);
  if (backend.name === 'wasm')
    expect(backend.notes.join()).toMatch(/tensorflow was passed over.*webgpu was passed over/);
  expect([...(await backend.read(backend.run(() => tensor1d([1, 2]))))]).toEqual([1, 2]);
});

test('a named backend opens', async () => {
  const [wasm, cpu] = [await openBackend('wasm'), await openBackend('cpu')];
  expect(wasm.why).toMatch(/^the processor through WebAssembly, with SIMD$/);
  expect(cpu.why).toMatch(/^plain JavaScript/);
  expect(wasm.run(() => [getBackend()])).toEqual(['wasm']);
  expect(cpu.run(() => [getBackend()])).toEqual(['cpu']);
  expect(wasm.run(() => [getBackend()])).toEqual(['wasm']);
});

test('a backend without its package is refused with the fix', async () => {
  const opened = await openBackend('tensorflow').then(
    (backend) => backend.name,
    (thrown: unknown) => thrown,
  );
  if (opened === 'tensorflow') return; // a machine that has it
  expect(UsageError.is(opened)).toBe(true);
  expect(String(opened)).toMatch(
    /--backend tensorflow.*cannot be loaded.*npm run provision -- tensorflow.*--backend/,
  );
});

test('a binding of tensorflow that is cut is recognised before it is loaded', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'cairn-binding-')), 'binding.node');
  const header = Buffer.alloc(300);
  header.write('\u007fELF\u0002\u0001', 'latin1');
  header.writeBigUInt64LE(100n, 0x28); // the table of sections: from here, 3 of 64 bytes
  header.writeUInt16LE(64, 0x3a);
  header.writeUInt16LE(3, 0x3c);
  writeFileSync(file, header);
  expect(whyLibraryIsCut(file)).toBeUndefined();
  writeFileSync(file, header.subarray(0, 291));
  expect(whyLibraryIsCut(file)).toBe(`${file} is cut: it has 291 bytes of at least 292`);
  writeFileSync(file, 'something else');
  expect(whyLibraryIsCut(file)).toBeUndefined();
  rmSync(dirname(file), { recursive: true });
  expect(whyLibraryIsCut(file)).toBeUndefined();
});

test('wasm refuses a tensor beyond its memory, and stays usable', async () => {
  const backend = await openBackend('wasm');
  for (const numbers of [1_073_725_000, 1_200_000_000]) {
    const thrown = await (async () => backend.run(() => fill([numbers], 1)))().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(RunError.is(thrown), String(thrown)).toBe(true);
    expect(String(thrown)).toMatch(/memory of 4 GiB/);
  }
  expect([...(await backend.read(backend.run(() => fill([3], 2))))]).toEqual([2, 2, 2]);
});

test('auto refuses software drivers and GPU backends without a GPU, and accepts the others', () => {
  const started = { kind: 'started', summary: 'a device', notes: [] } as const;
  const tensorflow = { name: 'tensorflow', needsGpu: true } as const;
  const webgpu = { name: 'webgpu', needsGpu: true } as const;
  const wasm = { name: 'wasm', needsGpu: false } as const;
  const onProcessor = { ...started, hardware: 'processor' } as const;
  expect(objectionTo(webgpu, { ...started, hardware: 'software-gpu' })).toMatch(/would run on a device/);
  expect(objectionTo(tensorflow, onProcessor)).toMatch(
    /there is no NVIDIA GPU.*language models take tensorflow/,
  );
  expect(objectionTo({ ...tensorflow, needsGpu: false }, onProcessor)).toBeUndefined();
  expect(objectionTo(webgpu, onProcessor)).toBe('it found no GPU');
  expect(objectionTo(webgpu, { ...started, hardware: 'gpu' })).toBeUndefined();
  expect(objectionTo(wasm, onProcessor)).toBeUndefined();
  expect(objectionTo(wasm, { kind: 'unavailable', reason: 'no memory', fix: '' })).toBe('no memory');
});

test('auto tries every GPU before tensorflow on the processor, which only a preference for speed admits', () => {
  const namesFor = (prefer: BackendPreference): readonly string[] =>
    candidatesFor(prefer).map(({ name, needsGpu }) => (needsGpu ? `${name} on a GPU` : name));
  expect(namesFor('equal-bytes')).toEqual(['tensorflow on a GPU', 'webgpu on a GPU', 'wasm', 'cpu']);
  expect(namesFor('speed')).toEqual(['tensorflow on a GPU', 'webgpu on a GPU', 'tensorflow', 'wasm', 'cpu']);
});

test('a backend that computes wrong results is detected', async () => {
  const cpu = await openBackend('cpu');
  const said = async (wrong: Partial<TensorBackend>): Promise<string | undefined> =>
    whyItCannotCompute({ ...cpu, ...wrong });
  expect(await said({})).toBeUndefined();
  expect(await said({ read: async (tensor) => (await cpu.read(tensor)).map((value) => value + 1) })).toMatch(
    /works out \[16, 23, 23, 33\] where \[15, 22, 22, 32\]/,
  );
  expect(await said({ read: () => Promise.reject(new Error('device lost')) })).toMatch(
    /cannot compute \(device lost\)/,
  );
});

test('software drivers are recognised by their description', () => {
  const adapter = {
    vendor: 'nvidia',
    architecture: 'hopper',
    device: '',
    description: 'NVIDIA H100',
    isFallbackAdapter: false,
  };
  expect(isSoftwareAdapter(adapter)).toBe(false);
  expect(isSoftwareAdapter({ ...adapter, isFallbackAdapter: true })).toBe(true);
  expect(isSoftwareAdapter({ ...adapter, description: 'SwiftShader driver 5.0.0' })).toBe(true);
  expect(isSoftwareAdapter({ ...adapter, description: 'llvmpipe (LLVM 15.0.6, 256 bits)' })).toBe(true);
});

test('a Vulkan driver is searched for only where the loader looks', () => {
  expect(mayHaveVulkanDriver({}, 'darwin')).toBe(true);
  expect(mayHaveVulkanDriver({ VK_ICD_FILENAMES: '/a.json' }, 'linux')).toBe(true);
});

test('a GPU of NVIDIA is searched for where a variable names one, and on other systems', () => {
  expect(mayHaveNvidiaGpu({}, 'win32')).toBe(true);
  expect(mayHaveNvidiaGpu({ CUDA_VISIBLE_DEVICES: '0' }, 'linux')).toBe(true);
});

test('importing the engine starts nothing and leaves the global scope unchanged', () => {
  const script = `
    const before = new Set(Object.keys(globalThis));
    await import(${JSON.stringify(new URL('../../dist/models/backend/open-backend.js', import.meta.url).href)});
    const { engine } = await import('@tensorflow/tfjs-core');
    console.log(JSON.stringify({ backends: engine().backendNames(), gpu: 'GPUBufferUsage' in globalThis, navigator: 'gpu' in (globalThis.navigator ?? {}) }));
  `;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(JSON.parse(said)).toEqual({ backends: [], gpu: false, navigator: false });
});
