import { abortable } from '../../envs/core/waiting.ts';
import { impossible } from '../faults.ts';
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
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** How many interpreters of a language wait for programs, begun and unused, once one was asked for: about 220 MB each of Python, 60 MB of JavaScript. Default 1. */
  readonly warm?: number;
  /** What stands around the interpreters' processes: nothing, or namespaces of bubblewrap. Default `nothing`. */
  readonly within?: 'nothing' | 'bubblewrap';
}

/** More would take hundreds of gigabytes. */
const mostWarm = 1_000;

/**
 * Python (Pyodide) and JavaScript (QuickJS) in WebAssembly, each program in an interpreter and a process of its own. With nothing around
 * those processes it is no boundary to trust: see its guarantees.
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
  /** What is missing here; nothing is told or opened once the caller or the provider is gone. */
  const unavailable = async (signal: AbortSignal): Promise<string | undefined> => {
    const either = AbortSignal.any([closing.signal, signal]);
    either.throwIfAborted();
    const message = missingPackages() ?? (await abortable(either, launcher.unavailable(either)));
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

/** Within bubblewrap where that works, else within nothing: what came of it stands in the guarantees. */
export async function openWasmProvider(
  options: Omit<WasmProviderOptions, 'within'>,
): Promise<SandboxProvider> {
  const inside = createWasmProvider({ ...options, within: 'bubblewrap' });
  const reason = await inside.unavailable(new AbortController().signal);
  if (reason === undefined) return inside;
  await inside[Symbol.asyncDispose]();
  return createWasmProvider(options);
}
