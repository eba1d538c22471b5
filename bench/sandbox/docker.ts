import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { createDockerProvider } from '../../sandbox/index.ts';
import type { Limits } from '../../sandbox/index.ts';
import { describeMachine, machineLoad } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { sleep } from '../../envs/core/waiting.ts';

// What sandboxes in containers cost beside the bare `docker` command, measured in turns so that both meet the same load.

const rounds = 40;
const sessions = 300;
const atOnce = 4;
/** Long enough for the pool to be full again. */
const refillMs = 1_500;

const limits: Limits = {
  wallMs: 60_000,
  cpuMs: 60_000,
  memoryBytes: 256 * 2 ** 20,
  pids: 64,
  diskBytes: 32 * 2 ** 20,
  outputBytes: 2 ** 16,
};
const { signal } = new AbortController();
const host = process.env['DOCKER_HOST'] ?? 'unix:///run/cairn-docker/docker.sock';
const run = promisify(execFile);
const docker = async (words: readonly string[]): Promise<string> =>
  (await run('docker', ['--host', host, ...words])).stdout.trim();

const openProvider = (warm: number) => createDockerProvider({ host, warm, now: () => performance.now() });

async function clock(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const round = (ms: number): number => Math.round(ms * 10) / 10;

function quantiles(times: readonly number[]): Readonly<Record<'median' | 'p90', number>> {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => round(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN);
  return { median: at(0.5), p90: at(0.9) };
}

/** One command in our sandbox and by `docker exec` in a plain container, in turns. */
async function measureExec(command: readonly [string, ...string[]]) {
  await using provider = openProvider(0);
  await using sandbox = await provider.open({ limits, needs: {}, signal });
  const bare = await docker([
    'run',
    '--detach',
    '--rm',
    '--init',
    '--network',
    'none',
    'cairn-sandbox',
    'sleep',
    '3600',
  ]);
  const ours: number[] = [];
  const theirs: number[] = [];
  try {
    for (let index = 0; index < rounds; index += 1) {
      theirs.push(await clock(() => docker(['exec', bare, ...command])));
      ours.push(await clock(() => sandbox.exec(command, { signal })));
    }
  } finally {
    await docker(['rm', '--force', bare]);
  }
  const [sandboxed, plain] = [quantiles(ours), quantiles(theirs)];
  return {
    sandbox: sandboxed,
    dockerExec: plain,
    ratio: Math.round((100 * sandboxed.median) / plain.median) / 100,
  };
}

async function measureSessions() {
  await using provider = openProvider(2);
  const cold = await clock(async () => {
    await using sandbox = await provider.open({ limits, needs: {}, signal });
    return sandbox;
  });
  const warm: number[] = [];
  const files: number[] = [];
  const talks: number[] = [];
  const says: number[] = [];
  for (let index = 0; index < rounds / 4; index += 1) {
    await sleep(refillMs);
    let sandbox = undefined as Awaited<ReturnType<typeof provider.open>> | undefined;
    warm.push(await clock(async () => (sandbox = await provider.open({ limits, needs: {}, signal }))));
    if (sandbox === undefined) continue;
    const opened = sandbox;
    files.push(await clock(() => opened.write('file', 'x', { signal })));
    let talk = undefined as Awaited<ReturnType<typeof opened.converse>> | undefined;
    talks.push(await clock(async () => (talk = await opened.converse('python', { signal }))));
    await talk?.say('x = 1', { signal });
    says.push(await clock(async () => talk?.say('x += 1', { signal })));
    await opened[Symbol.asyncDispose]();
  }
  return {
    firstOpenedMs: round(cold),
    fromWarmPool: quantiles(warm),
    write: quantiles(files),
    converse: quantiles(talks),
    say: quantiles(says),
  };
}

/** Sessions one after the other, some at once: what a long run does. What is left afterwards is counted. */
async function measureMany() {
  const before = await residue();
  const provider = openProvider(atOnce);
  let left = sessions;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await using sandbox = await provider.open({ limits, needs: {}, signal });
      await sandbox.exec(['sh', '-c', 'echo x >file; (setsid sleep 600 &)'], { signal });
    }
  };
  const ms = await clock(() => Promise.all(Array.from({ length: atOnce }, worker)));
  await provider[Symbol.asyncDispose]();
  return { sessions, atOnce, sessionMs: round(ms / sessions), before, after: await residue() };
}

async function residue(): Promise<Readonly<Record<string, number>>> {
  globalThis.gc?.();
  const count = (text: string): number => text.split('\n').filter((line) => line !== '').length;
  const label = 'label=cairn-gym.owner';
  const [containers, volumes] = [
    await docker(['ps', '--all', '--quiet', '--filter', label]),
    await docker(['volume', 'ls', '--quiet', '--filter', label]),
  ];
  const processes = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isOfContainer(pid)).length;
  return {
    containers: count(containers),
    volumes: count(volumes),
    processes,
    heapMiB: Math.round(process.memoryUsage().heapUsed / 2 ** 20),
  };
}

/** Whether it is the first program of a sandbox's container. */
function isOfContainer(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('timeout\0-s\0KILL\0');
  } catch {
    return false; // ended meanwhile
  }
}

const report = {
  ...describeMachine(),
  daemon: await docker(['version', '--format', '{{.Server.Version}}']),
  rounds,
  execTrue: await measureExec(['true']),
  execPython: await measureExec(['python3', '-c', 'print(1)']),
  ...(await measureSessions()),
  many: await measureMany(),
  loadAfter: machineLoad(),
};
printReport(report);
process.exit(0);
