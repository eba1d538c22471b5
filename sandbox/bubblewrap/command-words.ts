import { readdirSync, readFileSync } from 'node:fs';
import { assertCommand, environmentOf, folderInside, workFolder } from '../program-words.ts';
import type { CommandLine, Limits } from '../sandbox.ts';
import { bareWords, deviceWords } from './bare-words.ts';
import { boxFolder } from './box.ts';
import { processesBeside } from './control-groups.ts';

/** The descriptors that bwrap gets after the three standard streams. */
export const descriptors = { filter: 3, status: 4 } as const;

/** The parts of a program's start. */
export interface ProgramStart {
  readonly command: CommandLine;
  readonly env: Readonly<Record<string, string>>;
  /** Within the work folder; empty for the work folder itself. */
  readonly folder: string;
  readonly limits: Limits;
  /**
   * Whether the limit on processor time holds for the whole life of the program. False for an interpreter
   * that is used in a conversation.
   */
  readonly limitsCpu: boolean;
}

/** A program of this machine that is visible inside, read-only, and its path there. */
export interface BoundProgram {
  readonly outside: string;
  readonly inside: string;
}

/** The surroundings of all programs of a provider. */
interface Around {
  readonly programs: readonly BoundProgram[];
  /** Whether control groups enforce and report memory and processes. */
  readonly isCounted: boolean;
}

/**
 * The command line, which starts with `nsenter`: enter the keeper's namespaces, there enter namespaces that
 * bwrap makes, there set limits.
 */
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
    '/', // both are in memory and have no size limit
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
/**
 * Bytes that a process may map above the limit on memory before the kernel refuses. The watch sees the limit
 * first, and stacks are mapped without being used.
 */
const mappedBeside = 128 * mebi;

/**
 * The limit on open files of a process. Pipes among them take memory of the kernel, which counts it per user.
 */
const openFiles = 256;
/** The limit on timers and pending signals of all its processes. The kernel counts them per user outside. */
const pendingSignals = 1024;

/** The limits that the kernel enforces for each process. */
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

/** The hard limits of this process. Nothing below it can have more. */
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

/**
 * Descriptors of this process that children would inherit by accident, because earlier code left them open.
 */
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
    return false; // the descriptor of this listing
  }
}
