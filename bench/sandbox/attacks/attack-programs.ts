import { existsSync, readFileSync } from 'node:fs';
import type { Arena } from './arena.ts';
import type { Sources } from './subject.ts';

/**
 * Programs of attackers; their sources are the files of `programs`. A line `BREACH what` says what got through, a line `HELD what` what
 * stood in the way; a program that prints neither is judged by how it ended and by what the host sees.
 */
export interface AttackProgram {
  readonly name: string;
  /** What holds it where the program is not killed and says nothing itself. */
  readonly heldBy: string;
  /** It can be tried only where programs start others. */
  readonly forks?: boolean;
  /** What it is given to read. */
  readonly stdin?: string;
  readonly sources: (arena: Arena, mark: string) => Sources;
}

type Given = Readonly<Record<string, unknown>>;

interface Description extends Omit<AttackProgram, 'sources'> {
  /** The files of `programs` with this name, one for each language that it is written in. */
  readonly file: string;
  /** What the program finds in its variable `given`; in a shell each value has a variable of its own. */
  readonly given?: (arena: Arena, mark: string) => Given;
}

const endings = { python: 'py', javascript: 'js', shell: 'sh' } as const;

/** JSON of numbers, texts, lists and objects is a literal of Python and JavaScript alike. */
const preludes: Readonly<Record<keyof typeof endings, (given: Given) => string>> = {
  python: (given) => `given = ${JSON.stringify(given)}\n`,
  javascript: (given) => `const given = ${JSON.stringify(given)};\n`,
  shell: (given) =>
    Object.entries(given)
      .map(([name, value]) => `${name}='${String(value)}'\n`)
      .join(''),
};

const languages = ['python', 'javascript', 'shell'] as const;

function describeProgram({ file, given, ...rest }: Description): AttackProgram {
  const texts = languages.flatMap((language) => {
    const place = new URL(`programs/${file}.${endings[language]}`, import.meta.url);
    return existsSync(place) ? [[language, readFileSync(place, 'utf8')] as const] : [];
  });
  if (texts.length === 0) throw new Error(`there is no programs/${file} beside ${import.meta.url}`);
  const sources = (arena: Arena, mark: string): Sources =>
    Object.fromEntries(
      texts.map(([language, text]) => [
        language,
        given === undefined ? text : `${preludes[language](given(arena, mark))}${text}`,
      ]),
    );
  return { ...rest, sources };
}

const exhaustion: readonly Description[] = [
  { name: 'fork bomb', file: 'fork-bomb', heldBy: 'fork fails', forks: true },
  {
    name: 'threads without end',
    file: 'threads-without-end',
    heldBy: 'threads cannot be started',
    forks: true,
  },
  { name: 'memory bomb', file: 'memory-bomb', heldBy: 'memory cannot be had' },
  {
    name: 'memory bomb over many processes',
    file: 'memory-bomb-over-many-processes',
    heldBy: 'memory cannot be had',
    forks: true,
  },
  { name: 'memory mapped and shared', file: 'memory-mapped-and-shared', heldBy: 'memory cannot be had' },
  {
    name: "the kernel's memory in queues",
    file: 'kernel-memory-in-queues',
    heldBy: 'the system call is refused',
    forks: true,
  },
  {
    name: "the kernel's memory in sockets",
    file: 'kernel-memory-in-sockets',
    heldBy: 'the limit on files that are open',
    forks: true,
  },
  {
    name: "the kernel's memory in tables of pages",
    file: 'kernel-memory-in-page-tables',
    heldBy: 'memory cannot be had',
    forks: true,
  },
  {
    name: 'asynchronous input and output of the whole machine',
    file: 'asynchronous-io',
    heldBy: 'the system call is refused',
    forks: true,
  },
  { name: 'disk filling', file: 'disk-filling', heldBy: 'no space left' },
  {
    name: 'disk filling by what it is given to read',
    file: 'disk-filling-by-stdin',
    heldBy: 'it cannot be written',
    stdin: 'given',
  },
  { name: 'a million files', file: 'a-million-files', heldBy: 'no more files' },
  {
    name: 'huge file names and deep folders',
    file: 'huge-names-and-deep-folders',
    heldBy: 'the file system',
  },
  { name: 'output flood', file: 'output-flood', heldBy: 'the limit on output' },
  { name: 'endless loop that ignores signals', file: 'endless-loop', heldBy: 'the wall clock' },
];

const getaways: readonly Description[] = [
  {
    name: 'detached grandchildren',
    file: 'detached-grandchildren',
    heldBy: 'they die with the call',
    forks: true,
    given: (_arena, mark) => ({ mark }),
  },
  {
    name: 'signals to host processes',
    file: 'signals-to-host-processes',
    heldBy: 'they cannot be seen',
    forks: true,
    given: ({ victim }) => ({ victim }),
  },
];

const network: readonly Description[] = [
  {
    name: 'outbound TCP',
    file: 'outbound-tcp',
    heldBy: 'no network',
    given: ({ addresses, tcpPort }) => ({ addresses, tcpPort }),
  },
  {
    name: 'outbound UDP',
    file: 'outbound-udp',
    heldBy: 'no network',
    given: ({ addresses, udpPort }) => ({ addresses, udpPort }),
  },
  { name: 'DNS', file: 'dns', heldBy: 'no resolver' },
  {
    name: 'other socket families',
    file: 'other-socket-families',
    heldBy: 'sockets of that kind cannot be made',
  },
  {
    name: "the host's Unix sockets, named and abstract",
    file: 'unix-sockets',
    heldBy: 'they cannot be seen',
    given: ({ socketPath, abstractName }) => ({ socketPath, abstractName }),
  },
  { name: 'Docker socket', file: 'docker-socket', heldBy: 'it cannot be seen' },
];

const secrets: readonly Description[] = [
  {
    name: 'host files',
    file: 'host-files',
    heldBy: 'they are not there',
    given: ({ digests, folder }) => ({ digests, folder }),
  },
  {
    name: '/proc and environment secrets',
    file: 'proc-and-environment',
    heldBy: 'only its own processes are in /proc',
    given: ({ canary }) => ({ canaryReversed: canary.split('').toReversed().join('') }),
  },
  { name: 'descriptors left open', file: 'descriptors-left-open', heldBy: 'none but the streams' },
  {
    name: 'taking the pseudo-terminals of the machine',
    file: 'pseudo-terminals',
    heldBy: 'there are none',
  },
];

/** A call of the system: its name, its numbers on x86-64 and arm64, and its words. `zeros` stands for a buffer. */
type SystemCall = readonly [name: string, x86: number, arm: number, ...words: readonly (string | number)[]];

/** What succeeds got through. */
const systemCalls: Readonly<Record<string, readonly SystemCall[]>> = {
  ptrace: [
    ['ptrace', 101, 117, 16, 1, 0, 0],
    ['process_vm_readv', 310, 270, 1, 0, 0, 0],
  ],
  'mount, pivot_root, chroot, swapon': [
    ['mount', 165, 40, 'none', '/tmp', 'tmpfs', 0],
    ['pivot_root', 155, 41, '/tmp', '/tmp', 0, 0],
    ['chroot', 161, 51, '/tmp', 0, 0, 0],
    ['open_tree', 428, 428, -100, '/', 1, 0],
  ],
  'unshare and clone with new namespaces': [
    ['unshare', 272, 97, 0x10000000, 0, 0, 0],
    ['unshare', 272, 97, 0x20000, 0, 0, 0],
    ['unshare', 272, 97, 0x40000000, 0, 0, 0],
    ['clone', 56, 220, 0x10000011, 0, 0, 0],
  ],
  'keyctl, bpf, perf, userfaultfd, io_uring, kexec': [
    ['keyctl', 250, 219, 0, -3, 1, 0], // the session's ring
    ['add_key', 248, 217, 'user', 'cairn', 'x', 1],
    ['bpf', 321, 280, 0, 'zeros', 72, 0],
    ['perf_event_open', 298, 241, 'zeros', 0, -1, -1],
    ['userfaultfd', 323, 282, 1, 0, 0, 0],
    ['io_uring_setup', 425, 425, 4, 'zeros', 0, 0],
    ['kexec_load', 246, 104, 0, 0, 0, 0],
    ['open_by_handle_at', 304, 265, -100, 'zeros', 0, 0],
    ['fanotify_init', 300, 262, 0, 0, 0, 0],
  ],
};

const rights: readonly Description[] = [
  { name: 'setuid binaries', file: 'setuid-binaries', heldBy: 'no new privileges', forks: true },
  ...Object.entries(systemCalls).map(([name, calls]) => ({
    name,
    file: 'system-calls',
    heldBy: 'the system call is refused',
    forks: true,
    given: () => ({ calls }),
  })),
];

export const attackPrograms: readonly AttackProgram[] = [
  ...exhaustion,
  ...getaways,
  ...network,
  ...secrets,
  ...rights,
].map(describeProgram);
