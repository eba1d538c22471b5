/**
 * A filter of system calls in classic BPF, as `seccomp(2)` takes it. Each instruction has 8 bytes: u16 code,
 * u8 jump if true, u8 jump if false, u32 operand. Calls that reach deep into the kernel, or past the
 * namespaces, fail with EPERM. Calls of another architecture kill the process. Calls newer than this list
 * fail with ENOSYS, so that programs fall back to older ones.
 */
export type Architecture = 'x64' | 'arm64';

export const isArchitecture = (name: string): name is Architecture => name === 'x64' || name === 'arm64';

/** Numbers on x86-64 and arm64, from the kernel's own tables (arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h). */
const denied: Readonly<Record<string, readonly [x64: number | undefined, arm64: number | undefined]>> = {
  // other processes
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  // mounts, roots and namespaces
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  unshare: [272, 97],
  setns: [308, 268],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  statmount: [457, 457],
  listmount: [458, 458],
  swapon: [167, 224],
  swapoff: [168, 225],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  fanotify_mark: [301, 263],
  // entry points into the kernel
  keyctl: [250, 219],
  add_key: [248, 217],
  request_key: [249, 218],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  vmsplice: [278, 75],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  modify_ldt: [154, undefined],
  personality: [135, 92],
  // memory that belongs to no process, which no watch over processes sees
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  shmget: [29, 194],
  msgget: [68, 186],
  semget: [64, 190],
  mq_open: [240, 180],
  // counted by the kernel per user, over all processes of that user: watches of files, and descriptors in
  // transit in messages
  inotify_init: [253, undefined],
  inotify_init1: [294, 26],
  sendmsg: [46, 211],
  sendmmsg: [307, 269],
  // counted by the kernel for the whole machine: room for asynchronous input and output
  io_setup: [206, 0],
  // the machine itself
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  reboot: [169, 142],
  acct: [163, 89],
  syslog: [103, 116],
  lookup_dcookie: [212, 18],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  vhangup: [153, 58],
  iopl: [172, undefined],
  ioperm: [173, undefined],
  uselib: [134, undefined],
};

/** Refused only where programs may start no others. */
const starting: readonly (readonly [x64: number | undefined, arm64: number | undefined])[] = [
  [57, undefined], // fork
  [58, undefined], // vfork
];

/** Calls whose arguments decide. */
const judged = {
  x64: { clone: 56, clone3: 435, socket: 41, setsockopt: 54, ioctl: 16 },
  arm64: { clone: 220, clone3: 435, socket: 198, setsockopt: 208, ioctl: 29 },
} as const;

/** AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64 of linux/audit.h. */
const auditArchitecture = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

/**
 * The last call known to this list (listns). Higher numbers, and the x32 calls of x86 from 0x40000000, are
 * unknown.
 */
const lastKnown = 470;

/** CLONE_NEWTIME | NEWNS | NEWCGROUP | NEWUTS | NEWIPC | NEWUSER | NEWPID | NEWNET of linux/sched.h. */
const newNamespaces =
  0x80 | 0x0002_0000 | 0x0200_0000 | 0x0400_0000 | 0x0800_0000 | 0x1000_0000 | 0x2000_0000 | 0x4000_0000;

const thread = 0x0001_0000; // CLONE_THREAD
const unixSockets = 1; // AF_UNIX: every other family can reach a network or another part of the kernel
// SO_SNDBUF and SO_SNDBUFFORCE: data waiting in a socket is memory of the kernel, and each socket is counted
// as full
const largerBuffers = [7, 32];
const terminalInput = [0x5412, 0x541c]; // TIOCSTI and TIOCLINUX type into a terminal

/** Offsets in `struct seccomp_data`. The low half of a 64-bit word comes first on both architectures. */
const offsets = { call: 0, architecture: 4, word: (index: number): number => 16 + 8 * index };

const codes = { load: 0x20, equal: 0x15, greater: 0x25, anyBit: 0x45, return: 0x06 } as const;
const verdicts = {
  allow: 0x7fff_0000,
  kill: 0x8000_0000,
  notPermitted: 0x0005_0000 | 1,
  notKnown: 0x0005_0000 | 38,
} as const;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number];

const load = (offset: number): Instruction => [codes.load, 0, 0, offset];
const end = (verdict: keyof typeof verdicts): Instruction => [codes.return, 0, 0, verdicts[verdict]];

/** Ends with the verdict when the comparison with the loaded number holds. */
const when = (
  code: 'equal' | 'greater' | 'anyBit',
  operand: number,
  verdict: keyof typeof verdicts,
): readonly Instruction[] => [[codes[code], 0, 1, operand], end(verdict)];

/** Runs `body`, which must end in a verdict, for one call. */
const forCall = (call: number, body: readonly Instruction[]): readonly Instruction[] => [
  [codes.equal, 0, body.length, call],
  ...body,
];

/**
 * The filter, ready for `bwrap --seccomp`.
 *
 * @param may.startsProcesses whether processes can be started; threads always can
 */
export function seccompFilter(
  architecture: Architecture,
  may: { readonly startsProcesses: boolean },
): Uint8Array {
  const { clone, clone3, socket, setsockopt, ioctl } = judged[architecture];
  const column = architecture === 'x64' ? 0 : 1;
  const numbers = [...Object.values(denied), ...(may.startsProcesses ? [] : starting)].flatMap(
    (pair) => pair[column] ?? [],
  );
  const threadsAlone: readonly Instruction[] = may.startsProcesses
    ? []
    : [[codes.anyBit, 1, 0, thread], end('notPermitted')];
  const program: readonly Instruction[] = [
    load(offsets.architecture),
    [codes.equal, 1, 0, auditArchitecture[architecture]],
    end('kill'),
    load(offsets.call),
    ...when('greater', lastKnown, 'notKnown'),
    ...numbers.flatMap((number) => when('equal', number, 'notPermitted')),
    // its flags are in memory, which a filter cannot read; libraries fall back to clone
    ...when('equal', clone3, 'notKnown'),
    ...forCall(clone, [
      load(offsets.word(0)),
      ...when('anyBit', newNamespaces, 'notPermitted'),
      ...threadsAlone,
      end('allow'),
    ]),
    ...forCall(socket, [load(offsets.word(0)), ...when('equal', unixSockets, 'allow'), end('notPermitted')]),
    ...forCall(setsockopt, [
      load(offsets.word(2)),
      ...largerBuffers.flatMap((option) => when('equal', option, 'notPermitted')),
      end('allow'),
    ]),
    ...forCall(ioctl, [
      load(offsets.word(1)),
      ...terminalInput.flatMap((request) => when('equal', request, 'notPermitted')),
      end('allow'),
    ]),
    end('allow'),
  ];
  const bytes = new DataView(new ArrayBuffer(8 * program.length));
  for (const [index, [code, ifTrue, ifFalse, operand]] of program.entries()) {
    bytes.setUint16(8 * index, code, true);
    bytes.setUint8(8 * index + 2, ifTrue);
    bytes.setUint8(8 * index + 3, ifFalse);
    bytes.setUint32(8 * index + 4, operand, true);
  }
  return new Uint8Array(bytes.buffer);
}
