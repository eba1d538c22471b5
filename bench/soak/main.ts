// Endurance: minutes of episodes and of runs that are killed and resumed. Memory, file descriptors and processes must not grow,
// and every resumed run must give the numbers of one that nobody disturbed. `npm run soak`, or `npm run soak -- 30` for 30 minutes.
// `npm run soak -- sandboxes` opens 10,000 sandboxes instead, of every kind that works here; a second word is their number, and further
// ones are the kinds, such as `docker` or 'wasm in bubblewrap'.
import { createRng } from '../../envs/core/rng.ts';
import { playRound } from './episodes.ts';
import { killedAndResumed, undisturbed } from './killed-run.ts';
import { readResources, type Resources } from './resources.ts';
import { soakSandboxes } from './sandboxes.ts';

/** Rounds whose memory is not compared: caches fill, code is compiled. */
const warmUpRounds = 3;
/** Growth of the heap, from the median of the first rounds to that of the last, that is noise. */
const heapNoiseMiB = 24;
const longestKillMs = 4_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

if (process.argv[2] === 'sandboxes') {
  const left = await soakSandboxes(
    { sessions: Number(process.argv[3] ?? 10_000), titles: process.argv.slice(4) },
    say,
  );
  for (const failure of left) say(`FAILED ${failure}`);
  process.exit(left.length === 0 ? 0 : 1);
}

const minutes = Number(process.argv[2] ?? 5);
if (!(minutes > 0)) {
  process.stderr.write('soak: the first word is the number of minutes, such as 30.\n');
  process.exit(2);
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stop.abort(new Error(`stopped by ${signal}`)));

const rng = createRng(Date.now() % 1_000_000);
const end = performance.now() + minutes * 60_000;
const expected = await undisturbed();
const samples: Resources[] = [];
const failures: string[] = [];

for (let round = 1; performance.now() < end && !stop.signal.aborted; round += 1) {
  const steps = await playRound(round, stop.signal);
  const delays = Array.from({ length: 1 + rng.int(4) }, () => rng.int(longestKillMs));
  const same = (await killedAndResumed(delays)) === expected;
  if (!same)
    failures.push(`round ${round}: killed after ${delays.join(', ')} ms, the resumed run has other numbers`);
  const resources = readResources();
  samples.push(resources);
  const { residentMiB, heapMiB, fileDescriptors, childProcesses } = resources;
  say(
    `round ${round}: ${steps} steps; killed ${delays.length} times, numbers ${same ? 'equal' : 'DIFFERENT'}; ` +
      `resident ${residentMiB} MiB, heap ${heapMiB} MiB, ${fileDescriptors} file descriptors, ${childProcesses} child processes`,
  );
}

failures.push(...growth(samples.slice(warmUpRounds)));
for (const failure of failures) say(`FAILED ${failure}`);
say(
  failures.length === 0
    ? `${samples.length} rounds, nothing grew, every resumed run gave equal numbers`
    : `${failures.length} failures in ${samples.length} rounds`,
);
process.exit(failures.length === 0 ? 0 : 1);

/** What grew from the first third of the rounds to the last. */
function growth(rounds: readonly Resources[]): readonly string[] {
  const third = Math.floor(rounds.length / 3);
  if (third < 1) return [];
  const median = (of: (resources: Resources) => number, part: readonly Resources[]): number =>
    part.map(of).toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0;
  const grown = (of: (resources: Resources) => number): number =>
    median(of, rounds.slice(-third)) - median(of, rounds.slice(0, third));
  const found: string[] = [];
  if (grown((resources) => resources.heapMiB) > heapNoiseMiB)
    found.push(`the heap grew by ${grown((resources) => resources.heapMiB)} MiB`);
  if (grown((resources) => resources.fileDescriptors) > 0) found.push('file descriptors grew');
  if (grown((resources) => resources.childProcesses) > 0) found.push('child processes grew');
  return found;
}
