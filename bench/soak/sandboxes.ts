import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Sandbox, SandboxProvider } from '../../sandbox/index.ts';
import { subjects } from '../sandbox/attacks/subjects.ts';
import { never, suiteLimits } from '../sandbox/attacks/subject.ts';
import { describeMachine } from '../report/machine.ts';
import { readResources, type Resources } from './resources.ts';

const atOnce = 8;
/** Sessions before the first sample: what is loaded once is loaded. */
const warmUp = 50;
/** Growth from the first sample to the last that is noise. */
const noise = { heapMiB: 16, residentMiB: 64 } as const;

/** What sessions may leave on the machine: counts of ours alone. */
interface Leftovers extends Resources {
  readonly mounts: number;
  readonly controlGroups: number;
}

function leftovers(): Leftovers {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n').filter((line) => line.includes(' /tmp')).length;
  return { ...readResources(), mounts, controlGroups: ['.', 'memory', 'pids', 'cpuacct'].map(groupsIn).reduce((sum, each) => sum + each, 0) };
}

function groupsIn(name: string): number {
  const folder = path.join('/sys/fs/cgroup', name);
  return existsSync(folder) ? readdirSync(folder).filter((each) => each.startsWith(`cairn-${process.pid}-`)).length : 0;
}

/** Every session writes, runs and reads; some are killed at a limit, some by their caller, some talk, some leave children behind. */
async function session(provider: SandboxProvider, number: number): Promise<void> {
  const sandbox = await provider.open({ limits: { ...suiteLimits, pids: 32 }, needs: {}, signal: never });
  try {
    await sandbox.write('in/number', String(number), { signal: never });
    const result = await sandbox.exec(['sh', '-c', 'cat in/number; cat in/number > out; (setsid sleep 600 >/dev/null 2>&1 &)'], { signal: never });
    const kept = await sandbox.read('out', { signal: never, maxBytes: 100 });
    if (result.stdout.text !== String(number) || Buffer.from(kept ?? []).toString() !== String(number)) throw new Error(`session ${number} ended otherwise than it should`);
    if (number % 10 === 0) await unusual(sandbox, number);
  } finally {
    await sandbox[Symbol.asyncDispose]();
  }
}

async function unusual(sandbox: Sandbox, number: number): Promise<void> {
  const endless = ['sh', '-c', 'while :; do :; done'] as const;
  if (number % 30 === 0) await sandbox.exec(endless, { signal: never, limits: { wallMs: 50 } });
  else if (number % 30 === 10) await sandbox.exec(endless, { signal: AbortSignal.timeout(50) }).catch(() => undefined);
  else {
    const conversation = await sandbox.converse('shell', { signal: never });
    await conversation.say('x=1', { signal: never });
  }
}

/** Runs so many sessions on every provider that works here; what was left behind, in words. Nothing is good. */
export async function soakSandboxes(sessions: number, say: (line: string) => void): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const subject of subjects) {
    await using provider = await subject.provider();
    const reason = await provider.unavailable(never);
    if (reason === undefined) failures.push(...(await soak({ title: subject.title, provider }, sessions, say)));
    else say(`${subject.title} is left out: ${reason}`);
  }
  return failures;
}

async function soak({ title, provider }: { readonly title: string; readonly provider: SandboxProvider }, sessions: number, say: (line: string) => void): Promise<readonly string[]> {
  const machine = describeMachine();
  for (let number = 1; number <= warmUp; number += 1) await session(provider, number);
  const before = await settled();
  const start = performance.now();
  let next = 0;
  const runner = async (): Promise<void> => {
    while (next < sessions) {
      next += 1;
      const number = next;
      await session(provider, number);
      if (number % 1000 === 0) say(`${title}: ${number} sessions`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runner));
  const seconds = Math.round((performance.now() - start) / 1000);
  const after = await settled();
  say(JSON.stringify({ what: `${title}: ${next} sessions, ${atOnce} at once`, ...machine, seconds, before, after }, undefined, 2));
  return grown(title, before, after);
}

/** After a while in which the system takes away what it takes away late. */
async function settled(): Promise<Leftovers> {
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  return leftovers();
}

function grown(title: string, before: Leftovers, after: Leftovers): readonly string[] {
  const allowed = { childProcesses: 0, fileDescriptors: 0, mounts: 0, controlGroups: 0, ...noise } as const;
  const names = Object.keys(allowed) as (keyof typeof allowed)[];
  return names.filter((name) => after[name] - before[name] > allowed[name]).map((name) => `${title}: ${name} grew from ${before[name]} to ${after[name]}`);
}
