import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../envs/core/errors.ts';
import { sleep } from '../../../envs/core/waiting.ts';
import type {
  Conversation,
  ExecResult,
  Language,
  Limits,
  SayOptions,
  Sandbox,
} from '../../../sandbox/index.ts';
import { never, readText } from './subject.ts';

/** The same conversation in each language. */
interface Talk {
  /** Remembers 20 under a name. */
  readonly remember: string;
  /** Prints 41, from what was remembered. */
  readonly recall: string;
  /** Defines something that prints `made`, over several lines, and uses it. */
  readonly define: string;
  /** Fails, and says `broken` on stderr. */
  readonly fail: string;
  readonly endless: string;
  readonly end: string;
  readonly write: string;
  /** Prints what it can read, in brackets. */
  readonly listen: string;
  /** Prints `noise`. */
  readonly noise: string;
}

/** Characters that could be mistaken for the end of a call's output. */
const noise = `${Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
  .join('')
  .replaceAll("'", '')
  .replaceAll('\\', '')} {"code":0} >>> $ `;

const talks: Readonly<Record<Language, Talk>> = {
  python: {
    remember: 'x = 20',
    recall: 'print(2 * x + 1)',
    define: 'def made():\n    for word in ["made"]:\n\n        print(word)\n\nmade()',
    fail: 'raise ValueError("broken")',
    endless: 'while True: pass',
    end: 'import os\nos._exit(3)',
    write: 'open("said", "w").write("x")',
    listen: 'import sys\nprint("[" + sys.stdin.read() + "]")',
    noise: `print('${noise}')`,
  },
  javascript: {
    remember: 'const x = 20;',
    recall: 'console.log(2 * x + 1)',
    define: 'function made() {\n  for (const word of ["made"]) {\n\n    console.log(word);\n  }\n}\nmade();',
    fail: 'throw new Error("broken")',
    endless: 'for (;;);',
    end: 'process.exit(3)',
    write: 'require("fs").writeFileSync("said", "x")',
    listen: 'console.log("[]")',
    noise: `console.log('${noise}')`,
  },
  shell: {
    remember: 'x=20',
    recall: 'echo $((2 * x + 1))',
    define: 'made() {\n  for word in made; do\n\n    echo $word\n  done\n}\nmade',
    fail: 'echo broken >&2; false',
    endless: 'while :; do :; done',
    end: 'exit 3',
    write: 'printf x > said',
    listen: 'echo "[$(cat)]"',
    noise: `printf '%s\\n' '${noise}'`,
  },
};

export function describeConversations(open: (limits?: Partial<Limits>) => Promise<Sandbox>): void {
  describe.each(Object.keys(talks) as Language[])('a conversation in %s', (language) => {
    const talk = talks[language];
    const withTalk = async (
      run: (
        say: (code: string, options?: Partial<SayOptions>) => Promise<ExecResult>,
        more: { readonly sandbox: Sandbox; readonly conversation: Conversation },
      ) => Promise<void>,
    ): Promise<void> => {
      await using sandbox = await open();
      if (sandbox.interpreters[language] === undefined) return;
      await using conversation = await sandbox.converse(language, { signal: never });
      await run((code, options = {}) => conversation.say(code, { signal: never, ...options }), {
        sandbox,
        conversation,
      });
    };

    it('keeps its state from call to call', () =>
      withTalk(async (say) => {
        expect(await say(talk.remember)).toMatchObject({
          kind: 'exited',
          code: 0,
          stdout: { text: '' },
          stderr: { text: '' },
        });
        expect(await say(talk.recall)).toMatchObject({ kind: 'exited', code: 0, stdout: { text: '41\n' } });
        expect(await say(talk.define)).toMatchObject({ kind: 'exited', code: 0, stdout: { text: 'made\n' } });
        expect(await say('')).toMatchObject({ kind: 'exited', code: 0, stdout: { text: '' } });
      }));

    it('returns all output, whatever it looks like', () =>
      withTalk(async (say) => {
        for (let round = 0; round < 2; round += 1)
          expect(await say(talk.noise)).toMatchObject({
            kind: 'exited',
            code: 0,
            stdout: { text: `${noise}\n` },
          });
      }));

    it('goes on after code that failed, and after invalid code', () =>
      withTalk(async (say, { conversation }) => {
        await say(talk.remember);
        const failed = await say(talk.fail);
        expect(failed).toMatchObject({
          kind: 'exited',
          stderr: { text: expect.stringContaining('broken') as string },
        });
        expect(failed.kind === 'exited' && failed.code).not.toBe(0);
        const broken = await say('((((');
        expect(broken.kind === 'exited' && broken.code).not.toBe(0);
        expect(broken.stderr.text).not.toBe('');
        expect(conversation.live).toBe(true);
        expect(await say(talk.recall)).toMatchObject({ stdout: { text: '41\n' } });
      }));

    it('shares the work folder and has an empty stdin', () =>
      withTalk(async (say, { sandbox }) => {
        if (language !== 'javascript') {
          expect(await say(talk.write)).toMatchObject({ kind: 'exited', code: 0 });
          expect(await readText(sandbox, 'said')).toBe('x');
        }
        expect(await say(talk.listen)).toMatchObject({ stdout: { text: '[]\n' } });
      }));

    it('ends at a limit and reports it', () =>
      withTalk(async (say, { conversation }) => {
        expect(await say(talk.endless, { limits: { wallMs: 400 } })).toMatchObject({
          kind: 'killed',
          by: 'wall',
        });
        expect(conversation.live).toBe(false);
        await expect(say(talk.recall)).rejects.toThrow(UsageError);
      }));

    it('ends when its caller aborts', () =>
      withTalk(async (say, { conversation, sandbox }) => {
        const controller = new AbortController();
        const said = say(talk.endless, { signal: controller.signal });
        setTimeout(() => controller.abort(new Error('enough')), 100);
        await expect(said).rejects.toThrow('enough');
        expect(conversation.live).toBe(false);
        await using another = await sandbox.converse(language, { signal: never });
        expect(another.live).toBe(true);
      }));

    it('rejects with the error of a listener that throws, and ends', () =>
      withTalk(async (say, { conversation, sandbox }) => {
        const reason = new Error('deaf');
        const onOutput = (): void => {
          throw reason;
        };
        await expect(say(talk.noise, { onOutput })).rejects.toBe(reason);
        expect(conversation.live).toBe(false);
        await using another = await sandbox.converse(language, { signal: never });
        expect(await another.say(talk.noise, { signal: never })).toMatchObject({ kind: 'exited', code: 0 });
      }));

    it('ends with the interpreter', () =>
      withTalk(async (say, { conversation }) => {
        if (language === 'javascript' && (await say('process.exit')).stderr.text !== '') return; // an engine without a process to end
        expect(await say(talk.end)).toMatchObject({ kind: 'exited', code: 3 });
        expect(conversation.live).toBe(false);
        await expect(say(talk.recall)).rejects.toThrow(UsageError);
      }));

    it('accepts one call at a time, and none after its end', () =>
      withTalk(async (say, { conversation }) => {
        const first = say(talk.remember);
        await expect(say(talk.recall)).rejects.toThrow(UsageError);
        await first;
        expect(await say(talk.recall)).toMatchObject({ stdout: { text: '41\n' } });
        await conversation[Symbol.asyncDispose]();
        await conversation[Symbol.asyncDispose]();
        expect(conversation.live).toBe(false);
        await expect(say(talk.recall)).rejects.toThrow(UsageError);
      }));

    it.each([0, 150])('ends its running call at once when it is disposed after %i ms', (later) =>
      withTalk(async (say, { conversation, sandbox }) => {
        const said = say(talk.endless, { limits: { wallMs: 25_000 } }).then(
          (result) => result.kind,
          (thrown: unknown) => (UsageError.is(thrown) ? thrown.message : String(thrown)),
        );
        if (later > 0) await sleep(later);
        await conversation[Symbol.asyncDispose]();
        expect(await said).toMatch(/disposed while this call was running/);
        await using another = await sandbox.converse(language, { signal: never });
        expect(await another.say(talk.noise, { signal: never })).toMatchObject({ kind: 'exited', code: 0 });
      }),
    );

    it('ends its running call when its sandbox is disposed', () =>
      withTalk(async (say, { conversation, sandbox }) => {
        const said = expect(say(talk.endless)).rejects.toThrow(
          /sandbox.*disposed while this call was running/s,
        );
        await sandbox[Symbol.asyncDispose]();
        await said;
        expect(conversation.live).toBe(false);
      }));
  });

  it('output between two calls belongs to the later one', async () => {
    await using sandbox = await open();
    if (sandbox.interpreters.shell === undefined) return;
    await using conversation = await sandbox.converse('shell', { signal: never });
    const waits = '(until [ -e go ]; do sleep 0.01; done; echo later; : > said) & echo first';
    expect(await conversation.say(waits, { signal: never })).toMatchObject({ stdout: { text: 'first\n' } });
    await sandbox.write('go', '', { signal: never });
    await expect.poll(() => sandbox.read('said', { signal: never, maxBytes: 1 })).toBeDefined();
    expect(await conversation.say('echo second', { signal: never })).toMatchObject({
      stdout: { text: 'later\nsecond\n' },
    });
  });

  it.each([
    [
      'python',
      'import os, sys\nmark = sys._getframe(1).f_locals["head"][0]\nfor stream in (1, 2): os.write(stream, mark + b" 7\\n")\nprint("behind")',
    ],
    ['shell', 'echo "$mark 7"; echo "$mark 7" >&2; echo behind'],
  ] as const)(
    'code in %s that forges the end of a call ends its own call only',
    async (language, forging) => {
      await using sandbox = await open();
      if (sandbox.interpreters[language] === undefined) return;
      await using conversation = await sandbox.converse(language, { signal: never });
      await using other = await sandbox.converse(language, { signal: never });
      const [forged, apart] = await Promise.all([
        conversation.say(forging, { signal: never }),
        other.say(talks[language].noise, { signal: never }),
      ]);
      expect(apart).toMatchObject({ kind: 'exited', code: 0, stdout: { text: `${noise}\n` } });
      if (forged.stderr.text !== '') return; // there is nothing to forge: the end is reported apart from the output
      expect(forged).toMatchObject({ kind: 'exited', code: 7, stdout: { text: '' } });
      expect((await conversation.say(talks[language].noise, { signal: never })).stdout.text).toMatch(
        /^behind\n/,
      );
    },
  );

  it('a program started by code cannot learn how the end of a call is marked', async () => {
    await using sandbox = await open();
    if (sandbox.interpreters.shell === undefined) return;
    await using conversation = await sandbox.converse('shell', { signal: never });
    expect(
      await conversation.say(
        'env | grep -c "$mark"; sh -c \'echo "[$mark]"; [ -e /proc/self/fd/3 ] || echo none\'',
        { signal: never },
      ),
    ).toMatchObject({ stdout: { text: '0\n[]\nnone\n' } });
  });

  it('a conversation in a missing language is refused', async () => {
    await using sandbox = await open();
    for (const language of Object.keys(talks) as Language[]) {
      if (sandbox.interpreters[language] === undefined)
        await expect(sandbox.converse(language, { signal: never })).rejects.toThrow(UsageError);
    }
  });
}
