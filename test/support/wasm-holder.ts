import { createWasmProvider } from '../../sandbox/wasm/provider.ts';

/** Keeps interpreters that wait, one that runs an endless loop and one that is talked to, and says so once they are there; ends by being killed. */
const { signal } = new AbortController();
const provider = createWasmProvider({ now: () => performance.now(), warm: 2 });
const limits = {
  wallMs: 600_000,
  cpuMs: 600_000,
  memoryBytes: 2 ** 28,
  pids: 8,
  diskBytes: 2 ** 20,
  outputBytes: 2 ** 16,
};
const sandbox = await provider.open({ limits, needs: {}, signal });
const conversation = await sandbox.converse('python', { signal });
await conversation.say('x = 1', { signal });
for (const [program, source] of [
  ['python3', 'print("loop", flush=True)\nwhile True: pass'],
  ['node', 'console.log("loop"); for (;;);'],
] as const) {
  await new Promise<void>((resolve) => {
    const onOutput = (): void => resolve();
    sandbox
      .exec(
        [program, '-c', source].map((word) => (program === 'node' && word === '-c' ? '-e' : word)) as [
          string,
          ...string[],
        ],
        { signal, onOutput },
      )
      .catch(() => undefined);
  });
}
process.stdout.write('loops run\n');
