import { platform } from 'node:os';
import { enableProdMode } from '@tensorflow/tfjs-core';
import { UsageError } from '../../envs/core/errors.ts';
import { backendHandle, backendNames, type BackendName, type TensorBackend } from './backend.ts';
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

export interface OpenBackendOptions {
  /** Environment with the variables that name graphics drivers and folders of libraries, passed in by the program's entry point. */
  readonly environment?: Environment;
}

/**
 * Opens the named tensor backend, or with `auto` the best that starts. `auto` never uses a GPU backend
 * without a GPU, nor a software graphics driver; both can be named explicitly: `tensorflow` on a processor trains
 * language models faster than `wasm`, but its results depend on the machine. @throws UsageError with the
 * reason and the fix if the named backend cannot start
 */
export async function openBackend(
  name: BackendName | 'auto',
  options: OpenBackendOptions = {},
): Promise<TensorBackend> {
  const environment = options.environment ?? {};
  if (name !== 'auto') return openNamed(name, environment);
  const passedOver: string[] = [];
  for (const candidate of backendNames) {
    if (candidate === 'tensorflow' && !mayHaveNvidiaGpu(environment, platform())) {
      passedOver.push(`tensorflow was passed over: ${withoutGpu}`);
      continue;
    }
    if (candidate === 'webgpu' && !mayHaveVulkanDriver(environment, platform())) {
      passedOver.push('webgpu was passed over: no graphics driver is installed');
      continue;
    }
    const attempt = await start(candidate, environment);
    const objection = objectionTo(candidate, attempt);
    if (objection !== undefined) passedOver.push(`${candidate} was passed over: ${objection}`);
    else if (attempt.kind === 'started') {
      return backendHandle(
        {
          name: candidate,
          why: `the best that starts: ${attempt.summary}`,
          notes: [...attempt.notes, ...passedOver],
        },
        attempt.loss,
      );
    }
  }
  throw new UsageError({
    where: '--backend auto',
    what: `no tensor backend starts: ${passedOver.join('; ')}.`,
    fix: 'Reinstall the packages with `npm ci`.',
  });
}

/** Why `auto` rejects a started backend; undefined if it does not. */
export function objectionTo(name: BackendName, attempt: BackendStart): string | undefined {
  if (attempt.kind === 'unavailable') return attempt.reason;
  if (attempt.hardware === 'software-gpu') return `it would run on ${attempt.summary}`;
  const isGpuBackend = name === 'tensorflow' || name === 'webgpu';
  if (!isGpuBackend || attempt.hardware !== 'processor') return undefined;
  return name === 'tensorflow' ? withoutGpu : 'it found no GPU';
}

/** On a processor `wasm` comes first: its results are the same on every machine. */
const withoutGpu =
  'there is no NVIDIA GPU. On a processor `wasm` gives equal bytes on every machine, and --backend tensorflow trains language models faster, where it is installed';

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
