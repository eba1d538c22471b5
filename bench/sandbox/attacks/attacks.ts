import { setMaxListeners } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ExecResult, Language, Limits, Sandbox, SandboxProvider } from '../../../sandbox/index.ts';
import { marked, type Arena } from './arena.ts';
import { attackPrograms, type AttackProgram } from './attack-programs.ts';
import { waysToJavaScript, type Ways } from './ways-to-javascript.ts';
import { never, readText, runSource, spokenLanguages, suiteLimits, type Subject } from './subject.ts';
import { settlesWithin, sleep } from '../../../envs/core/waiting.ts';

/** How an attack ended. `inapplicable`: it cannot even be tried there. */
export type Verdict =
  | { readonly kind: 'held'; readonly by: string }
  | { readonly kind: 'broken'; readonly what: string }
  | { readonly kind: 'inapplicable'; readonly why: string };

export interface Scene {
  readonly subject: Subject;
  readonly provider: SandboxProvider;
  readonly arena: Arena;
  /** Stands in the words of every process of the attack. */
  readonly mark: string;
}

export interface Attack {
  readonly name: string;
  readonly attempt: (scene: Scene) => Promise<Verdict>;
}

/** What attackers get. */
const attackLimits: Limits = {
  ...suiteLimits,
  wallMs: 3_000,
  cpuMs: 8_000,
  memoryBytes: 384 * 2 ** 20,
  diskBytes: 16 * 2 ** 20,
};

const settleMs = 30_000;

const open = (provider: SandboxProvider): Promise<Sandbox> =>
  provider.open({ limits: attackLimits, needs: {}, signal: never });

const held = (by: string): Verdict => ({ kind: 'held', by });
const broken = (what: string): Verdict => ({ kind: 'broken', what });

const programAttack = (program: AttackProgram): Attack => ({
  name: program.name,
  attempt: async (scene) => {
    if (program.forks === true && scene.subject.startsProcesses === false)
      return { kind: 'inapplicable', why: 'its programs cannot reach the kernel' };
    const sources = program.sources(scene.arena, scene.mark);
    const verdicts: Verdict[] = [];
    await using probe = await open(scene.provider);
    for (const language of spokenLanguages(probe, sources)) {
      verdicts.push(await runAttack(scene, program, { language, source: sources[language] ?? '' }));
    }
    return worst(verdicts) ?? { kind: 'inapplicable', why: 'it does not run the language of the attack' };
  },
});

async function runAttack(
  scene: Scene,
  { stdin, ...program }: AttackProgram,
  code: { readonly language: Language; readonly source: string },
): Promise<Verdict> {
  scene.arena.forget();
  await using sandbox = await open(scene.provider);
  const result = await within(
    runSource(sandbox, { ...code, name: scene.mark }, stdin === undefined ? {} : { stdin }),
  );
  if (result === undefined) return broken(`the call did not end in ${settleMs / 1000} s`);
  if (/^(?:SyntaxError|IndentationError|NameError):/m.test(result.stderr.text))
    return broken(`the attack itself is none: ${result.stderr.text.trimEnd().split('\n').at(-1)}`);
  const left = marked(scene.mark);
  const breaches = [
    ...result.stdout.text
      .split('\n')
      .filter((line) => line.startsWith('BREACH'))
      .map((line) => line.slice('BREACH '.length)),
    ...(left.length > 0 ? [`processes ${left.join(', ')} were left`] : []),
    ...[...scene.arena.heard].map((name) => `the host heard it: ${name}`),
    ...hostDamage(scene.arena),
  ];
  return breaches.length > 0 ? broken([...new Set(breaches)].join('; ')) : held(holder(result, program));
}

function hostDamage(arena: Arena): readonly string[] {
  const damage: string[] = [];
  if (!arena.victimLives()) damage.push('it killed a process of the host');
  if (readFileSync(path.join(arena.folder, 'secret'), 'utf8') !== arena.secret)
    damage.push('it changed a file of the host');
  const strangers = readdirSync(arena.folder).filter((name) => name !== 'secret' && name !== 'socket');
  if (strangers.length > 0) damage.push(`it made ${strangers.join(', ')} on the host`);
  for (const folder of ['/usr', '/usr/bin', '/etc', '/root']) {
    if (existsSync(path.join(folder, 'cairn-intruder'))) damage.push(`it wrote into ${folder}`);
  }
  return damage;
}

/** What stood in the way: the limit for which it was killed, else what the program says, else what the attack knows. */
function holder(result: ExecResult, program: AttackProgram): string {
  if (result.kind === 'killed') return `limit: ${result.by}`;
  const said = result.stdout.text
    .split('\n')
    .filter((line) => line.startsWith('HELD'))
    .map((line) => line.replace(/^HELD .*?: ?|^HELD \S+ /, '').trim());
  const distinct = [...new Set(said.filter((line) => line !== ''))];
  return distinct.length === 0 ? program.heldBy : `${program.heldBy} (${distinct.join(', ')})`;
}

/** A breach before a hold. */
const worst = (verdicts: readonly Verdict[]): Verdict | undefined =>
  verdicts.find(({ kind }) => kind === 'broken') ?? verdicts[0];

/** Undefined when it takes too long: nothing may hang. */
async function within<T>(work: Promise<T>): Promise<T | undefined> {
  return (await settlesWithin(settleMs, work)) ? await work : undefined;
}

/** The text, or how the host side refused. */
const attemptRead = (sandbox: Sandbox, file: string): Promise<string> =>
  readText(sandbox, file).then(
    (text) => text ?? '',
    () => '',
  );

/** Each way has a sandbox of its own. */
const waysAttack = ({ name, heldBy, sources }: Ways): Attack => ({
  name,
  attempt: async (scene) => {
    if (scene.subject.isWithinJavaScript !== true)
      return { kind: 'inapplicable', why: 'there is no JavaScript around its Python' };
    const verdicts: Verdict[] = [];
    for (const [title, source] of Object.entries(sources)) {
      const verdict = await runAttack(
        scene,
        { name, heldBy, sources: () => ({}) },
        { language: 'python', source },
      );
      verdicts.push(verdict.kind === 'broken' ? broken(`${title}: ${verdict.what}`) : verdict);
    }
    return worst(verdicts) ?? broken('it was not tried');
  },
});

const linker = (arena: Arena): string =>
  [
    'import os',
    `outside = ${JSON.stringify(arena.folder)}`,
    'os.symlink(outside + "/secret", "link")',
    'os.symlink(outside, "folder")',
    'os.symlink("/proc/self/environ", "environ")',
    'os.symlink("/proc/self/root" + outside, "magic")',
    'os.symlink("../" * 40 + outside.lstrip("/"), "up")',
    'os.mkfifo("pipe") if hasattr(os, "mkfifo") else None',
  ].join('\n');

const symlinks: Attack = {
  name: 'symlinks and `..` on the host side, read and write',
  attempt: async ({ provider, arena }) => {
    await using sandbox = await open(provider);
    if (sandbox.interpreters.python === undefined)
      return { kind: 'inapplicable', why: 'its programs make no symlinks' };
    await runSource(sandbox, { language: 'python', source: linker(arena) });
    for (const file of ['link', 'folder/secret', 'environ', 'magic/secret', 'up/secret', 'pipe']) {
      const content = await within(attemptRead(sandbox, file));
      if (content === undefined) return broken(`reading ${file} did not end`);
      if (content.includes(arena.secret) || content.includes(arena.canary))
        return broken(`${file} gave what is outside`);
    }
    for (const file of [
      'link',
      'folder/secret',
      'folder/new',
      'magic/secret',
      'magic/new',
      'up/secret',
      'pipe',
    ]) {
      await within(sandbox.write(file, 'intruder', { signal: never }).catch(() => 'refused'));
    }
    const damage = hostDamage(arena);
    return damage.length > 0
      ? broken(damage.join('; '))
      : held('paths are followed within the work folder alone');
  },
};

const swapper = (arena: Arena): string =>
  [
    'import os',
    'os.mkdir("real"); open("real/secret", "w").write("inner")',
    `os.symlink(${JSON.stringify(arena.folder)}, "bad")`,
    'os.rename("real", "d"); print("ready", flush=True)',
    'while True:',
    '  try:',
    '    os.rename("d", "real"); os.rename("bad", "d"); os.rename("d", "bad"); os.rename("real", "d")',
    '  except OSError: pass',
  ].join('\n');

const race: Attack = {
  name: 'a folder swapped for a symlink while the host reads and writes',
  attempt: async ({ provider, arena, subject }) => {
    await using sandbox = await open(provider);
    if (sandbox.interpreters.python === undefined || subject.startsProcesses === false)
      return { kind: 'inapplicable', why: 'nothing runs while files are moved' };
    const controller = new AbortController();
    const running = runSource(
      sandbox,
      { language: 'python', source: swapper(arena) },
      { signal: controller.signal },
    ).catch(() => undefined);
    const until = Date.now() + 2_000;
    while (Date.now() < until) {
      if ((await attemptRead(sandbox, 'd/secret')).includes(arena.secret))
        return broken('it read what is outside');
      await sandbox.write('d/new', 'intruder', { signal: never }).catch(() => undefined);
      await sandbox.write('d/secret', 'inner', { signal: never }).catch(() => undefined);
    }
    controller.abort(new Error('enough'));
    await running;
    const damage = hostDamage(arena);
    return damage.length > 0
      ? broken(damage.join('; '))
      : held('folders are held open while they are walked');
  },
};

const intruder = [
  'import os',
  'for folder, folders, files in os.walk("/"):',
  '  if folder.startswith(("/usr", "/sys")) or folder.count("/") > 8: continue',
  '  for name in files:',
  '    if name != "precious": continue',
  '    try: open(os.path.join(folder, name), "w").write("intruder")',
  '    except OSError: pass',
  'for place in ["/tmp", "/dev/shm", "/var/tmp", "/run"]:',
  '  try: open(place + "/from-the-other", "w").write("x")',
  '  except OSError: pass',
].join('\n');

const otherSession: Attack = {
  name: 'writing to another session',
  attempt: async ({ provider }) => {
    await using first = await open(provider);
    await using second = await open(provider);
    if (first.interpreters.python === undefined)
      return { kind: 'inapplicable', why: 'its programs have no files' };
    await second.write('precious', 'mine', { signal: never });
    await runSource(first, { language: 'python', source: intruder });
    const look =
      'import os\nprint([p for p in ["/tmp", "/dev/shm", "/var/tmp", "/run"] if os.path.exists(p + "/from-the-other")])';
    const seen = await runSource(second, { language: 'python', source: look });
    if ((await readText(second, 'precious')) !== 'mine') return broken('it changed a file of the other');
    return seen.stdout.text.trim() === '[]'
      ? held('each has files of its own')
      : broken(`the other saw ${seen.stdout.text.trim()}`);
  },
};

/** Watches of files, and descriptors on their way in messages: the kernel counts both for each user. */
const hoarder = [
  'import array, ctypes, socket, time',
  'libc = ctypes.CDLL(None)',
  'for turn in range(200):',
  '  if libc.inotify_init1(0) < 0: break',
  'kept = []',
  'try:',
  '  for turn in range(40):',
  '    pair = socket.socketpair(); kept.append(pair)',
  '    pair[0].sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0] * 250))])',
  'except OSError: pass',
  'print("ready", flush=True)',
  'time.sleep(600)',
].join('\n');

/** What a neighbour still gets of it. */
export const neighbour = [
  'import array, ctypes, os, socket',
  'watch = ctypes.CDLL(None, use_errno=True).inotify_init1(0)',
  'print("watch", "made" if watch >= 0 else os.strerror(ctypes.get_errno()))',
  'pair = socket.socketpair()',
  'try:',
  '  pair[0].sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))])',
  '  print("descriptor sent")',
  'except OSError as error: print("descriptor", error.strerror)',
].join('\n');

/** Begins to hoard and comes back once it has all that it can get; the signal ends it. */
export async function hoard(
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<{ readonly ended: Promise<unknown> }> {
  let hear = (): void => undefined;
  const ready = new Promise<void>((resolve) => (hear = resolve));
  const ended = runSource(
    sandbox,
    { language: 'python', source: hoarder },
    { signal, onOutput: () => hear() },
  ).catch(() => undefined);
  await Promise.race([ready, ended]);
  return { ended };
}

const crowdOut: Attack = {
  name: 'taking what the kernel counts for each user',
  attempt: async ({ provider, subject }) => {
    if (subject.startsProcesses === false)
      return { kind: 'inapplicable', why: 'its programs cannot reach the kernel' };
    await using first = await open(provider);
    await using second = await open(provider);
    const before = (await runSource(second, { language: 'python', source: neighbour })).stdout.text;
    const controller = new AbortController();
    const { ended } = await hoard(first, controller.signal);
    const after = (await runSource(second, { language: 'python', source: neighbour })).stdout.text;
    controller.abort(new Error('enough'));
    await ended;
    return before === after
      ? held('a user of its own, or none is given')
      : broken(`another session got ${JSON.stringify(after)}, not ${JSON.stringify(before)}`);
  },
};

const crowd = 24;

const exhaustPool: Attack = {
  name: 'exhausting the pool',
  attempt: async ({ provider, subject }) => {
    const controller = new AbortController();
    setMaxListeners(0, controller.signal);
    const sources = { python: 'import time\ntime.sleep(600)', javascript: 'for (;;);', shell: 'sleep 600' };
    const opened: Sandbox[] = [];
    const openings = Array.from({ length: crowd }, async () => {
      const sandbox = await open(provider);
      opened.push(sandbox);
      const [language = 'shell'] = spokenLanguages(sandbox, sources);
      await runSource(sandbox, { language, source: sources[language] }, { signal: controller.signal }).catch(
        () => undefined,
      );
    });
    const all = Promise.allSettled(openings);
    await sleep(subject.startsProcesses === false ? 3_000 : 1_500);
    controller.abort(new Error('enough'));
    const settled = await within(all);
    await Promise.all(opened.map((sandbox) => sandbox[Symbol.asyncDispose]()));
    if (settled === undefined) return broken('opening did not end');
    const after = await within(open(provider));
    if (after === undefined) return broken('after the crowd had gone, none could be opened');
    await after[Symbol.asyncDispose]();
    const refused = settled.filter(({ status }) => status === 'rejected').length;
    return held(refused === 0 ? `${crowd} at once were served` : `${refused} of ${crowd} were refused`);
  },
};

const killSupervisor: Attack = {
  name: 'the supervisor killed under load',
  attempt: async ({ provider, subject, mark }) => {
    if (subject.killSupervisor !== undefined) return killUnderLoad(provider, subject.killSupervisor, mark);
    if (subject.ownSupervisor === undefined)
      return { kind: 'inapplicable', why: 'nothing stands over its programs' };
    const own = await subject.ownSupervisor();
    if (own.kind === 'none') return { kind: 'inapplicable', why: own.why };
    await using supervisor = own.supervisor;
    await using supervised = supervisor.provider();
    return await killUnderLoad(supervised, () => supervisor.killAndRepair(), mark);
  },
};

async function killUnderLoad(
  provider: SandboxProvider,
  kill: () => Promise<void>,
  mark: string,
): Promise<Verdict> {
  const sources = { python: 'import time\ntime.sleep(600)', javascript: 'for (;;);', shell: 'sleep 600' };
  const sandboxes = await Promise.all(Array.from({ length: 4 }, () => open(provider)));
  const running = sandboxes.map((sandbox) => {
    const [language = 'shell'] = spokenLanguages(sandbox, sources);
    return runSource(sandbox, { language, source: sources[language], name: mark }).then(
      ({ kind }) => kind,
      () => 'rejected',
    );
  });
  await sleep(1_000);
  await kill();
  const ends = await within(Promise.all(running));
  await within(Promise.allSettled(sandboxes.map((sandbox) => sandbox[Symbol.asyncDispose]())));
  if (ends === undefined) return broken('calls did not end');
  if (ends.includes('exited')) return broken('a call told of success');
  for (let round = 0; round < 20 && marked(mark).length > 0; round += 1) await sleep(100);
  if (marked(mark).length > 0) return broken('programs lived on');
  const after = await within(open(provider));
  if (after === undefined) return broken('after it, none could be opened');
  await after[Symbol.asyncDispose]();
  return held('programs die with it, calls reject, new ones open');
}

/** Every attack, each on sandboxes of its own. */
export const attacks: readonly Attack[] = [
  ...attackPrograms.map(programAttack),
  ...waysToJavaScript.map(waysAttack),
  symlinks,
  race,
  otherSession,
  crowdOut,
  exhaustPool,
  killSupervisor,
];

/** Tries one attack and makes the host as it was before. */
export async function attempt(
  attack: Attack,
  scene: Omit<Scene, 'mark'>,
): Promise<{ readonly verdict: Verdict; readonly ms: number }> {
  const start = Date.now();
  const mark = `cairn-attack-${process.pid}-${start}-${attacks.indexOf(attack)}`;
  const verdict = await attack.attempt({ ...scene, mark });
  writeFileSync(path.join(scene.arena.folder, 'secret'), scene.arena.secret);
  return { verdict, ms: Date.now() - start };
}
