// Slow: starts Python in WebAssembly several times.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FaultError, UsageError } from '../../envs/core/errors.ts';
import { createWasmProvider } from '../../sandbox/index.ts';
import { readCommand } from '../../sandbox/wasm/command-line.ts';
import { encodeMessage, MessageReader, type EndedHeader } from '../../sandbox/wasm/wire.ts';
import { WorkFiles } from '../../sandbox/wasm/work-files.ts';
import { never, suiteLimits } from './suite/subject.ts';

/** Where programs find their work folder. */
const inside = '/work';

const ended: EndedHeader = {
  kind: 'ended',
  end: { code: 0 },
  over: false,
  files: [],
  removed: [],
  folders: [],
};
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('readCommand of the WebAssembly provider', () => {
  it.each([
    [
      ['python3', 'main.py', '-c'],
      { language: 'python', how: 'file', text: 'main.py', argv: ['main.py', '-c'] },
    ],
    [['/usr/bin/python', '-u', '-B', 'main.py'], { language: 'python', how: 'file', text: 'main.py' }],
    [['python3', '-c', 'x', 'y'], { how: 'code', text: 'x', argv: ['-c', 'y'] }],
    [['python3', '-m', 'unittest', '-v'], { how: 'module', text: 'unittest', argv: ['-m', '-v'] }],
    [['python3'], { how: 'stdin', argv: [''] }],
    [['python3', '-', 'x'], { how: 'stdin', argv: ['-', 'x'] }],
    [
      ['node', 'main.js', 'x'],
      { language: 'javascript', how: 'file', text: 'main.js', argv: ['/usr/bin/node', 'main.js', 'x'] },
    ],
    [['qjs', '-e', '1'], { language: 'javascript', how: 'code', text: '1' }],
    [['python3', '-x'], { code: 2 }],
    [['python3', '-c'], { code: 2 }],
    [['node', '--inspect'], { code: 9 }],
    [['sh', '-c', 'python3 main.py'], { code: 127 }],
    [['bash'], { code: 127 }],
  ] as const)('reads %j', (command, expected) => {
    expect(readCommand(command)).toMatchObject(expected);
  });
});

describe('encodeMessage and MessageReader', () => {
  it('pass messages on unchanged, however they are cut', () => {
    const message = fc.record({
      body: fc.uint8Array({ maxLength: 300 }),
      code: fc.integer({ min: 0, max: 255 }),
    });
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        (messages, cuts) => {
          const all = Buffer.concat(
            messages.flatMap(({ body, code }) => encodeMessage({ ...ended, end: { code } }, [body])),
          );
          const reader = new MessageReader(10_000);
          const heard: unknown[] = [];
          for (let at = 0, cut = 0; at < all.byteLength; cut += 1) {
            const length = cuts[cut % cuts.length] ?? 1;
            for (const { header, body } of reader.take(all.subarray(at, at + length)))
              heard.push({ code: (header as { end: { code: number } }).end.code, body: [...body] });
            at += length;
          }
          expect(heard).toEqual(messages.map(({ body, code }) => ({ code, body: [...body] })));
        },
      ),
    );
  });

  it.each([
    ['a length beyond the bound', Buffer.from([0, 1, 0, 0])],
    ['a length of zero', Buffer.from([0, 0, 0, 0])],
    ['a header longer than its message', Buffer.from([0, 0, 0, 6, 0, 0, 0, 9, 0x7b, 0x7d])],
    ['invalid JSON', Buffer.from([0, 0, 0, 6, 0, 0, 0, 2, 0x7b, 0x7b])],
    ['an unknown header', Buffer.concat(encodeMessage({ kind: 'other' }, []))],
    ['an invalid exit code', Buffer.concat(encodeMessage({ ...ended, end: { code: 1e9 } }, []))],
  ])('fault on invalid data: %s', (_title, payload) => {
    expect(() => new MessageReader(10_000).take(payload)).toThrow(FaultError);
  });
});

describe('WorkFiles', () => {
  const told = (parts: Partial<EndedHeader>): EndedHeader => ({ ...ended, ...parts });

  it('applies what a program changed, and makes room', () => {
    const files = new WorkFiles(10);
    files.write('a/old', bytes('1234'));
    files.apply(
      told({
        removed: ['a/old'],
        files: [
          { path: 'b/new', size: 8 },
          { path: 'c', size: 2 },
        ],
        folders: ['empty'],
      }),
      bytes('12345678xy'),
    );
    expect(files.read('b/new', 10)).toEqual(bytes('12345678'));
    expect(files.read('c', 10)).toEqual(bytes('xy'));
    expect(files.read('a/old', 10)).toBeUndefined();
    expect([files.hasFolder('a'), files.hasFolder('b'), files.hasFolder('empty')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it.each(['../out', '/etc/passwd', 'a//b', 'a/../b', '.', '', 'a/', 'a\0'])(
    'faults on an interpreter that reports a file %j',
    (path) => {
      expect(() => new WorkFiles(10).apply(told({ files: [{ path, size: 1 }] }), bytes('x'))).toThrow(
        FaultError,
      );
    },
  );

  it('faults on an interpreter that reports more bytes than it sends, or than allowed', () => {
    expect(() => new WorkFiles(10).apply(told({ files: [{ path: 'a', size: 5 }] }), bytes('x'))).toThrow(
      FaultError,
    );
    expect(() =>
      new WorkFiles(10).apply(told({ files: [{ path: 'a', size: 11 }] }), bytes('12345678901')),
    ).toThrow(FaultError);
  });

  it('lists what is new since an earlier copy', () => {
    const files = new WorkFiles(100);
    files.write('kept', bytes('k'));
    files.write('changed', bytes('1'));
    const seen = new Map([...files.copy().files, ['gone', bytes('g')]]);
    files.write('changed', bytes('2'));
    expect(files.updateSince(seen)).toEqual({
      files: new Map([['changed', bytes('2')]]),
      removed: ['gone'],
      folders: [],
    });
  });
});

describe('the WebAssembly provider', () => {
  it('declares that alone it is no boundary, and is refused where one is needed', async () => {
    await using provider = createWasmProvider({ now: () => performance.now() });
    expect(provider.guarantees).toMatchObject({
      boundary: 'process',
      user: 'same',
      files: 'host',
      network: 'open',
      memory: 'advisory',
      children: 'may-leak',
    });
    const opening = provider.open({
      limits: suiteLimits,
      needs: { boundary: 'namespaces', network: 'none' },
      signal: never,
    });
    await expect(opening).rejects.toThrow(UsageError);
    await expect(opening).rejects.toThrow(
      /boundary "namespaces" \(it has "process"\), network "none" \(it has "open"\)/,
    );
  });

  it('runs stdin, modules and code, with the environment that Python programs expect', async () => {
    await using provider = createWasmProvider({ now: () => performance.now() });
    await using sandbox = await provider.open({ limits: suiteLimits, needs: {}, signal: never });
    await sandbox.write(
      'tests/test_sum.py',
      'import unittest\nfrom helper import add\nclass T(unittest.TestCase):\n  def test(self): self.assertEqual(add(1, 2), 3)\n',
      { signal: never },
    );
    await sandbox.write('helper.py', 'def add(a, b): return a + b\n', { signal: never });
    const run = (command: readonly [string, ...string[]], stdin = ''): Promise<unknown> =>
      sandbox.exec(command, { signal: never, stdin });
    expect(await run(['python3', '-m', 'unittest', 'tests/test_sum.py'])).toMatchObject({
      kind: 'exited',
      code: 0,
      stderr: { text: expect.stringContaining('OK') as string },
    });
    expect(await run(['python3'], 'print(__name__)')).toMatchObject({ stdout: { text: '__main__\n' } });
    expect(
      await run(['python3', '-c', 'import atexit, sys\natexit.register(print, "bye")\nsys.exit("words")']),
    ).toMatchObject({ code: 1, stdout: { text: 'bye\n' }, stderr: { text: 'words\n' } });
    const loop =
      'import asyncio\nasync def work(n):\n  await asyncio.sleep(0.01 * n)\n  return n\nasync def main(): print(await asyncio.gather(work(2), work(1)))\nasyncio.run(main())';
    expect(await run(['python3', '-c', loop])).toMatchObject({ code: 0, stdout: { text: '[2, 1]\n' } });
    expect(await run(['python3', 'missing.py'])).toMatchObject({
      code: 2,
      stderr: { text: expect.stringContaining(`can't open file '${inside}/missing.py'`) as string },
    });
    const trace = {
      code: 1,
      stderr: {
        text: `Traceback (most recent call last):\n  File "${inside}/fails.py", line 2, in <module>\n    1 / 0\n    ~~^~~\nZeroDivisionError: division by zero\n`,
      },
    };
    await sandbox.write('fails.py', 'x = 1\n1 / 0\n', { signal: never });
    expect(await run(['python3', 'fails.py'])).toMatchObject(trace);
    expect(await run(['sh', '-c', 'ls'])).toMatchObject({
      kind: 'exited',
      code: 127,
      stderr: { text: expect.stringContaining('sh: not found') as string },
    });
  });

  it('gives single-file JavaScript programs what they use of Node', async () => {
    await using provider = createWasmProvider({ now: () => performance.now() });
    await using sandbox = await provider.open({ limits: suiteLimits, needs: {}, signal: never });
    await sandbox.write('sum.js', 'exports.sum = (list) => list.reduce((a, b) => a + b, 0);', {
      signal: never,
    });
    const source = [
      'const fs = require("node:fs"), { sum } = require("./sum.js");',
      'const lines = fs.readFileSync(0, "utf8").trim().split("\\n").map(Number);',
      'console.log("%d of %s", sum(lines), "lines", lines, { a: { b: [null, undefined] } });',
      'setTimeout(() => console.log("later"), 300); Promise.resolve().then(() => console.log("sooner"));',
      'fs.mkdirSync("out/deep", { recursive: true }); fs.writeFileSync("out/deep/file", "made");',
      'const lines2 = []; require("readline").createInterface({ input: process.stdin }).on("line", (l) => lines2.push(l)).on("close", () => console.log(lines2.length));',
    ].join('\n');
    await sandbox.write('main.js', source, { signal: never });
    const result = await sandbox.exec(['node', 'main.js'], { signal: never, stdin: '1\n2\n3\n' });
    expect(result).toMatchObject({
      kind: 'exited',
      code: 0,
      stderr: { text: '' },
      stdout: { text: '6 of lines [ 1, 2, 3 ] { a: { b: [ null, undefined ] } }\nsooner\n3\nlater\n' },
    });
    expect(await sandbox.read('out/deep/file', { signal: never, maxBytes: 10 })).toEqual(Buffer.from('made'));
  });
});
