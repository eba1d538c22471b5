import { FaultError, UsageError } from '../../envs/core/errors.ts';
import { assertMeets } from '../guarantees.ts';
import type { OpenOptions, Sandbox, SandboxProvider } from '../sandbox.ts';
import { plainLauncher, type Launcher } from './launch.ts';
import { missingPackages } from './packages.ts';
import { ProcessPool } from './process-pool.ts';
import { WasmSandbox } from './wasm-sandbox.ts';
import { contentOf } from './wasm-snapshot.ts';
import { WorkFiles } from './work-files.ts';

export interface WasmProviderOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** How many interpreters of a language wait for programs, begun and unused, once one was asked for: about 160 MB each. Default 1. */
  readonly warm?: number;
  /** What stands around the interpreters' processes; left out, nothing does. */
  readonly launcher?: Launcher;
}

/**
 * Python (Pyodide) and JavaScript (QuickJS) in WebAssembly, each program in an interpreter and a process of its own. With nothing around
 * those processes it is no boundary to trust: see its guarantees.
 */
export function createWasmProvider({ now, warm = 1, launcher = plainLauncher }: WasmProviderOptions): SandboxProvider {
  const name = 'wasm';
  const { guarantees } = launcher;
  const pools = { python: new ProcessPool('python', launcher, warm), javascript: new ProcessPool('javascript', launcher, warm) };
  const opened = new Set<Sandbox>();
  let isClosed = false;
  return {
    name,
    guarantees,
    unavailable: () => Promise.resolve(missingPackages()),
    open: async ({ limits, needs, signal, from }: OpenOptions): Promise<Sandbox> => {
      if (isClosed) throw new UsageError({ where: 'sandbox provider "wasm"', what: 'it was used after it had been disposed.', mend: 'Make a new one.' });
      signal.throwIfAborted();
      assertMeets({ name, guarantees }, needs);
      const message = missingPackages();
      if (message !== undefined) throw new FaultError({ kind: 'sandbox-failed', stage: 'open', message, retryable: false });
      const files = new WorkFiles(limits.diskBytes, from === undefined ? undefined : contentOf(from));
      const sandbox: WasmSandbox = new WasmSandbox({ guarantees, limits, files, pools, now, onClose: () => opened.delete(sandbox) });
      opened.add(sandbox);
      return sandbox;
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      isClosed = true;
      await Promise.all([...opened].map((sandbox) => sandbox[Symbol.asyncDispose]()));
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
    },
  };
}
