// A process that has sandboxes, for tests that run it as another user or kill it.
import { spawnSync } from 'node:child_process';
import { openArena } from '../../bench/sandbox/attacks/arena.ts';
import { attackPrograms } from '../../bench/sandbox/attacks/attack-programs.ts';
import { hoard, neighbour } from '../../bench/sandbox/attacks/attacks.ts';
import { createBubblewrapProvider } from '../../sandbox/bubblewrap/provider.ts';
import type { CommandLine, ExecResult, Limits, Sandbox } from '../../sandbox/index.ts';

const limits: Limits = {
  wallMs: 20_000,
  cpuMs: 2_000,
  memoryBytes: 128 * 2 ** 20,
  pids: 16,
  diskBytes: 2 ** 22,
  outputBytes: 1000,
};
const { signal } = new AbortController();

const commands: Readonly<Record<string, CommandLine>> = {
  echo: ['sh', '-c', 'echo well'],
  memory: ['python3', '-c', 'kept = []\nwhile True: kept.append(bytearray(b"x") * 1000000)'],
  loop: ['sh', '-c', 'while :; do :; done'],
  flood: ['sh', '-c', 'while :; do echo more; done'],
  user: [
    'sh',
    '-c',
    'test "$(id -u)" = 65534 && ! test -e /etc/passwd && ! test -e /proc/sys/kernel/../../1/root/etc',
  ],
};

/** Memory of the kernel itself, which nothing counts for an ordinary user. */
const kernelHoarders = attackPrograms.filter(({ name }) => name.startsWith("the kernel's memory"));

function endOf(result: ExecResult): string {
  if (result.stdout.text.includes('BREACH')) return result.stdout.text.trim();
  if (result.kind === 'exited') return `exited ${result.code}`;
  return result.kind === 'killed' ? `killed ${result.by}` : `crashed ${result.signal}`;
}

async function report(): Promise<unknown> {
  await using provider = createBubblewrapProvider({ now: () => performance.now() });
  const unavailable = await provider.unavailable(signal);
  if (unavailable !== undefined) return { unavailable };
  await using sandbox = await provider.open({ limits, needs: {}, signal });
  const ends: Record<string, string> = {};
  for (const [name, command] of Object.entries(commands))
    ends[name] = endOf(await sandbox.exec(command, { signal }));
  await using arena = await openArena();
  for (const { name, sources } of kernelHoarders)
    ends[name] = endOf(await sandbox.exec(['python3', '-c', sources(arena, '').python ?? ''], { signal }));
  return { guarantees: provider.guarantees, ends, neighbours: await neighboursOf(sandbox) };
}

/** What another program of the same user gets while one in a sandbox takes all that it can. */
async function neighboursOf(sandbox: Sandbox): Promise<string> {
  const controller = new AbortController();
  const { ended } = await hoard(sandbox, controller.signal);
  const { stdout, stderr } = spawnSync('python3', ['-c', neighbour], { encoding: 'utf8' });
  controller.abort(new Error('enough'));
  await ended;
  return stdout + stderr;
}

/** Runs a program with children that got away from it, until somebody ends this process. */
async function linger(mark: string): Promise<void> {
  const provider = createBubblewrapProvider({ now: () => performance.now() });
  const sandbox: Sandbox = await provider.open({ limits, needs: {}, signal });
  const code = `for n in 1 2; do (setsid sh -c 'trap "" HUP TERM; echo up; while :; do sleep 1; done' ${mark} &); done; sleep 600`;
  let heard = 0;
  const onOutput = (): void => {
    heard += 1;
    if (heard === 1) setTimeout(() => process.stdout.write('ready\n'), 300);
  };
  await sandbox.exec(['sh', '-c', code, mark], { signal, onOutput });
}

const [, , what, mark = ''] = process.argv;
if (what === 'linger') await linger(mark);
else process.stdout.write(`${JSON.stringify(await report())}\n`);
