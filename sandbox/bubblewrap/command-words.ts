import { readdirSync, readFileSync } from 'node:fs';
import { assertCommand, environmentOf, folderInside, workFolder } from '../program-words.ts';
import type { CommandLine, Limits } from '../sandbox.ts';
import { bareWords, deviceWords } from './bare-words.ts';
import { boxFolder } from './box.ts';
import { processesBeside } from './control-groups.ts';

/** The descriptors that bwrap is given, behind the three streams. */
export const descriptors = { filter: 3, status: 4 } as const;

/** What a program is begun with. */
export interface ProgramStart {
  readonly command: CommandLine;
  readonly env: Readonly<Record<string, string>>;
  /** Within the work folder; empty for itself. */
  readonly folder: string;
  readonly limits: Limits;
  /** Whether the limit on processor time holds for the whole life of the program: not for an interpreter that is talked to. */
  readonly limitsCpu: boolean;
}

/** A program of this machine that is to be seen inside, read-only, and where. */
export interface BoundProgram {
  readonly outside: string;
  readonly inside: string;
}

/** What is around all programs of a provider. */
interface Around {
  readonly programs: readonly BoundProgram[];
  /** Whether control groups hold memory and processes, and tell when they did. */
  readonly isCounted: boolean;
}

/** Words for `nsenter`: into the keeper's namespaces, there into namespaces of bwrap's making, there under limits. */
export function commandWords(
  entry: readonly string[],
  start: ProgramStart,
  { programs, isCounted }: Around,
): readonly string[] {
  assertCommand(start.command);
  const variables = Object.entries(environmentOf(start.env));
  const temporary = `${boxFolder}/files/tmp`;
  return [
    ...entry,
    '--',
    'bwrap',
    ...bareWords,
    ...variables.flatMap(([name, value]) => ['--setenv', name, value]),
    ...programs.flatMap(({ outside, inside }) => ['--ro-bind', outside, inside]),
    '--proc',
    '/proc',
    ...deviceWords,
    '--bind',
    `${boxFolder}/files/work`,
    workFolder,
    '--bind',
    temporary,
    '/tmp',
    '--bind',
    temporary,
    '/dev/shm',
    '--remount-ro',
    '/dev',
    '--remount-ro',
    '/', // both are in memory, without a bound
    '--chdir',
    folderInside(start.folder),
    '--seccomp',
    String(descriptors.filter),
    '--json-status-fd',
    String(descriptors.status),
    '--',
    '/usr/bin/prlimit',
    ...resourceLimits(start, isCounted),
    '--',
    ...start.command,
  ];
}

const mebi = 2 ** 20;
/** What a process may map above the limit on memory before the kernel refuses: the watch sees the limit first, and stacks are mapped unused. */
const mappedBeside = 128 * mebi;

/** Files that a process may have open: pipes among them hold memory of the kernel, which is counted for each user. */
const openFiles = 256;
/** Timers and signals on their way, of all its processes: counted for each user outside. */
const pendingSignals = 1024;

/** What the kernel itself holds each process to. */
function resourceLimits({ limits, limitsCpu }: ProgramStart, isCounted: boolean): readonly string[] {
  const seconds = Math.ceil(limits.cpuMs / 1000) + 1;
  const each: Readonly<Record<string, number | undefined>> = {
    core: 0,
    cpu: limitsCpu ? seconds : undefined,
    data: isCounted ? undefined : limits.memoryBytes + mappedBeside,
    fsize: limits.diskBytes,
    nofile: openFiles,
    nproc: isCounted ? undefined : limits.pids + processesBeside,
    sigpending: pendingSignals,
  };
  const own = hardLimits();
  return Object.entries(each).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const held = Math.min(value, own[name] ?? value);
    return [`--${name}=${held}:${held}`];
  });
}

const titles: Readonly<Record<string, string>> = {
  core: 'Max core file size',
  cpu: 'Max cpu time',
  data: 'Max data size',
  fsize: 'Max file size',
  nofile: 'Max open files',
  nproc: 'Max processes',
  sigpending: 'Max pending signals',
};

/** What this process itself is held to: nothing below it can be given more. */
function hardLimits(): Readonly<Record<string, number>> {
  const lines = readFileSync('/proc/self/limits', 'utf8').split('\n');
  const found = Object.entries(titles).map(([name, title]) => {
    const words =
      lines
        .find((line) => line.startsWith(`${title} `))
        ?.slice(title.length)
        .trim()
        .split(/\s+/) ?? [];
    return [name, words[1] === 'unlimited' ? Infinity : Number(words[1] ?? Infinity)] as const;
  });
  return Object.fromEntries(found);
}

const closeOnExec = 0o2000000;

/** Descriptors of this process that children would inherit although nobody gave them: something before us left them open. */
export function strayDescriptors(): readonly number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && isInherited(descriptor));
}

function isInherited(descriptor: number): boolean {
  try {
    const [, flags = '0'] =
      /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    return false; // the one that listed them
  }
}
