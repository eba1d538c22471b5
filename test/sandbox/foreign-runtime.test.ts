import { describe, expect, it } from 'vitest';
import { assertNode, describeForeignRuntime } from '../../sandbox/foreign-runtime.ts';
import { createBubblewrapProvider } from '../../sandbox/bubblewrap/provider.ts';
import { createWasmProvider } from '../../sandbox/wasm/provider.ts';

const signal = new AbortController().signal;
const now = (): number => performance.now();

/** Runs the work as if the process were of another runtime. */
async function within<Result>(version: Record<string, string>, work: () => Promise<Result>): Promise<Result> {
  const own = Object.getOwnPropertyDescriptor(process, 'versions');
  if (own === undefined) throw new Error('a process has versions');
  Object.defineProperty(process, 'versions', { ...own, value: { ...process.versions, ...version } });
  try {
    return await work();
  } finally {
    Object.defineProperty(process, 'versions', own);
  }
}

const limits = {
  wallMs: 1_000,
  cpuMs: 1_000,
  memoryBytes: 2 ** 28,
  pids: 16,
  diskBytes: 2 ** 20,
  outputBytes: 1_000,
};

describe.each([
  ['Bun', { bun: '1.4.5' }, 'Bun 1.4.5'],
  ['Deno', { deno: '2.9.6' }, 'Deno 2.9.6'],
] as const)('sandboxes in %s', (_name, version, called) => {
  it.each([
    ['bubblewrap', () => createBubblewrapProvider({ now })],
    ['wasm', () => createWasmProvider({ now })],
  ])('make %s refuse at once and say what runs them', async (_provider, make) => {
    await using provider = make();
    await within(version, async () => {
      expect(await provider.unavailable(signal)).toBe(
        `it needs Node, and this is ${called}: run the same command with Node, or use docker`,
      );
      await expect(provider.open({ limits, needs: {}, signal })).rejects.toThrow(
        `sandbox "${provider.name}": it needs Node, and this is ${called}. Run the same program with Node, or use docker, which works here too.`,
      );
    });
  });
});

it('Node is taken for no other runtime', () => {
  expect(describeForeignRuntime()).toBeUndefined();
  expect(() => assertNode('bubblewrap')).not.toThrow();
});
