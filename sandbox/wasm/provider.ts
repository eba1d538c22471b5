import { abortable } from '../../envs/core/waiting.ts';
import { impossible } from '../faults.ts';
import { assertNode, describeForeignRuntime } from '../foreign-runtime.ts';
import { assertMeets } from '../guarantees.ts';
import { assertLimits } from '../limits.ts';
import { afterDisposalOf, assertClock, assertWhole } from '../misuse.ts';
import type { OpenOptions, Sandbox, SandboxProvider } from '../sandbox.ts';
import { createBubblewrapLauncher } from './bubblewrap-launcher.ts';
import { plainLauncher } from './launch.ts';
import { missingPackages } from './packages.ts';
import { ProcessPool } from './process-pool.ts';
import { WasmSandbox } from './wasm-sandbox.ts';
import { contentOf } from './wasm-snapshot.ts';
import { WorkFiles } from './work-files.ts';

export interface WasmProviderOptions {
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /**
   * How many started, unused interpreters of a language wait for programs once one was requested. Python
   * takes about 220 MB each, JavaScript 60 MB. Default: 1.
   */
  readonly warm?: number;
  /** What surrounds the interpreters' processes: nothing, or namespaces of bubblewrap. Default: `nothing`. */
  readonly within?: 'nothing' | 'bubblewrap';
}

/** More would take hundreds of gigabytes. */
const mostWarm = 1_000;

/**
 * Creates a provider that runs Python (Pyodide) and JavaScript (QuickJS) in WebAssembly, each program in its
 * own interpreter and process. With nothing around those processes it is no boundary to trust. Its guarantees
 * say so.
 */
export function createWasmProvider({
  now,
  warm = 1,
  within = 'nothing',
}: WasmProviderOptions): SandboxProvider {
  const launcher = within === 'bubblewrap' ? createBubblewrapLauncher() : plainLauncher;
  const { name, guarantees } = launcher;
  assertClock(name, now);
  assertWhole(name, { name: 'warm', value: warm, bounds: [0, mostWarm] });
  const pools = {
    python: new ProcessPool('python', launcher, warm),
    javascript: new ProcessPool('javascript', launcher, warm),
  };
  const opened = new Set<Sandbox>();
  const closing = new AbortController();
  /** What is missing here. Rejects once the caller has aborted or the provider is closed. */
  const unavailable = async (signal: AbortSignal): Promise<string | undefined> => {
    const either = AbortSignal.any([closing.signal, signal]);
    either.throwIfAborted();
    const message =
      describeForeignRuntime() ??
      missingPackages() ??
      (await abortable(either, launcher.unavailable(either)));
    either.throwIfAborted();
    return message;
  };
  return {
    name,
    guarantees,
    unavailable,
    open: async ({ limits, needs, signal, from }: OpenOptions): Promise<Sandbox> => {
      closing.signal.throwIfAborted();
      signal.throwIfAborted();
      assertNode(name);
      assertMeets({ name, guarantees }, needs);
      assertLimits(limits);
      const content = from === undefined ? undefined : contentOf(from, name);
      const message = await unavailable(signal);
      if (message !== undefined) throw impossible('open', message);
      const files = new WorkFiles(limits.diskBytes, content);
      const sandbox: WasmSandbox = new WasmSandbox({
        name,
        guarantees,
        limits,
        files,
        pools,
        now,
        onClose: () => opened.delete(sandbox),
      });
      opened.add(sandbox);
      return sandbox;
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      closing.abort(afterDisposalOf(name));
      await Promise.all([...opened].map((sandbox) => sandbox[Symbol.asyncDispose]()));
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
    },
  };
}

/**
 * Opens a provider within bubblewrap where that works, otherwise within nothing. Its guarantees show which.
 */
export async function openWasmProvider(
  options: Omit<WasmProviderOptions, 'within'>,
): Promise<SandboxProvider> {
  const inside = createWasmProvider({ ...options, within: 'bubblewrap' });
  const reason = await inside.unavailable(new AbortController().signal);
  if (reason === undefined) return inside;
  await inside[Symbol.asyncDispose]();
  return createWasmProvider(options);
}
