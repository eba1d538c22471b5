import { execFileSync } from 'node:child_process';
import type { Sandbox, SandboxProvider } from '../../sandbox/index.ts';
import { createWasmProvider } from '../../sandbox/wasm/provider.ts';
import { quantiles } from '../report/latencies.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { sleep } from '../../envs/core/waiting.ts';

const { signal } = new AbortController();
const limits = {
  wallMs: 60_000,
  cpuMs: 60_000,
  memoryBytes: 2 ** 28,
  pids: 8,
  diskBytes: 2 ** 24,
  outputBytes: 2 ** 16,
};
const rounds = 30;
const sayings = 1000;
const crowd = 16;

const milliseconds = (value: number): number => Number(value.toFixed(value < 10 ? 3 : 1));
const now = (): number => performance.now();

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = now();
  await work();
  return now() - start;
}

/** Resident sets of all interpreters on this machine, in MiB: nothing else may run any. */
function residentMiB(): readonly number[] {
  const lines = execFileSync('ps', ['-eo', 'rss=,args='], { encoding: 'utf8' }).split('\n');
  return lines
    .filter((line) => line.trim().split(/\s+/)[1] === process.execPath && line.includes('driver/main.mjs'))
    .map((line) => Math.round(Number.parseInt(line, 10) / 1024));
}

const python = (sandbox: Sandbox): Promise<unknown> =>
  sandbox.exec(['python3', '-c', 'print(1 + 1)'], { signal });
const javascript = (sandbox: Sandbox): Promise<unknown> =>
  sandbox.exec(['node', '-e', 'console.log(1 + 1)'], { signal });

async function measureStarts(provider: SandboxProvider): Promise<Record<string, unknown>> {
  await using sandbox = await provider.open({ limits, needs: {}, signal });
  const firstMs = milliseconds(await timed(() => python(sandbox)));
  const cold = async (run: (sandbox: Sandbox) => Promise<unknown>): Promise<readonly number[]> => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await timed(() => run(sandbox)));
    return times;
  };
  return {
    firstMs,
    pythonColdMs: quantiles(await cold(python), milliseconds),
    javascriptColdMs: quantiles(await cold(javascript), milliseconds),
  };
}

/** A program when an interpreter waits for it: between two there is time enough for the next to begin. */
async function measureWarm(provider: SandboxProvider): Promise<Record<string, unknown>> {
  await using sandbox = await provider.open({ limits, needs: {}, signal });
  await python(sandbox);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await sleep(1500);
    times.push(await timed(() => python(sandbox)));
  }
  return { warmExec: quantiles(times, milliseconds), waitingMiB: residentMiB() };
}

async function measureTalk(provider: SandboxProvider): Promise<Record<string, unknown>> {
  await using sandbox = await provider.open({ limits, needs: {}, signal });
  const found: Record<string, unknown> = {};
  for (const language of ['python', 'javascript'] as const) {
    await using conversation = await sandbox.converse(language, { signal });
    const times: number[] = [];
    for (let round = 0; round < sayings; round += 1)
      times.push(await timed(() => conversation.say(`x${round} = ${round}`, { signal })));
    found[language] = quantiles(times.slice(100), milliseconds);
  }
  return { say: found };
}

/** Programs at once, from a pool that holds fewer. */
async function measureCrowd(provider: SandboxProvider): Promise<Record<string, unknown>> {
  await using sandbox = await provider.open({ limits, needs: {}, signal });
  const took = await timed(() => Promise.all(Array.from({ length: crowd }, () => python(sandbox))));
  return { crowd, crowdMs: milliseconds(took), execsPerSecond: Number(((crowd * 1000) / took).toFixed(1)) };
}

async function measure(within: 'nothing' | 'bubblewrap'): Promise<Record<string, unknown>> {
  await using unpooled = createWasmProvider({ now, within, warm: 0 });
  const reason = await unpooled.unavailable(signal);
  if (reason !== undefined) return { within, unavailable: reason };
  const starts = await measureStarts(unpooled);
  await using pooled = createWasmProvider({ now, within, warm: 2 });
  return {
    within,
    ...starts,
    ...(await measureWarm(pooled)),
    ...(await measureTalk(pooled)),
    ...(await measureCrowd(pooled)),
  };
}

const machine = describeMachine();
const rows = [await measure('nothing'), await measure('bubblewrap')];
printReport({
  what: 'programs in WebAssembly: cold, from the pool, talked to, and many at once',
  ...machine,
  rows,
});
