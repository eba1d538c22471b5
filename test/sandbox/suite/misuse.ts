import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../envs/core/errors.ts';
import type { Language, Limits, Sandbox, SandboxProvider } from '../../../sandbox/index.ts';
import { limitBounds } from '../../../sandbox/limits.ts';
import { never, readText, suiteLimits } from './subject.ts';

/** The outcome of a call: `done`, the message of a `UsageError`, or another thrown value. */
const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (thrown: unknown) => (UsageError.is(thrown) ? `usage: ${thrown.message}` : String(thrown)),
  );

const page = 4096;

/**
 * What every provider refuses, and what becomes of calls whose caller, sandbox or provider is gone.
 *
 * @param of.provider the one of all tests @param of.make makes another for the caller, who disposes of it
 */
export function describeMisuse(of: {
  readonly provider: () => SandboxProvider;
  readonly make: () => Promise<SandboxProvider>;
}): void {
  describe('misuse of a sandbox', () => {
    const open = (): Promise<Sandbox> =>
      of.provider().open({ limits: suiteLimits, needs: {}, signal: never });
    const withSandbox: WithSandbox = async (run) => {
      await using sandbox = await open();
      await run(sandbox, of.provider());
    };
    describeOptions(withSandbox);
    describeLateAborts(withSandbox);
    describeDisposals({ ...of, open });
    describeOldSnapshots(withSandbox);
  });
}

type WithSandbox = (run: (sandbox: Sandbox, provider: SandboxProvider) => Promise<void>) => Promise<void>;

function describeOptions(withSandbox: WithSandbox): void {
  it('a byte bound that is not a whole number is refused, with or without a file', () =>
    withSandbox(async (sandbox) => {
      await sandbox.write('four', '1234', { signal: never });
      for (const maxBytes of [Number.NaN, -1, 1.5, Infinity]) {
        for (const path of ['four', 'missing'])
          expect(await outcomeOf(sandbox.read(path, { signal: never, maxBytes }))).toMatch(
            /^usage: sandbox\.read, maxBytes: it must be an integer of at least 0, not /,
          );
      }
      expect(await outcomeOf(sandbox.read('four', { signal: never, maxBytes: 0 }))).toMatch(
        /^FaultError: .*more than the 0 bytes asked for|more than the 0 asked for/,
      );
      expect(
        await outcomeOf(sandbox.read('four', { signal: never, maxBytes: Number.MAX_SAFE_INTEGER })),
      ).toBe('done');
    }));

  it('an unknown limit is refused', () =>
    withSandbox(async (sandbox, provider) => {
      const misspelt = { wallMS: 1_000 };
      expect(
        await outcomeOf(sandbox.exec(['true'], { signal: never, limits: misspelt as Partial<Limits> })),
      ).toMatch(/^usage: limit wallMS of a program: this limit does not exist.*wallMs/);
      expect(
        await outcomeOf(provider.open({ limits: { ...suiteLimits, ...misspelt }, needs: {}, signal: never })),
      ).toMatch(/^usage: limit wallMS of a program/);
    }));

  it('content that is neither text nor bytes is refused, and so are variables that are not text', () =>
    withSandbox(async (sandbox) => {
      const odd = 5 as unknown as string;
      expect(await outcomeOf(sandbox.write('x', odd, { signal: never }))).toMatch(
        /^usage: sandbox\.write, content: /,
      );
      expect(await outcomeOf(sandbox.exec(['true'], { signal: never, stdin: odd }))).toMatch(
        /^usage: sandbox\.exec, stdin: /,
      );
      expect(await outcomeOf(sandbox.exec(['true'], { signal: never, env: { A: odd } }))).toMatch(
        /^usage: environment variable "A"/,
      );
    }));
}

function describeLateAborts(withSandbox: WithSandbox): void {
  it('an aborted write leaves the old file or the new one, whole', () =>
    withSandbox(async (sandbox) => {
      const whole = new Uint8Array(2 ** 20).fill(7);
      for (const ms of [0, 1, 5, 20, 60]) {
        await sandbox.write('file', 'old', { signal: never });
        const leaving = new AbortController();
        const writing = sandbox
          .write('file', whole, { signal: leaving.signal })
          .catch((thrown: unknown) => expect(thrown).toBe('enough'));
        await new Promise((resolve) => setTimeout(resolve, ms));
        leaving.abort('enough');
        await writing;
        expect([3, whole.length]).toContain(
          (await sandbox.read('file', { signal: never, maxBytes: 2 ** 21 }))?.length,
        );
      }
    }));

  it('a call whose caller aborts at once rejects with the reason, and writes nothing', () =>
    withSandbox(async (sandbox) => {
      await sandbox.write('kept', 'before', { signal: never });
      const leaving = async (
        call: (signal: AbortSignal) => Promise<unknown> | undefined,
      ): Promise<string> => {
        const caller = new AbortController();
        const outcome = outcomeOf(call(caller.signal) ?? Promise.reject(new Error('enough')));
        caller.abort(new Error('enough'));
        return outcome;
      };
      expect(await leaving((signal) => sandbox.write('kept', 'after', { signal }))).toBe('Error: enough');
      expect(await leaving((signal) => sandbox.write('fresh', 'after', { signal }))).toBe('Error: enough');
      expect(await leaving((signal) => sandbox.read('kept', { signal, maxBytes: 10 }))).toBe('Error: enough');
      expect(await leaving((signal) => sandbox.snapshot?.({ signal }))).toBe('Error: enough');
      const [language = 'shell'] = Object.keys(sandbox.interpreters) as Language[];
      expect(await leaving((signal) => sandbox.converse(language, { signal }))).toBe('Error: enough');
      expect([await readText(sandbox, 'kept'), await readText(sandbox, 'fresh')]).toEqual([
        'before',
        undefined,
      ]);
    }));

  it('a write uses the bytes given at the call, even when they change afterwards', () =>
    withSandbox(async (sandbox) => {
      const bytes = new TextEncoder().encode('one');
      const written = sandbox.write('file', bytes, { signal: never });
      bytes.fill(0);
      await written;
      expect(await readText(sandbox, 'file')).toBe('one');
    }));

  it('an opening whose signal aborts gives no sandbox', () =>
    withSandbox(async (_sandbox, provider) => {
      const caller = new AbortController();
      const opening = outcomeOf(provider.open({ limits: suiteLimits, needs: {}, signal: caller.signal }));
      caller.abort(new Error('enough'));
      expect(await opening).toBe('Error: enough');
    }));
}

function describeDisposals({
  make,
  open,
}: {
  readonly make: () => Promise<SandboxProvider>;
  readonly open: () => Promise<Sandbox>;
}): void {
  it('a file call during the disposal of its sandbox is wrong use', async () => {
    const calls: readonly ((sandbox: Sandbox) => Promise<unknown> | undefined)[] = [
      (sandbox) => sandbox.write('x', 'y', { signal: never }),
      (sandbox) => sandbox.read('x', { signal: never, maxBytes: 1 }),
      (sandbox) => sandbox.snapshot?.({ signal: never }),
    ];
    for (const call of calls) {
      const sandbox = await open();
      const called = call(sandbox);
      const outcome = called && outcomeOf(called);
      await sandbox[Symbol.asyncDispose]();
      if (outcome !== undefined)
        expect(await outcome).toMatch(/^usage: sandbox: it was disposed while this call was running/);
    }
  });

  it('a disposed provider opens nothing, even when asked just before, and reports nothing', async () => {
    const provider = await make();
    const opening = (): Promise<string> =>
      outcomeOf(provider.open({ limits: suiteLimits, needs: {}, signal: never }));
    const before = opening();
    await provider[Symbol.asyncDispose]();
    const disposed = /^usage: sandbox provider ".*": it was used after it was disposed/;
    expect(await before).toMatch(disposed);
    expect(await opening()).toMatch(disposed);
    expect(await outcomeOf(provider.unavailable(never))).toMatch(disposed);
  });
}

function describeOldSnapshots(withSandbox: WithSandbox): void {
  it('a disposed snapshot opens nothing', () =>
    withSandbox(async (sandbox, provider) => {
      const from = await sandbox.snapshot?.({ signal: never });
      if (from === undefined) return;
      await from[Symbol.asyncDispose]();
      expect(await outcomeOf(provider.open({ limits: suiteLimits, needs: {}, signal: never, from }))).toMatch(
        /^usage: sandbox snapshot: it was used after it was disposed/,
      );
    }));

  it('a file limit below the need of a snapshot is refused with both, and the need is enough', () =>
    withSandbox(async (sandbox, provider) => {
      for (let index = 0; index < 20; index += 1)
        await sandbox.write(`folder ${index}/small`, 'x', { signal: never });
      await sandbox.write('large', new Uint8Array(50 * page + 1), { signal: never });
      const from = await sandbox.snapshot?.({ signal: never });
      if (from === undefined) return;
      await using _kept = from;
      const open = (diskBytes: number): Promise<Sandbox> =>
        provider.open({ limits: { ...suiteLimits, diskBytes }, needs: {}, signal: never, from });
      const refused = await outcomeOf(open(limitBounds.diskBytes[0]));
      expect(refused).toMatch(
        /^usage: limit diskBytes of a sandbox: 4096 is less than the \d+ bytes that the snapshot needs\. /,
      );
      const needed = Number(/than the (\d+) bytes that/.exec(refused)?.[1]);
      expect(await outcomeOf(open(needed - 1))).toMatch(/^usage: limit diskBytes of a sandbox/);
      await using second = await open(needed);
      expect((await second.read('large', { signal: never, maxBytes: 2 ** 20 }))?.byteLength).toBe(
        50 * page + 1,
      );
      expect(await readText(second, 'folder 19/small')).toBe('x');
    }));
}

/** For providers that run programs for real: a fake has no folders. */
export function describeFolders(open: () => Promise<Sandbox>): void {
  it('refuses to run in what is not a folder, or is closed', async () => {
    await using sandbox = await open();
    await sandbox.write('file', '', { signal: never });
    const command = [...(sandbox.interpreters.shell ?? ['node']), '-c', ':'] as const;
    const inFolder = (folder: string): Promise<string> =>
      outcomeOf(sandbox.exec(command, { signal: never, folder }));
    if (sandbox.interpreters.shell === undefined) {
      expect(await inFolder('file')).toMatch(/^usage: folder "file" of a program: /);
      return;
    }
    await sandbox.exec(['sh', '-c', 'ln -s nowhere lost; mkdir -m 0 shut'], { signal: never });
    for (const folder of ['file', 'file/below', 'lost', 'shut'])
      expect(await inFolder(folder)).toMatch(
        new RegExp(`^usage: folder "${folder}" of a program: it (?:is|does not exist) `),
      );
  });
}
