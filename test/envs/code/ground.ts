import { createBubblewrapProvider } from '../../../sandbox/bubblewrap/provider.ts';
import type { Ground } from '../../../envs/code/open-provider.ts';
import { Judge } from '../../../envs/code/judge/judge.ts';
import { Runner } from '../../../envs/code/judge/runner.ts';

/** A real sandbox for the programs of tests. The caller closes its provider. */
export function openGround(): Ground {
  return {
    provider: createBubblewrapProvider({ now: () => performance.now() }),
    needs: { boundary: 'namespaces', files: 'private-root' },
  };
}

export const runnerOn = (ground: Ground, testMs = 2_000): Runner =>
  new Runner(ground, { testMs, memoryBytes: 512 * 1024 * 1024, outputBytes: 20_000 });
export const judgeOn = (ground: Ground, testMs?: number, scriptSeconds?: number): Judge =>
  new Judge(runnerOn(ground, testMs), { scriptSeconds });
export const signal = new AbortController().signal;
