import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../envs/core/errors.ts';
import { sleep } from '../../../envs/core/waiting.ts';
import {
  guaranteeLevels,
  type Guarantees,
  type Language,
  type Limits,
  type Sandbox,
  type SandboxProvider,
  type Snapshot,
} from '../../../sandbox/index.ts';
import { limitBounds } from '../../../sandbox/limits.ts';
import { commandBounds } from '../../../sandbox/program-words.ts';
import { describeConversations } from './conversations.ts';
import { describeFiles, type Open } from './files.ts';
import { describeFolders, describeMisuse } from './misuse.ts';
import { describeSnapshots } from './snapshots.ts';
import {
  never,
  readText,
  runSource,
  spokenLanguages,
  suiteLimits,
  type Sources,
  type Subject,
} from './subject.ts';

/** A variable in the environment of this process that no program may ever see. */
const canary = 'CAIRN_SUITE_CANARY';

const echo: Sources = {
  python: 'import sys\nsys.stdout.write("in:" + sys.stdin.read())\nsys.stderr.write("err")\n',
  javascript:
    'process.stdin.resume(); let all = ""; process.stdin.on("data", (part) => (all += part)); process.stdin.on("end", () => { process.stdout.write("in:" + all); process.stderr.write("err"); });',
  shell: 'printf "in:"; cat; printf err >&2\n',
};

const words: Sources = {
  python: 'import sys, json\nprint(json.dumps(sys.argv[1:]))\n',
  javascript: 'console.log(JSON.stringify(process.argv.slice(2)))',
};

const environment: Sources = {
  python: 'import os, json\nprint(json.dumps(dict(os.environ)))\n',
  javascript: 'console.log(JSON.stringify(process.env))',
};

const exits: Sources = {
  python: 'import sys\nsys.exit(7)\n',
  javascript: 'process.exit(7)',
  shell: 'exit 7\n',
};

const endless: Sources = {
  python: 'while True: pass\n',
  javascript: 'for (;;);',
  shell: 'while :; do :; done\n',
};

const chatty: Sources = {
  python: 'import sys\nprint("ready", flush=True)\nwhile True: pass\n',
  javascript: 'console.log("ready"); setImmediate(() => { for (;;); });',
  shell: 'echo ready; while :; do :; done\n',
};

const flood: Sources = {
  python: 'while True: print("x" * 100)\n',
  javascript:
    'const line = "x".repeat(100) + "\\n"; const more = () => process.stdout.write(line, more); more();',
  shell:
    'while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done\n',
};

const hoarder: Sources = {
  python: 'kept = []\nwhile True: kept.append(bytearray(b"x") * 1000000)\n',
  javascript: 'const kept = []; for (;;) kept.push(new Array(100000).fill(kept.length + 0.5));',
};

const filler: Sources = {
  python:
    'with open("big", "wb") as file:\n  while True:\n    file.write(b"x" * 1000000)\n    file.flush()\n',
  shell: 'while :; do head -c 1000000 /dev/zero >> big || exit 9; done\n',
};

/** Writes to a file again and again, in its own session, after its parent has exited. */
const survivor = [
  'import os, time',
  'if os.fork() == 0:',
  '  os.setsid()',
  '  if os.fork() > 0: os._exit(0)',
  '  for stream in range(3): os.close(stream)',
  '  while True:',
  '    with open("beats", "a") as file: file.write("x")',
  '    time.sleep(0.02)',
  'while not os.path.exists("beats"): time.sleep(0.01)',
  'print("ready", flush=True)',
].join('\n');

/** Creates every kind of entry that a folder can have, as far as possible. */
const oddFiles = `
import os, socket
os.makedirs("full/empty")
open("full/file", "w").write("kept")
for make in (
  lambda: os.symlink("full/file", "link"), lambda: os.symlink("/etc/passwd", "away"), lambda: os.symlink("full", "full/folder-link"),
  lambda: os.link("full/file", "twin"), lambda: os.mkfifo("full/pipe"), lambda: socket.socket(socket.AF_UNIX).bind("socket"),
):
  try: make()
  except Exception as error: print(error)
`;

/** Prints one line for each entry: its kind, its path, and whether it has several names. */
const listFiles = `
import os, stat
for folder, folders, files in os.walk("."):
  for name in folders + files:
    path = os.path.join(folder, name)[2:]
    of = os.lstat(path)
    kind = "file" if stat.S_ISREG(of.st_mode) else "folder" if stat.S_ISDIR(of.st_mode) else "other"
    if "__pycache__" not in path: print(kind, path, *(["links"] if kind == "file" and of.st_nlink > 1 else []))
`;

/**
 * The laws of a sandbox, whatever the provider. `start` tries only the laws on starting, limiting and ending the
 * process of a program. It fits a provider that differs only there from one that is tested by all laws.
 */
export function describeSandboxContract(subject: Subject, laws: 'all' | 'start' = 'all'): void {
  describe(`${subject.title}: the contract of sandboxes`, () => {
    let provider: SandboxProvider;
    beforeAll(async () => {
      process.env[canary] = 'secret';
      provider = await subject.provider();
    });
    afterAll(async () => {
      delete process.env[canary];
      await provider?.[Symbol.asyncDispose]();
    });
    const open = (limits: Partial<Limits> = {}): Promise<Sandbox> =>
      provider.open({ limits: { ...suiteLimits, ...limits }, needs: {}, signal: never });
    const inEach = async (
      sources: Sources,
      check: (sandbox: Sandbox, language: Language, source: string) => Promise<void>,
    ): Promise<void> => {
      const languages = spokenLanguages(await opened(open), sources);
      for (const language of languages) {
        await using sandbox = await open();
        await check(sandbox, language, sources[language] ?? '');
      }
    };
    describeStreams(inEach);
    describeLimits(inEach);
    describeAborts(inEach);
    describeSessions(subject, { provider: () => provider, open });
    if (laws === 'start') return;
    describeRunning(inEach);
    describeFiles(open);
    describeSnapshotContent({ provider: () => provider, open });
    describeSnapshots({ provider: () => provider, open });
    if (subject.startsProcesses !== false) describeChildren(open);
    describeConversations(open);
    describeMisuse({ provider: () => provider, make: () => subject.provider() });
    describeFolders(open);
  });
}

/** A sandbox that was opened and closed, which still lists its interpreters. */
async function opened(open: () => Promise<Sandbox>): Promise<Sandbox> {
  await using sandbox = await open();
  return sandbox;
}

type InEach = (
  sources: Sources,
  check: (sandbox: Sandbox, language: Language, source: string) => Promise<void>,
) => Promise<void>;

/** What depends on how a program's process is started: its streams and its environment. */
function describeStreams(inEach: InEach): void {
  it('passes on stdin, separates both output streams and reports the exit code', () =>
    inEach(echo, async (sandbox, language, source) => {
      const result = await runSource(sandbox, { language, source }, { stdin: 'ünï\n' });
      expect(result).toMatchObject({
        kind: 'exited',
        code: 0,
        stdout: { text: 'in:ünï\n', truncated: false },
        stderr: { text: 'err', truncated: false },
      });
      expect(result.ms).toBeGreaterThan(0);
      expect(await runSource(sandbox, { language, source })).toMatchObject({
        kind: 'exited',
        stdout: { text: 'in:' },
      });
    }));

  it('accepts a megabyte on stdin, even for a program that does not read it', () =>
    inEach({ ...words, shell: 'exit 0\n' }, async (sandbox, language, source) => {
      expect(
        await runSource(sandbox, { language, source }, { stdin: new Uint8Array(1e6).fill(120) }),
      ).toMatchObject({ kind: 'exited', code: 0 });
    }));

  it('gives the requested environment and nothing of this process', () =>
    inEach(environment, async (sandbox, language, source) => {
      const result = await runSource(sandbox, { language, source }, { env: { CHOSEN: 'a=b c' } });
      const seen = JSON.parse(result.stdout.text) as Record<string, string>;
      expect(seen).toMatchObject({ CHOSEN: 'a=b c' });
      for (const name of ['PATH', 'HOME', 'LANG']) expect(seen[name]).toBeTypeOf('string');
      expect(Object.keys(seen)).not.toContain(canary);
    }));
}

function describeRunning(inEach: InEach): void {
  it('passes words on unchanged, without a shell', () =>
    inEach(words, async (sandbox, language, source) => {
      const given = ['', 'a b', '$HOME', '`id`', '"', "'", '*', ';exit 3', '-c', '--help', 'ü\n'];
      const result = await runSource(sandbox, { language, source, words: given });
      expect(JSON.parse(result.stdout.text)).toEqual(given);
    }));

  it('reports exit codes', () =>
    inEach(exits, async (sandbox, language, source) => {
      expect(await runSource(sandbox, { language, source })).toMatchObject({ kind: 'exited', code: 7 });
    }));

  it('reports exit codes that stand for signals as shells do, and never as a limit', () =>
    inEach(
      {
        python: 'import os, sys\nos._exit(int(sys.argv[1]))\n',
        javascript: 'process.exit(Number(process.argv[2]))',
        shell: 'exit $1\n',
      },
      async (sandbox, language, source) => {
        const signals: Readonly<Record<number, string>> = { 137: 'SIGKILL', 139: 'SIGSEGV', 152: 'SIGXCPU' };
        for (const [code, signal] of Object.entries(signals))
          expect(await runSource(sandbox, { language, source, words: [code] })).toMatchObject({
            kind: 'crashed',
            signal,
          });
        expect(await runSource(sandbox, { language, source, words: ['200'] })).toMatchObject({
          kind: 'exited',
          code: 200,
        });
      },
    ));

  it('runs in the requested folder, inside the work folder only', () =>
    inEach(
      { python: 'open("here", "w").write("x")\n', shell: 'echo x > here\n' },
      async (sandbox, language, source) => {
        await sandbox.write('a/b/c', '', { signal: never });
        expect(await runSource(sandbox, { language, source }, { folder: 'a/b' })).toMatchObject({
          kind: 'exited',
          code: 0,
        });
        expect(await readText(sandbox, 'a/b/here')).toMatch(/^x/);
        const command = [...(sandbox.interpreters[language] ?? ['sh']), 'x'] as const;
        await expect(sandbox.exec(command, { signal: never, folder: '../..' })).rejects.toThrow(UsageError);
        await expect(sandbox.exec(command, { signal: never, folder: 'missing' })).rejects.toThrow(/missing/);
      },
    ));

  it('refuses words and variables with a NUL, and invalid variable names', () =>
    inEach(words, async (sandbox, language) => {
      const interpreter = sandbox.interpreters[language] ?? ['sh'];
      await expect(sandbox.exec([...interpreter, 'a\0b'], { signal: never })).rejects.toThrow(UsageError);
      await expect(sandbox.exec(interpreter, { signal: never, env: { A: 'a\0b' } })).rejects.toThrow(
        UsageError,
      );
      await expect(sandbox.exec(interpreter, { signal: never, env: { 'A=B': 'x' } })).rejects.toThrow(
        UsageError,
      );
    }));

  it('refuses more words and variables than the system passes on', () =>
    inEach(exits, async (sandbox, language, source) => {
      const long = 'x'.repeat(2 ** 17);
      const interpreter = sandbox.interpreters[language] ?? ['sh'];
      await expect(sandbox.exec([...interpreter, long], { signal: never })).rejects.toThrow(UsageError);
      const words = (count: number, bytes: number): readonly string[] =>
        Array.from({ length: count }, () => 'x'.repeat(bytes));
      const variables = (count: number, bytes: number): Readonly<Record<string, string>> =>
        Object.fromEntries(words(count, bytes).map((value, at) => [`V${at}`, value]));
      await expect(
        sandbox.exec([...interpreter, ...words(commandBounds.words, 0)], { signal: never }),
      ).rejects.toThrow(UsageError);
      await expect(
        sandbox.exec([...interpreter, ...words(9, commandBounds.allBytes / 9)], { signal: never }),
      ).rejects.toThrow(UsageError);
      await expect(sandbox.exec(interpreter, { signal: never, env: { LONG: long } })).rejects.toThrow(
        UsageError,
      );
      await expect(
        sandbox.exec(interpreter, { signal: never, env: variables(commandBounds.variables + 1, 0) }),
      ).rejects.toThrow(UsageError);
      await expect(
        sandbox.exec(interpreter, { signal: never, env: variables(9, commandBounds.allBytes / 9) }),
      ).rejects.toThrow(UsageError);
      for (const [most, bytes] of [
        [[commandBounds.words - 8, commandBounds.variables], 100],
        [[6, 6], 2 ** 17 - 100],
      ] as const) {
        expect(
          await runSource(
            sandbox,
            { language, source, words: words(most[0], bytes) },
            { env: variables(most[1], bytes) },
          ),
        ).toMatchObject({ kind: 'exited', code: 7 });
      }
      expect(await runSource(sandbox, { language, source, words: [long.slice(1)] })).toMatchObject({
        kind: 'exited',
        code: 7,
      });
    }));

  it('accepts many calls on one signal without a warning', () =>
    inEach({ javascript: 'process.exit(7)', shell: 'exit 7\n' }, async (sandbox, language, source) => {
      const warnings: string[] = [];
      const hear = ({ message }: Error): void => void warnings.push(message);
      process.on('warning', hear);
      const { signal } = new AbortController();
      const calls = Array.from({ length: 12 }, (_, index) =>
        runSource(sandbox, { language, name: `p${index}`, source }, { signal }),
      );
      expect((await Promise.all(calls)).map(({ kind }) => kind)).toEqual(calls.map(() => 'exited'));
      process.off('warning', hear);
      expect(warnings).toEqual([]);
    }));

  it('replaces bytes that are not UTF-8 in the text', () =>
    inEach(
      { python: 'import sys\nsys.stdout.buffer.write(b"a\\xffb")\n', shell: "printf 'a\\377b'\n" },
      async (sandbox, language, source) => {
        expect(await runSource(sandbox, { language, source })).toMatchObject({
          stdout: { text: 'a\uFFFDb' },
        });
      },
    ));
}

function describeLimits(inEach: InEach): void {
  it('kills a program at its limit on wall time', () =>
    inEach(endless, async (sandbox, language, source) => {
      expect(await runSource(sandbox, { language, source }, { limits: { wallMs: 400 } })).toMatchObject({
        kind: 'killed',
        by: 'wall',
      });
    }));

  it('kills a program at its limit on processor time', () =>
    inEach(endless, async (sandbox, language, source) => {
      expect(await runSource(sandbox, { language, source }, { limits: { cpuMs: 400 } })).toMatchObject({
        kind: 'killed',
        by: 'cpu',
      });
    }));

  it('kills a program at its limit on memory', () =>
    inEach(hoarder, async (sandbox, language, source) => {
      expect(
        await runSource(sandbox, { language, source }, { limits: { memoryBytes: 256 * 2 ** 20 } }),
      ).toMatchObject({ kind: 'killed', by: 'memory' });
    }));

  it('kills a program that prints too much, and keeps what came before', () =>
    inEach(flood, async (sandbox, language, source) => {
      let heard = 0;
      const onOutput = (_stream: string, bytes: Uint8Array): void => void (heard += bytes.byteLength);
      const result = await runSource(
        sandbox,
        { language, source },
        { limits: { outputBytes: 1000 }, onOutput },
      );
      expect(result).toMatchObject({
        kind: 'killed',
        by: 'output',
        stdout: { truncated: true },
        stderr: { text: '', truncated: false },
      });
      expect(result.stdout.text).toMatch(/^x{50}/);
      expect(result.stdout.text).toHaveLength(1000);
      expect(heard).toBe(1000);
    }));

  it('limits what a program writes to files, and stays usable', () =>
    inEach(filler, async (sandbox, language, source) => {
      const result = await runSource(sandbox, { language, source });
      if (result.kind === 'killed') expect(result.by).toBe('disk');
      else expect(result).not.toMatchObject({ kind: 'exited', code: 0 });
      await expect(
        sandbox.read('big', { signal: never, maxBytes: 2 * suiteLimits.diskBytes }),
      ).resolves.toSatisfy(
        (bytes: Uint8Array | undefined) => bytes === undefined || bytes.byteLength <= suiteLimits.diskBytes,
      );
    }));

  it('refuses wider limits than its own', () =>
    inEach(endless, async (sandbox, language, source) => {
      const wider = { memoryBytes: suiteLimits.memoryBytes + 1 };
      await expect(runSource(sandbox, { language, source }, { limits: wider })).rejects.toThrow(UsageError);
    }));
}

function describeAborts(inEach: InEach): void {
  it('kills a program when its caller aborts, and reports output as it comes', () =>
    inEach(chatty, async (sandbox, language, source) => {
      const controller = new AbortController();
      const reason = new Error('enough');
      const onOutput = (): void => controller.abort(reason);
      await expect(
        runSource(sandbox, { language, source }, { signal: controller.signal, onOutput }),
      ).rejects.toBe(reason);
      expect(await runSource(sandbox, { language, source: exits[language] ?? '' })).toMatchObject({
        kind: 'exited',
        code: 7,
      });
    }));

  it('rejects with the error of a listener that throws, and stays usable', () =>
    inEach(chatty, async (sandbox, language, source) => {
      const reason = new Error('deaf');
      const onOutput = (): void => {
        throw reason;
      };
      await expect(runSource(sandbox, { language, source }, { onOutput })).rejects.toBe(reason);
      expect(await runSource(sandbox, { language, source: exits[language] ?? '' })).toMatchObject({
        kind: 'exited',
        code: 7,
      });
    }));

  it('does nothing for a caller whose signal was aborted before', () =>
    inEach(exits, async (sandbox, language) => {
      const gone = AbortSignal.abort(new Error('gone'));
      await expect(sandbox.exec(sandbox.interpreters[language] ?? ['sh'], { signal: gone })).rejects.toThrow(
        'gone',
      );
      await expect(sandbox.write('x', '', { signal: gone })).rejects.toThrow('gone');
      await expect(sandbox.read('x', { signal: gone, maxBytes: 1 })).rejects.toThrow('gone');
      await expect(sandbox.converse(language, { signal: gone })).rejects.toThrow('gone');
    }));
}

function describeSessions(
  subject: Subject,
  { provider, open }: { readonly provider: () => SandboxProvider; readonly open: Open },
): void {
  it('works here and declares what it isolates', async () => {
    expect(await provider().unavailable(never)).toBeUndefined();
    await using sandbox = await open();
    expect(Object.keys(sandbox.guarantees).toSorted()).toEqual(Object.keys(guaranteeLevels).toSorted());
    expect(sandbox.guarantees).toEqual(provider().guarantees);
    expect(Object.keys(sandbox.interpreters)).not.toEqual([]);
  });

  it('refuses limits that are not whole numbers within bounds, when it opens and when they are narrowed', async () => {
    await using sandbox = await open();
    const [language = 'shell'] = spokenLanguages(sandbox, exits);
    const command = sandbox.interpreters[language] ?? ['sh'];
    await using conversation = await sandbox.converse(language, { signal: never });
    const bad = {
      wallMs: [Infinity, 3e9, 0, -1, Number.NaN, 1.5],
      cpuMs: [Number.NaN, 0],
      memoryBytes: [-1, Number.NaN, 1000],
      pids: [1, 0, Infinity],
      diskBytes: [-1, 0],
      outputBytes: [-1, Number.NaN],
    };
    for (const [name, values] of Object.entries(bad)) {
      for (const value of values) {
        const limits = { [name]: value };
        const says = new RegExp(`limit ${name} .*must be an integer from`);
        await expect(
          provider().open({ limits: { ...suiteLimits, ...limits }, needs: {}, signal: never }),
        ).rejects.toThrow(says);
        await expect(sandbox.exec(command, { signal: never, limits })).rejects.toThrow(says);
        await expect(conversation.say('1', { signal: never, limits })).rejects.toThrow(says);
      }
    }
    expect(conversation.live).toBe(true);
  });

  it('runs a program under the least limits allowed', async () => {
    const [wallMs, memoryBytes, pids, diskBytes] = [
      20_000,
      limitBounds.memoryBytes[0],
      limitBounds.pids[0],
      limitBounds.diskBytes[0],
    ];
    await using sandbox = await open({ wallMs, memoryBytes, pids, diskBytes });
    if (sandbox.interpreters.shell === undefined) return;
    expect(await sandbox.exec(['sh', '-c', 'echo well'], { signal: never })).toMatchObject({
      kind: 'exited',
      code: 0,
      stdout: { text: 'well\n' },
    });
    await using wide = await open();
    expect(
      await wide.exec(['sh', '-c', 'echo well'], { signal: never, limits: { pids, memoryBytes } }),
    ).toMatchObject({ kind: 'exited', code: 0, stdout: { text: 'well\n' } });
  });

  it('refuses needs that it does not meet', async () => {
    for (const aspect of Object.keys(guaranteeLevels) as (keyof Guarantees)[]) {
      const most = guaranteeLevels[aspect].at(-1);
      if (most === provider().guarantees[aspect]) continue;
      await expect(
        provider().open({ limits: suiteLimits, needs: { [aspect]: most }, signal: never }),
      ).rejects.toThrow(UsageError);
      return;
    }
  });

  it('keeps two sandboxes apart', async () => {
    await using first = await open();
    await using second = await open();
    await first.write('mine', 'first', { signal: never });
    expect(await readText(second, 'mine')).toBeUndefined();
    await second.write('mine', 'second', { signal: never });
    expect(await readText(first, 'mine')).toBe('first');
  });

  it('runs several programs at once', async () => {
    await using sandbox = await open();
    const [language] = spokenLanguages(sandbox, { python: '', shell: '', javascript: '' });
    if (language === undefined) throw new Error('it runs no language');
    const sources: Sources = { python: 'print(%)', javascript: 'console.log(%)', shell: 'echo %' };
    const results = await Promise.all(
      [0, 1, 2, 3].map((index) =>
        runSource(sandbox, {
          language,
          name: `p${index}`,
          source: (sources[language] ?? '').replace('%', String(index)),
        }),
      ),
    );
    expect(results.map(({ stdout }) => stdout.text.trim())).toEqual(['0', '1', '2', '3']);
  });

  it('refuses calls after its disposal, which may happen twice', async () => {
    const sandbox = await open();
    const [language = 'shell'] = spokenLanguages(sandbox, { python: '', shell: '', javascript: '' });
    await sandbox[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
    await expect(sandbox.exec(['true'], { signal: never })).rejects.toThrow(UsageError);
    await expect(sandbox.read('x', { signal: never, maxBytes: 1 })).rejects.toThrow(UsageError);
    await expect(sandbox.write('x', '', { signal: never })).rejects.toThrow(UsageError);
    await expect(sandbox.converse(language, { signal: never })).rejects.toThrow(UsageError);
    if (sandbox.snapshot !== undefined)
      await expect(sandbox.snapshot({ signal: never })).rejects.toThrow(UsageError);
  });

  it('ends what runs when it or its provider is disposed', async () => {
    const own = await subject.provider();
    const start = async (): Promise<{ readonly sandbox: Sandbox; readonly ended: Promise<string> }> => {
      const sandbox = await own.open({ limits: suiteLimits, needs: {}, signal: never });
      const [language = 'shell'] = spokenLanguages(sandbox, chatty);
      let hear = (): void => undefined;
      const ready = new Promise<void>((resolve) => (hear = resolve));
      const running = runSource(
        sandbox,
        { language, source: chatty[language] ?? '' },
        { onOutput: () => hear() },
      );
      const ended = running.then(
        ({ kind }) => kind,
        (thrown: unknown) => (UsageError.is(thrown) ? 'rejected' : String(thrown)),
      );
      await ready;
      return { sandbox, ended };
    };
    const [first, second] = [await start(), await start()];
    await first.sandbox[Symbol.asyncDispose]();
    expect(await first.ended).toBe('rejected');
    await own[Symbol.asyncDispose]();
    expect(await second.ended).toBe('rejected');
    await expect(own.open({ limits: suiteLimits, needs: {}, signal: never })).rejects.toThrow(UsageError);
  });
}

function describeSnapshotContent({
  provider,
  open,
}: {
  readonly provider: () => SandboxProvider;
  readonly open: Open;
}): void {
  it('opens a snapshot with the files of that moment', async () => {
    await using first = await open();
    if (first.snapshot === undefined) return;
    await first.write('a/file', 'then', { signal: never });
    await using from = await first.snapshot({ signal: never });
    await first.write('a/file', 'later', { signal: never });
    const limits = suiteLimits;
    for (let round = 0; round < 2; round += 1) {
      await using second = await provider().open({ limits, needs: {}, signal: never, from });
      expect(await readText(second, 'a/file')).toBe('then');
      await second.write('a/file', 'changed', { signal: never });
    }
    expect(await readText(first, 'a/file')).toBe('later');
    const foreign = { provider: 'another', [Symbol.asyncDispose]: () => Promise.resolve() };
    await expect(provider().open({ limits, needs: {}, signal: never, from: foreign })).rejects.toThrow(
      UsageError,
    );
  });

  it('keeps regular files and folders in a snapshot, and nothing else', async () => {
    await using first = await open();
    if (first.snapshot === undefined || first.interpreters.python === undefined) return;
    await runSource(first, { language: 'python', name: 'make', source: oddFiles });
    await first.write('list.py', listFiles, { signal: never });
    const list = async (sandbox: Sandbox): Promise<readonly string[]> =>
      (
        await sandbox.exec([...(sandbox.interpreters.python ?? ['python3']), 'list.py'], { signal: never })
      ).stdout.text
        .trim()
        .split('\n')
        .toSorted();
    const kept = (await list(first))
      .filter((line) => /^(file|folder) /.test(line))
      .map((line) => line.replace(/ links$/, ''));
    expect(kept).toContain('folder full/empty');
    await using from = await first.snapshot({ signal: never });
    await using second = await provider().open({ limits: suiteLimits, needs: {}, signal: never, from });
    expect(await list(second)).toEqual(kept);
    expect(await readText(second, 'full/file')).toBe('kept');
  });

  it.each([
    ['a name that is not UTF-8', 'open(b"caf\\xe9", "w").write("x")'],
    ['folders in folders', 'for n in range(120):\n  os.mkdir("d"); os.chdir("d")'],
    ['a file that nobody may read', 'open("closed", "w").write("x"); os.chmod("closed", 0)'],
    ['a sparse file above the limit', 'open("hole", "wb").truncate(10**11)'],
    ['a folder that nobody may enter', 'os.mkdir("shut"); open("shut/x", "w"); os.chmod("shut", 0)'],
  ])('keeps %s in a snapshot, or explains what to do', async (_title, source) => {
    await using sandbox = await open();
    if (sandbox.snapshot === undefined || sandbox.interpreters.python === undefined) return;
    await runSource(sandbox, { language: 'python', source: `import os\n${source}\n` });
    const came = await sandbox.snapshot({ signal: never }).catch((thrown: unknown) => thrown);
    if (came instanceof Error)
      expect(UsageError.is(came) && came.message).toMatch(
        /sandbox\.snapshot, ".*(no UTF-8|100 deep|read it|bytes)/,
      );
    else
      await provider()
        .open({ limits: suiteLimits, needs: {}, signal: never, from: came as Snapshot })
        .then((next) => next[Symbol.asyncDispose]());
  });
}

/** Whether the kernel reports which program hit which limit. */
const describesAll = ({ memory, pids }: Guarantees): boolean => memory === 'enforced' && pids === 'enforced';

function describeChildren(open: Open): void {
  it('reports crashes by their signal', async () => {
    await using sandbox = await open();
    expect(await sandbox.exec(['sh', '-c', 'kill -SEGV $$'], { signal: never })).toMatchObject({
      kind: 'crashed',
      signal: 'SIGSEGV',
    });
    expect(await sandbox.exec(['sh', '-c', 'kill -ABRT $$'], { signal: never })).toMatchObject({
      kind: 'crashed',
      signal: 'SIGABRT',
    });
  });

  it('reports the limit that a program hit, even when the program caught the error', async () => {
    await using sandbox = await open({ diskBytes: 4 * 2 ** 20 });
    const ends: Readonly<Record<string, string>> = {
      'open("big", "wb").write(b"x" * 5000000)': 'disk',
      'try:\n  kept = []\n  while True: kept.append(bytearray(b"x") * 1000000)\nexcept MemoryError: print("caught")':
        'memory',
      'import threading, time\ntry:\n  for n in range(500): threading.Thread(target=time.sleep, args=(0.2,)).start()\nexcept RuntimeError: print("caught")':
        'pids',
    };
    if (!describesAll(sandbox.guarantees)) return;
    for (const [source, by] of Object.entries(ends)) {
      expect(
        await runSource(
          sandbox,
          { language: 'python', source },
          { limits: { memoryBytes: 128 * 2 ** 20, pids: 32 } },
        ),
      ).toMatchObject({ kind: 'killed', by });
      await sandbox.exec(['rm', '-f', 'big'], { signal: never });
    }
  });

  it('reports the limit on files for the program that took the last room, and for no later one', async () => {
    await using sandbox = await open({ diskBytes: 4 * 2 ** 20 });
    const fill = 'head -c 9000000 /dev/zero >big 2>/dev/null';
    expect(await sandbox.exec(['sh', '-c', `${fill}; exit 0`], { signal: never })).toMatchObject({
      kind: 'exited',
      code: 0,
    });
    expect(await sandbox.exec(['sh', '-c', 'exit 3'], { signal: never })).toMatchObject({
      kind: 'exited',
      code: 3,
    });
    expect(await sandbox.exec(['sh', '-c', 'kill -SEGV $$'], { signal: never })).toMatchObject({
      kind: 'crashed',
      signal: 'SIGSEGV',
    });
    expect(await sandbox.exec(['no-such-program'], { signal: never })).toMatchObject({ kind: 'exited' });
    expect(await sandbox.exec(['sh', '-c', 'rm big; exit 3'], { signal: never })).toMatchObject({
      kind: 'exited',
      code: 3,
    });
    expect(await sandbox.exec(['sh', '-c', `${fill}; exit 3`], { signal: never })).toMatchObject({
      kind: 'killed',
      by: 'disk',
    });
    await sandbox.exec(['rm', 'big'], { signal: never });
    await using conversation = await sandbox.converse('shell', { signal: never });
    expect(await conversation.say(`${fill}; true`, { signal: never })).toMatchObject({
      kind: 'exited',
      code: 0,
    });
    expect(await conversation.say('exit 3', { signal: never })).toMatchObject({ kind: 'exited', code: 3 });
  });

  it('reports a missing program as shells do', async () => {
    await using sandbox = await open();
    const result = await sandbox.exec(['no-such-program'], { signal: never });
    expect(result.kind).toBe('exited');
    expect(result.kind === 'exited' && result.code).toSatisfy((code) => code === 126 || code === 127);
  });

  it('limits the number of processes', async () => {
    await using sandbox = await open();
    const source =
      'import os, time\nfor count in range(200):\n  if os.fork() == 0:\n    time.sleep(30)\n    os._exit(0)\nprint("all")\n';
    const result = await runSource(sandbox, { language: 'python', source }, { limits: { pids: 16 } });
    expect(result.stdout.text).not.toContain('all');
    if (result.kind === 'killed') expect(result.by).toBe('pids');
    else expect(result).toMatchObject({ kind: 'exited', code: 1 });
  });

  it.each(['returns', 'is aborted', 'hits a limit'])(
    'leaves no child when a call %s, whatever the child did to escape',
    async (how) => {
      await using sandbox = await open();
      const controller = new AbortController();
      const stays = how === 'returns' ? '' : '\nwhile True: time.sleep(1)\n';
      const options = {
        signal: controller.signal,
        ...(how === 'hits a limit' && { limits: { wallMs: 1500 } }),
        ...(how === 'is aborted' && { onOutput: () => controller.abort(new Error('enough')) }),
      };
      const ended = await runSource(sandbox, { language: 'python', source: survivor + stays }, options).then(
        (result) => result.kind,
        (thrown: unknown) => (thrown as Error).message,
      );
      expect(ended).toBe({ returns: 'exited', 'is aborted': 'enough', 'hits a limit': 'killed' }[how]);
      const before = await readText(sandbox, 'beats');
      await sleep(200);
      expect(before).toMatch(/^x+$/);
      expect(await readText(sandbox, 'beats')).toBe(before);
    },
  );
}
