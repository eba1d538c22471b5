// What an exec in bubblewrap takes beyond the bare command, and what opening takes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createBubblewrapProvider } from '../../sandbox/bubblewrap/provider.ts';
import type { CommandLine } from '../../sandbox/index.ts';
import { quantiles } from '../report/latencies.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { never, suiteLimits } from './attacks/subject.ts';

const rounds = 100;
const rounded = (ms: number): number => Math.round(ms * 10) / 10;

const commands: Readonly<Record<string, CommandLine>> = {
  true: ['/usr/bin/true'],
  python: ['/usr/bin/python3', '-c', 'print(1)'],
  node: [process.execPath, '-e', 'console.log(1)'],
};

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** As one would run it without a sandbox: output piped, waited for to the end. */
async function bare([program, ...words]: CommandLine): Promise<void> {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.resume();
  await once(child, 'close');
}

const machine = describeMachine();
await using provider = createBubblewrapProvider({ now: () => performance.now() });
const reason = await provider.unavailable(never);
if (reason !== undefined) throw new Error(reason);
const open = () => provider.open({ limits: suiteLimits, needs: {}, signal: never });
const results: Record<string, unknown> = {};
{
  await using sandbox = await open();
  for (const [name, command] of Object.entries(commands)) {
    const times = { bare: [] as number[], sandboxed: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      times.bare.push(await timed(() => bare(command))); // in turns, so that both meet the same other work
      times.sandboxed.push(await timed(() => sandbox.exec(command, { signal: never })));
    }
    const [without, within] = [quantiles(times.bare, rounded), quantiles(times.sandboxed, rounded)];
    const aimMs = rounded(1.5 * without.p50Ms + 15);
    results[name] = { bare: without, sandboxed: within, aimMs, isMet: within.p50Ms <= aimMs };
  }
}
const openings: number[] = [];
const conversations: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  openings.push(
    await timed(async () => {
      const sandbox = await open();
      return sandbox[Symbol.asyncDispose]();
    }),
  );
}
{
  await using sandbox = await open();
  await using conversation = await sandbox.converse('python', { signal: never });
  for (let round = 0; round < rounds; round += 1)
    conversations.push(await timed(() => conversation.say('x = 1', { signal: never })));
}
printReport({
  what: 'exec in bubblewrap against the bare command, in turns; opening and disposing of a sandbox; a call of a Python conversation',
  ...machine,
  rounds,
  results,
  open: quantiles(openings, rounded),
  say: quantiles(conversations, rounded),
});
