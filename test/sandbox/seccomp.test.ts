import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seccompFilter, type Architecture } from '../../sandbox/bubblewrap/seccomp.ts';

const audit = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;
const allow = 0x7fff0000;
const kill = 0x80000000;
const failsWith = (errno: number): number => 0x00050000 | errno;
const [notPermitted, notKnown] = [failsWith(1), failsWith(38)];

interface Call {
  readonly number: number;
  readonly words?: readonly number[];
  readonly architecture?: number;
  readonly startsProcesses?: boolean;
}

/** The verdict of the kernel: an interpreter for the instructions that filters use (seccomp(2), bpf_filter of 4.4BSD). */
function verdict(architecture: Architecture, call: Call): number {
  const program = new DataView(
    seccompFilter(architecture, { startsProcesses: call.startsProcesses ?? true }).buffer,
  );
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, call.number, true);
  data.setUint32(4, call.architecture ?? audit[architecture], true);
  for (const [index, word] of (call.words ?? []).entries())
    data.setBigUint64(16 + 8 * index, BigInt(word), true);
  let loaded = 0;
  for (let at = 0; ; at += 1) {
    const [code, ifTrue, ifFalse] = [
      program.getUint16(8 * at, true),
      program.getUint8(8 * at + 2),
      program.getUint8(8 * at + 3),
    ];
    const operand = program.getUint32(8 * at + 4, true);
    const jump = (isTrue: boolean): void => void (at += isTrue ? ifTrue : ifFalse);
    if (code === 0x06) return operand;
    if (code === 0x20) loaded = data.getUint32(operand, true);
    else if (code === 0x15) jump(loaded === operand);
    else if (code === 0x25) jump(loaded > operand);
    else if (code === 0x45) jump((loaded & operand) !== 0);
    else throw new Error(`instruction ${at} has code ${code}`);
  }
}

/** By the headers of Linux 6.1 (asm/unistd_64.h and asm-generic/unistd.h), read here again and not from the filter. */
const dangerous = {
  x64: {
    ptrace: 101,
    mount: 165,
    unshare: 272,
    setns: 308,
    keyctl: 250,
    bpf: 321,
    perf_event_open: 298,
    userfaultfd: 323,
    io_uring_setup: 425,
    kexec_load: 246,
    chroot: 161,
    pivot_root: 155,
    init_module: 175,
    shmget: 29,
    msgget: 68,
    semget: 64,
    mq_open: 240,
    inotify_init: 253,
    inotify_init1: 294,
    sendmsg: 46,
    sendmmsg: 307,
  },
  arm64: {
    ptrace: 117,
    mount: 40,
    unshare: 97,
    setns: 268,
    keyctl: 219,
    bpf: 280,
    perf_event_open: 241,
    userfaultfd: 282,
    io_uring_setup: 425,
    kexec_load: 104,
    chroot: 51,
    pivot_root: 41,
    init_module: 105,
    shmget: 194,
    msgget: 186,
    semget: 190,
    mq_open: 180,
    inotify_init1: 26,
    sendmsg: 211,
    sendmmsg: 269,
  },
} as const;
const plain = {
  x64: {
    read: 0,
    write: 1,
    mmap: 9,
    execve: 59,
    exit_group: 231,
    openat: 257,
    futex: 202,
    getrandom: 318,
    fork: 57,
    pidfd_open: 434,
  },
  arm64: {
    read: 63,
    write: 64,
    mmap: 222,
    execve: 221,
    exit_group: 94,
    openat: 56,
    futex: 98,
    getrandom: 278,
    pidfd_open: 434,
  },
} as const;
const judged = {
  x64: { clone: 56, socket: 41, setsockopt: 54, ioctl: 16 },
  arm64: { clone: 220, socket: 198, setsockopt: 208, ioctl: 29 },
} as const;

describe.each(['x64', 'arm64'] as const)('the seccomp filter on %s', (architecture) => {
  it('refuses dangerous calls and allows plain ones', () => {
    for (const [name, number] of Object.entries(dangerous[architecture]))
      expect([name, verdict(architecture, { number })]).toEqual([name, notPermitted]);
    for (const [name, number] of Object.entries(plain[architecture]))
      expect([name, verdict(architecture, { number })]).toEqual([name, allow]);
  });

  it('kills calls of every other architecture', () => {
    const foreign = fc.integer({ min: 0, max: 0xffffffff }).filter((value) => value !== audit[architecture]);
    fc.assert(
      fc.property(
        fc.nat(500),
        foreign,
        (number, other) => verdict(architecture, { number, architecture: other }) === kill,
      ),
    );
  });

  it('reports future calls, x32 calls and clone3 as unknown', () => {
    const later = fc.integer({ min: 471, max: 0xffffffff });
    fc.assert(fc.property(later, (number) => verdict(architecture, { number }) === notKnown));
    expect(verdict(architecture, { number: 435 })).toBe(notKnown);
  });

  it('allows clones of programs and threads, but no new namespace', () => {
    const { clone } = judged[architecture];
    const thread = 0x3d0f00; // the flags that libraries pass for a thread
    expect(verdict(architecture, { number: clone, words: [thread] })).toBe(allow);
    expect(verdict(architecture, { number: clone, words: [0x01200011] })).toBe(allow); // and for a child
    for (const flag of [
      0x80, 0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000,
    ]) {
      expect(verdict(architecture, { number: clone, words: [thread | flag] })).toBe(notPermitted);
    }
  });

  it('allows clones of threads only, when no processes may start', () => {
    const { clone } = judged[architecture];
    expect(verdict(architecture, { number: clone, words: [0x3d0f00], startsProcesses: false })).toBe(allow);
    expect(verdict(architecture, { number: clone, words: [0x01200011], startsProcesses: false })).toBe(
      notPermitted,
    );
    expect(
      verdict(architecture, { number: clone, words: [0x3d0f00 | 0x20000], startsProcesses: false }),
    ).toBe(notPermitted);
    if (architecture === 'x64')
      for (const number of [57, 58])
        expect(verdict(architecture, { number, startsProcesses: false })).toBe(notPermitted);
  });

  it('prevents sockets from enlarging their send buffers', () => {
    const { setsockopt } = judged[architecture];
    for (const option of [7, 32])
      expect(verdict(architecture, { number: setsockopt, words: [3, 1, option] })).toBe(notPermitted);
    for (const option of [2, 8, 9])
      expect(verdict(architecture, { number: setsockopt, words: [3, 1, option] })).toBe(allow);
  });

  it('allows Unix sockets only, and no typing into a terminal', () => {
    const { socket, ioctl } = judged[architecture];
    expect(verdict(architecture, { number: socket, words: [1] })).toBe(allow);
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 60 }),
        (family) => verdict(architecture, { number: socket, words: [family] }) === notPermitted,
      ),
    );
    expect(verdict(architecture, { number: ioctl, words: [0, 0x5401] })).toBe(allow);
    for (const request of [0x5412, 0x541c])
      expect(verdict(architecture, { number: ioctl, words: [0, request] })).toBe(notPermitted);
  });
});
