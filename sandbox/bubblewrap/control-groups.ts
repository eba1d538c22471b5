import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Limits } from '../sandbox.ts';
import type { Usage } from './usage.ts';

/** The kernel's accounting and limits for one program with all its children. */
export interface ControlGroup {
  /** Words before a command that make it, and all that it starts, join the group. */
  readonly words: readonly string[];
  readonly usage: () => Usage;
  /** Removes the group. False while a process is still in it. */
  readonly remove: () => boolean;
}

/** Creates control groups. */
export interface ControlGroups {
  readonly version: 1 | 2;
  readonly make: (limits: Limits) => ControlGroup;
}

const mountPoint = '/sys/fs/cgroup';
/** The prefix of our groups. The id of the process that made the group follows. */
const prefix = 'cairn-';
/**
 * Processes of a call beside those of the program: its supervisor, its first process, and the one that sets
 * limits.
 */
export const processesBeside = 3;

/**
 * The words that join groups. A process that joins by itself joins at once. Moved by another process, it
 * would wait for every processor of the machine.
 */
const joining = (files: readonly string[]): readonly string[] => [
  'sh',
  '-c',
  [...files.map((file) => `echo 0 >${file}`), 'exec "$@"'].join(' && '),
  'sh',
];

let made = 0;

const nextName = (): string => {
  made += 1;
  return `${prefix}${process.pid}-${made}`;
};

const textOf = (folder: string, file: string): string => readFileSync(path.join(folder, file), 'utf8');

/** The number after a word in a file with lines of the form `word number`. */
function field(text: string, word: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${word} `));
  return line === undefined ? 0 : Number(line.slice(word.length + 1));
}

/**
 * The groups that this process may make. Undefined where it may not, or where the system has none for memory
 * and processes.
 */
export function findControlGroups(): ControlGroups | undefined {
  const groups = [second, first].find((candidate) => candidate.folders.every(mayMake));
  if (groups === undefined) return undefined;
  try {
    sweep(groups.folders);
    const trial = groups.make({
      wallMs: 1,
      cpuMs: 1,
      memoryBytes: 2 ** 24,
      pids: 8,
      diskBytes: 1,
      outputBytes: 1,
    });
    trial.usage();
    return trial.remove() ? groups : undefined;
  } catch {
    return undefined; // a container may show the files and still refuse
  }
}

function mayMake(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    // a folder in which groups are mounted, but no group
    if (!existsSync(path.join(folder, 'cgroup.procs'))) return false;
    const controllers = path.join(folder, 'cgroup.subtree_control');
    return (
      !existsSync(controllers) ||
      ['memory', 'pids', 'cpu'].every((name) => readFileSync(controllers, 'utf8').split(/\s+/).includes(name))
    );
  } catch {
    return false;
  }
}

/** Removes groups of processes that were killed before they could remove them. */
function sweep(folders: readonly string[]): void {
  for (const folder of folders) {
    for (const name of readdirSync(folder)) {
      const [, pid] = /^cairn-(\d+)-\d+$/.exec(name) ?? [];
      if (pid !== undefined && !existsSync(`/proc/${pid}`)) removeFolder(path.join(folder, name));
    }
  }
}

function removeFolder(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return !existsSync(folder);
  }
}

/** The kernel counts memory and files in memory together. The watch limits memory alone. */
const memoryCeiling = (limits: Limits): number => limits.memoryBytes + limits.diskBytes;

const firstFolders = ['memory', 'pids', 'cpuacct'].map((controller) => path.join(mountPoint, controller));

/** Version 1: a hierarchy per controller. */
const first: ControlGroups & { readonly folders: readonly string[] } = {
  version: 1,
  folders: firstFolders,
  make: (limits) => {
    const name = nextName();
    const folders = firstFolders.map((folder) => path.join(folder, name));
    const [memory = '', pids = '', cpu = ''] = folders;
    for (const folder of folders) mkdirSync(folder);
    writeFileSync(path.join(memory, 'memory.limit_in_bytes'), String(memoryCeiling(limits)));
    writeFileSync(path.join(pids, 'pids.max'), String(limits.pids + processesBeside));
    return {
      words: joining(folders.map((folder) => path.join(folder, 'tasks'))),
      usage: () => ({
        memoryBytes: field(textOf(memory, 'memory.stat'), 'total_rss'),
        memoryKills: field(textOf(memory, 'memory.oom_control'), 'oom_kill'),
        refusedForks: field(textOf(pids, 'pids.events'), 'max'),
        cpuMs: Number(textOf(cpu, 'cpuacct.usage')) / 1e6,
      }),
      remove: () => folders.map(removeFolder).every(Boolean),
    };
  },
};

/** Version 2: one folder. A process that is killed for memory takes its whole group with it. */
const second: ControlGroups & { readonly folders: readonly string[] } = {
  version: 2,
  folders: [mountPoint],
  make: (limits) => {
    const folder = path.join(mountPoint, nextName());
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'memory.max'), String(memoryCeiling(limits)));
    writeFileSync(path.join(folder, 'memory.swap.max'), '0');
    writeFileSync(path.join(folder, 'memory.oom.group'), '1');
    writeFileSync(path.join(folder, 'pids.max'), String(limits.pids + processesBeside));
    return {
      words: joining([path.join(folder, 'cgroup.procs')]),
      usage: () => ({
        memoryBytes: field(textOf(folder, 'memory.stat'), 'anon'),
        memoryKills: field(textOf(folder, 'memory.events'), 'oom_kill'),
        refusedForks: field(textOf(folder, 'pids.events'), 'max'),
        cpuMs: field(textOf(folder, 'cpu.stat'), 'usage_usec') / 1e3,
      }),
      remove: () => removeFolder(folder),
    };
  },
};
