import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { FaultError, UsageError } from '../../envs/core/errors.ts';
import { createFakeProvider, type FakeScript, type Limits, type Sandbox } from '../../sandbox/index.ts';
import { describeMisuse } from './suite/misuse.ts';

const limits: Limits = {
  wallMs: 1000,
  cpuMs: 1000,
  memoryBytes: 2 ** 24,
  pids: 8,
  diskBytes: 1e6,
  outputBytes: 8,
};
const { signal } = new AbortController();

const open = (script: FakeScript): Promise<Sandbox> =>
  createFakeProvider(script).open({ limits, needs: {}, signal });

describe('createFakeProvider', () => {
  const shared = createFakeProvider(() => ({}));
  describeMisuse({ provider: () => shared, make: () => Promise.resolve(createFakeProvider(() => ({}))) });

  it('answers as scripted and records the commands', async () => {
    const provider = createFakeProvider(({ command, stdin }) => ({
      stdout: `${command[1]} ${stdin}`,
      end: { code: 3 },
    }));
    await using sandbox = await provider.open({ limits, needs: {}, signal });
    const result = await sandbox.exec(['python3', 'a.py'], { signal, stdin: 'in' });
    expect(result).toEqual({
      kind: 'exited',
      code: 3,
      stdout: { text: 'a.py in', truncated: false },
      stderr: { text: '', truncated: false },
      ms: 0,
    });
    expect(provider.commands).toEqual([['python3', 'a.py']]);
  });

  it('distinguishes killed and crashed programs from exits', async () => {
    await using sandbox = await open(({ command }) => ({
      end: command[0] === 'loop' ? { killedBy: 'wall' } : { signal: 'SIGSEGV' },
    }));
    expect(await sandbox.exec(['loop'], { signal })).toMatchObject({ kind: 'killed', by: 'wall' });
    expect(await sandbox.exec(['crash'], { signal })).toMatchObject({ kind: 'crashed', signal: 'SIGSEGV' });
  });

  it('keeps output up to its limit and marks the rest', async () => {
    await using sandbox = await open(() => ({ stdout: '123456789', stderr: '12345678' }));
    const { stdout, stderr } = await sandbox.exec(['x'], { signal });
    expect(stdout).toEqual({ text: '12345678', truncated: true });
    expect(stderr).toEqual({ text: '12345678', truncated: false });
  });

  it('keeps files apart from the caller and from other sandboxes', async () => {
    const provider = createFakeProvider(({ files }) => {
      files.set('made.txt', new TextEncoder().encode('by the program'));
      return {};
    });
    await using first = await provider.open({ limits, needs: {}, signal });
    await using second = await provider.open({ limits, needs: {}, signal });
    const bytes = new TextEncoder().encode('one');
    await first.write('in/one.txt', bytes, { signal });
    bytes[0] = 0;
    await first.exec(['x'], { signal });
    const read = async (sandbox: Sandbox, path: string): Promise<string | undefined> => {
      const content = await sandbox.read(path, { signal, maxBytes: 100 });
      return content === undefined ? undefined : new TextDecoder().decode(content);
    };
    expect(await read(first, 'in/../in/one.txt')).toBe('one');
    expect(await read(first, 'made.txt')).toBe('by the program');
    expect(await read(second, 'in/one.txt')).toBeUndefined();
    await expect(first.read('made.txt', { signal, maxBytes: 3 })).rejects.toThrow(FaultError);
  });

  it.each(['/etc/passwd', '../x', 'a/../../x', '..', '.', '', 'a/', 'a\0b', 'a\\b'])(
    'refuses the path %j',
    async (path) => {
      await using sandbox = await open(() => ({}));
      await expect(sandbox.write(path, '', { signal })).rejects.toThrow(UsageError);
      await expect(sandbox.read(path, { signal, maxBytes: 1 })).rejects.toThrow(UsageError);
    },
  );

  it('refuses commands and variables that no provider passes on', async () => {
    await using sandbox = await open(() => ({}));
    await expect(
      sandbox.exec(['x', ...Array.from({ length: 4_096 }, () => 'a')], { signal }),
    ).rejects.toThrow(/4097 words, but at most 4096 are allowed/);
    await expect(sandbox.exec(['x'], { signal, env: { 'A=B': '1' } })).rejects.toThrow(UsageError);
  });

  it('passes on folder and environment, and reports output as it comes', async () => {
    await using sandbox = await open(({ folder, env }) => ({ stdout: `${folder} ${env['A']}` }));
    const heard: string[] = [];
    const onOutput = (stream: string, bytes: Uint8Array): void =>
      void heard.push(`${stream}: ${new TextDecoder().decode(bytes)}`);
    await sandbox.exec(['x'], { signal, env: { A: '1' }, folder: 'a/../b', onOutput });
    expect(heard).toEqual(['stdout: b 1']);
    await expect(sandbox.exec(['x'], { signal, folder: '..' })).rejects.toThrow(UsageError);
  });

  it('converses until the interpreter ends', async () => {
    await using sandbox = await open(({ stdin }) =>
      stdin === 'loop' ? { end: { killedBy: 'wall' } } : { stdout: stdin },
    );
    await using conversation = await sandbox.converse('python', { signal });
    expect(await conversation.say('1 + 1', { signal })).toMatchObject({
      kind: 'exited',
      stdout: { text: '1 + 1' },
    });
    expect(await conversation.say('loop', { signal })).toMatchObject({ kind: 'killed', by: 'wall' });
    expect(conversation.live).toBe(false);
    await expect(conversation.say('2', { signal })).rejects.toThrow(/the interpreter has ended/);
  });

  it('ends pending code with its conversation or its sandbox, as other providers do', async () => {
    const provider = createFakeProvider(({ stdin }) =>
      stdin === 'wait' ? new Promise(() => undefined) : {},
    );
    const sandbox = await provider.open({ limits, needs: {}, signal });
    const first = await sandbox.converse('python', { signal });
    const waiting = expect(first.say('wait', { signal })).rejects.toThrow(
      /^conversation\.say: the conversation was disposed while this call was running/,
    );
    await expect(first.say('2', { signal })).rejects.toThrow(/the previous call is still running/);
    await first[Symbol.asyncDispose]();
    await waiting;
    await expect(first.say('2', { signal })).rejects.toThrow(/^conversation\.say: the interpreter has ended/);
    const second = await sandbox.converse('python', { signal });
    const others = [second.say('wait', { signal }), sandbox.exec(['wait'], { signal, stdin: 'wait' })].map(
      (call) => expect(call).rejects.toThrow(/^sandbox: it was disposed while this call was running/),
    );
    await provider[Symbol.asyncDispose]();
    await Promise.all(others);
    expect([second.live, provider.live]).toEqual([false, 0]);
    await expect(second.say('2', { signal })).rejects.toThrow(/the interpreter has ended/);
  });

  it('ends a conversation whose caller aborts, but not one whose limits were refused', async () => {
    await using sandbox = await open(() => new Promise(() => undefined));
    await using conversation = await sandbox.converse('shell', { signal });
    await expect(conversation.say('1', { signal, limits: { wallMs: 0 } })).rejects.toThrow(UsageError);
    expect(conversation.live).toBe(true);
    const caller = new AbortController();
    const said = expect(conversation.say('1', { signal: caller.signal })).rejects.toThrow('enough');
    caller.abort(new Error('enough'));
    await said;
    expect(conversation.live).toBe(false);
    await expect(sandbox.converse('ruby' as 'shell', { signal })).rejects.toThrow(/ruby cannot be run here/);
  });

  it('opens its own snapshots with the files of that moment', async () => {
    const provider = createFakeProvider(() => ({}));
    await using first = await provider.open({ limits, needs: {}, signal });
    await first.write('a.txt', 'one', { signal });
    if (first.snapshot === undefined) throw new Error('the fake keeps snapshots');
    await using from = await first.snapshot({ signal });
    await first.write('a.txt', 'two', { signal });
    await using second = await provider.open({ limits, needs: {}, signal, from });
    expect(new TextDecoder().decode(await second.read('a.txt', { signal, maxBytes: 9 }))).toBe('one');
    const foreign = { provider: 'docker', [Symbol.asyncDispose]: () => Promise.resolve() };
    await expect(provider.open({ limits, needs: {}, signal, from: foreign })).rejects.toThrow(
      /made by "docker"/,
    );
  });

  it('narrows limits and refuses to widen them', async () => {
    const seen: Limits[] = [];
    await using sandbox = await open((call) => {
      seen.push(call.limits);
      return {};
    });
    await sandbox.exec(['x'], { signal, limits: { wallMs: 10 } });
    expect(seen).toEqual([{ ...limits, wallMs: 10 }]);
    await expect(sandbox.exec(['x'], { signal, limits: { pids: 9 } })).rejects.toThrow(
      /limit pids.*9 is above the limit of the sandbox, 8/,
    );
  });

  it('rejects with the reason of an abort even when the script never answers', async () => {
    await using sandbox = await open(() => new Promise(() => undefined));
    const controller = new AbortController();
    const running = sandbox.exec(['x'], { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    await expect(sandbox.exec(['x'], { signal: controller.signal })).rejects.toThrow('enough');
  });

  it('passes on the faults that the script throws', async () => {
    const fault = { kind: 'sandbox-failed', stage: 'exec', message: 'gone', retryable: true } as const;
    await using sandbox = await open(() => {
      throw new FaultError(fault);
    });
    await expect(sandbox.exec(['x'], { signal })).rejects.toMatchObject({ fault });
  });

  it('counts open sandboxes and refuses calls after disposal', async () => {
    const provider = createFakeProvider(() => ({}));
    const sandbox = await provider.open({ limits, needs: {}, signal });
    expect(provider.live).toBe(1);
    await sandbox[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
    expect(provider.live).toBe(0);
    await expect(sandbox.exec(['x'], { signal })).rejects.toThrow(UsageError);
  });

  it('promises nothing by default, and refuses needs that it does not meet', async () => {
    await expect(
      createFakeProvider(() => ({})).open({ limits, needs: { network: 'none' }, signal }),
    ).rejects.toThrow(/network "none"/);
    const claims = createFakeProvider(() => ({}), { guarantees: { network: 'none' } });
    await using sandbox = await claims.open({ limits, needs: { network: 'none' }, signal });
    expect(sandbox.guarantees.network).toBe('none');
  });

  it('can stand for a missing provider', async () => {
    const missing = createFakeProvider(() => ({}), { unavailable: 'no daemon answers' });
    expect(await missing.unavailable(signal)).toBe('no daemon answers');
    await expect(missing.open({ limits, needs: {}, signal })).rejects.toThrow(/no daemon answers/);
    expect(missing.live).toBe(0);
  });
});

it('the fake provider works as docs/guides/sandbox.md shows it', async () => {
  const guide = readFileSync('docs/guides/sandbox.md', 'utf8');
  const blocks = [...guide.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
  const snippet = (blocks.find((code) => code.includes('createFakeProvider(')) ?? '').replace(
    "'cairn-gym/sandbox'",
    JSON.stringify(fileURLToPath(new URL('../../sandbox/index.ts', import.meta.url))),
  );
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'snippet-')), 'snippet.ts');
  writeFileSync(file, snippet);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', import.meta.resolve('jiti/register'), file],
    { timeout: 240_000 },
  );
  expect(stdout).toBe('42 killed 2 0\n');
});
