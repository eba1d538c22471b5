import { platform } from 'node:os';
import { enableProdMode } from '@tensorflow/tfjs-core';
import { UsageError } from '../../envs/core/errors.ts';
import { backendHandle, type BackendName, type TensorBackend } from './backend.ts';
import { whyItCannotCompute } from './prove-it-computes.ts';
import { mayHaveNvidiaGpu } from './nvidia-devices.ts';
import type { BackendStart } from './start.ts';
import { startCpu } from './start-cpu.ts';
import { startTensorflow } from './start-tensorflow.ts';
import { startWasm } from './start-wasm.ts';
import { startWebgpu } from './start-webgpu.ts';
import { mayHaveVulkanDriver } from './vulkan-drivers.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const starters: Readonly<Record<BackendName, (environment: Environment) => Promise<BackendStart>>> = {
  tensorflow: startTensorflow,
  webgpu: startWebgpu,
  wasm: startWasm,
  cpu: startCpu,
};
const starts = new Map<BackendName, Promise<BackendStart>>();

/** Starts a backend once in a process; later calls return the same result. */
function start(name: BackendName, environment: Environment): Promise<BackendStart> {
  let attempt = starts.get(name);
  if (attempt === undefined) {
    enableProdMode(); // otherwise every start prints advice on the console
    attempt = startAndProve(name, environment);
    starts.set(name, attempt);
  }
  return attempt;
}

async function startAndProve(name: BackendName, environment: Environment): Promise<BackendStart> {
  const attempt = await starters[name](environment);
  if (attempt.kind === 'unavailable') return attempt;
  const reason = await whyItCannotCompute(
    backendHandle({ name, why: attempt.summary, notes: attempt.notes }, attempt.loss),
  );
  return reason === undefined
    ? attempt
    : {
        kind: 'unavailable',
        reason,
        fix: 'Update the driver or the package behind it, or use --backend wasm.',
      };
}

/**
 * What `auto` takes on a processor. `equal-bytes`: `wasm`, whose results are the same on every machine. `speed`: TensorFlow's library where
 * it is installed, which computes language models several times as fast.
 */
export type BackendPreference = 'equal-bytes' | 'speed';

export interface OpenBackendOptions {
  /** Environment with the variables that name graphics drivers and folders of libraries, passed in by the program's entry point. */
  readonly environment?: Environment;
  /** Applies to `auto`; default: `equal-bytes`. */
  readonly prefer?: BackendPreference;
}

/**
 * Opens the named tensor backend, or with `auto` the best that starts. `auto` never uses `webgpu` without a GPU or with a software
 * driver, and `tensorflow` on a processor only if speed is preferred. @throws UsageError with the reason and the fix if the named
 * backend cannot start
 */
export async function openBackend(
  name: BackendName | 'auto',
  options: OpenBackendOptions = {},
): Promise<TensorBackend> {
  const environment = options.environment ?? {};
  if (name !== 'auto') return openNamed(name, environment);
  const passedOver = new Map<BackendName, string>();
  let broken = '';
  for (const candidate of candidatesFor(options.prefer ?? 'equal-bytes')) {
    const { name: tried } = candidate;
    const unfit = whyNotEvenStarted(candidate, environment);
    const attempt = unfit === undefined ? await start(tried, environment) : undefined;
    const objection = attempt === undefined ? unfit : objectionTo(candidate, attempt);
    if (attempt?.kind === 'started' && objection === undefined) {
      passedOver.delete(tried);
      const others = [...passedOver].map(([other, reason]) => `${other} was passed over: ${reason}`);
      const why = `the best that starts: ${attempt.summary}${broken}`;
      return backendHandle({ name: tried, why, notes: [...attempt.notes, ...others] }, attempt.loss);
    }
    passedOver.set(tried, objection ?? 'it does not start');
    if (attempt?.kind === 'unavailable' && attempt.isInstalled === true)
      broken = `. ${tried} is installed and does not start: ${attempt.reason}`;
  }
  throw new UsageError({
    where: '--backend auto',
    what: `no tensor backend starts: ${[...passedOver].map(([other, reason]) => `${other}: ${reason}`).join('; ')}.`,
    fix: 'Reinstall the packages with `npm ci`.',
  });
}

interface Candidate {
  readonly name: BackendName;
  /** Whether it is taken on a GPU only. */
  readonly needsGpu: boolean;
}

/** What `auto` tries, in this order: GPUs first, so that a processor is taken only where no GPU works. */
export function candidatesFor(prefer: BackendPreference): readonly Candidate[] {
  return [
    { name: 'tensorflow', needsGpu: true },
    { name: 'webgpu', needsGpu: true },
    ...(prefer === 'speed' ? [{ name: 'tensorflow', needsGpu: false } as const] : []),
    { name: 'wasm', needsGpu: false },
    { name: 'cpu', needsGpu: false },
  ];
}

/** What spares `auto` from loading a library in vain. */
function whyNotEvenStarted({ name, needsGpu }: Candidate, environment: Environment): string | undefined {
  if (name === 'tensorflow' && needsGpu && !mayHaveNvidiaGpu(environment, platform())) return withoutGpu;
  if (name === 'webgpu' && !mayHaveVulkanDriver(environment, platform()))
    return 'no graphics driver is installed';
  return undefined;
}

/** Why `auto` rejects a started backend; undefined if it does not. */
export function objectionTo({ name, needsGpu }: Candidate, attempt: BackendStart): string | undefined {
  if (attempt.kind === 'unavailable') return attempt.reason;
  if (attempt.hardware === 'software-gpu') return `it would run on ${attempt.summary}`;
  if (!needsGpu || attempt.hardware === 'gpu') return undefined;
  return name === 'tensorflow' ? withoutGpu : 'it found no GPU';
}

const withoutGpu =
  'there is no NVIDIA GPU. On a processor `wasm` gives equal bytes on every machine; language models take tensorflow where it is installed';

async function openNamed(name: BackendName, environment: Environment): Promise<TensorBackend> {
  const attempt = await start(name, environment);
  if (attempt.kind === 'started')
    return backendHandle({ name, why: attempt.summary, notes: attempt.notes }, attempt.loss);
  throw new UsageError({
    where: `--backend ${name}`,
    what: `it cannot start: ${attempt.reason}`,
    fix: attempt.fix,
  });
}
