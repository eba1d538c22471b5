// Slow: each attack has an interpreter of its own, and many run into their limits.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecResult, Limits, SandboxProvider } from '../../sandbox/index.ts';
import { createWasmProvider } from '../../sandbox/wasm/provider.ts';
import { never, suiteLimits } from './suite/subject.ts';

/** Ways out of the interpreter, which print `OUT` when one leads to this machine. Ways to the JavaScript around it are attacks of the suite (`bench/sandbox/attacks`). */
const pythonWays: Readonly<Record<string, string>> = {
  'an open port':
    'import socket\ns = socket.socket()\ns.settimeout(2)\ns.connect(("127.0.0.1", PORT))\nprint("OUT")',
  'a WebSocket by hand': 'import socket\nprint("OUT", socket.getaddrinfo("localhost", PORT))',
  'a browser': 'import webbrowser\nprint("OUT") if webbrowser.open("http://127.0.0.1:PORT") else None',
  'a shell':
    'import os\nprint("OUT") if os.system("id") == 0 else None\nimport subprocess\nsubprocess.run(["id"])\nprint("OUT")',
  'mounted folders of the host':
    'import os\nfor root, folders, files in os.walk("/"):\n  if root == "/dev": continue\n  for name in files:\n    try: text = open(os.path.join(root, name), "rb").read()\n    except OSError: continue\n    if b"SECRET" in text: print("OUT", root, name)',
  'the file by its name': 'print("OUT", open("FOLDER/secret").read())',
};

const javascriptWays: Readonly<Record<string, string>> = {
  'code that it makes itself':
    'const run = console.log.constructor; if (run("return typeof process.binding")() !== "undefined") console.log("OUT");',
  'modules of Node':
    'for (const name of ["child_process", "net", "node:vm", "worker_threads", "module"]) { try { require(name); console.log("OUT", name); } catch {} }',
  'import()': 'import("fs").then(() => console.log("OUT"), () => 0)',
  'the object of the host':
    'for (const key of Reflect.ownKeys(globalThis)) if (/outside|host|std$|^os$|WebAssembly/i.test(String(key))) console.log("OUT", key);',
  'files of the host':
    'for (const f of ["FOLDER/secret", "../../../../FOLDER/secret", "/proc/self/environ"]) { try { console.log("OUT", require("fs").readFileSync(f, "utf8")); } catch {} }',
  'a stack of functions of the host':
    'try { null.x } catch (e) { if (e.stack.includes("file://")) console.log("OUT", e.stack); }',
};

/** Programs that fight the limits, and what ends them. */
const struggles: Readonly<
  Record<
    string,
    {
      readonly command: 'python3' | 'node';
      readonly source: string;
      readonly ends: object;
      readonly limits?: Partial<Limits>;
    }
  >
> = {
  'an allocation loop in QuickJS': {
    command: 'node',
    source: 'const kept = []; for (;;) { try { kept.push(new Array(1e5).fill(1.5)); } catch {} }',
    ends: { kind: 'killed' },
  },
  'a loop in QuickJS that never reaches its interrupt': {
    command: 'node',
    source: '"a".repeat(40).concat("b").match(/(a+)+$/)',
    ends: { kind: 'killed', by: 'wall' },
    limits: { wallMs: 500 },
  },
  'one long product in CPython': {
    command: 'python3',
    source: 'print(10 ** 10 ** 8 % 7)',
    ends: { kind: 'killed', by: 'wall' },
    limits: { wallMs: 500 },
  },
  'one long match in CPython': {
    command: 'python3',
    source: 'import re; re.match("(a+)+$", "a" * 50 + "b")',
    ends: { kind: 'killed', by: 'cpu' },
    limits: { cpuMs: 500 },
  },
  'a sleep that costs no processor time': {
    command: 'python3',
    source: 'import time; time.sleep(60)',
    ends: { kind: 'killed', by: 'wall' },
    limits: { wallMs: 700, cpuMs: 600 },
  },
  'one request for all memory': {
    command: 'python3',
    source: 'x = bytearray(2_000_000_000)',
    ends: { kind: 'killed', by: 'memory' },
  },
  'a file in memory instead of memory': {
    command: 'python3',
    source: 'import os\nwhile True:\n  with open("/tmp/x", "wb") as f: f.truncate(2 ** 40)',
    ends: { kind: 'exited', code: 1 },
  },
  'wild writes to its own memory': {
    command: 'python3',
    source: 'import ctypes; ctypes.memset(0, 255, 30_000_000)',
    ends: { kind: 'crashed' },
  },
  'endless recursion in QuickJS': {
    command: 'node',
    source: 'const f = () => f() + 1; f();',
    ends: { kind: 'exited', code: 1 },
  },
  'endless recursion in CPython': {
    command: 'python3',
    source: 'def f(): return f() + 1\nf()',
    ends: { kind: 'exited', code: 1 },
  },
  'recursion past all limits': {
    command: 'python3',
    source: 'import sys\nsys.setrecursionlimit(10 ** 9)\nx = []\nfor i in range(100_000): x = [x]\nrepr(x)',
    ends: { kind: 'crashed', signal: 'SIGSEGV' },
  },
};

describe('a program that tries to leave WebAssembly', () => {
  let provider: SandboxProvider;
  let server: Server;
  let folder = '';
  let reached = 0;
  const secret = `SECRET-${randomBytes(8).toString('hex')}`;
  beforeAll(async () => {
    provider = createWasmProvider({ now: () => performance.now() });
    folder = mkdtempSync(path.join(os.tmpdir(), 'cairn-wasm-'));
    writeFileSync(path.join(folder, 'secret'), secret);
    server = createServer((socket) => {
      reached += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    await provider[Symbol.asyncDispose]();
    server.close();
    rmSync(folder, { recursive: true });
  });

  const run = async (
    command: 'python3' | 'node',
    source: string,
    limits: Partial<Limits> = {},
  ): Promise<ExecResult> => {
    await using sandbox = await provider.open({
      limits: { ...suiteLimits, ...limits },
      needs: {},
      signal: never,
    });
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const filled = source
      .replaceAll('PORT', port)
      .replaceAll('FOLDER', folder)
      .replaceAll('SECRET', secret.slice(0, 10));
    return await sandbox.exec([command, command === 'node' ? '-e' : '-c', filled], { signal: never });
  };

  it.each([
    ...Object.entries(pythonWays).map(([title, source]) => [title, 'python3', source] as const),
    ...Object.entries(javascriptWays).map(([title, source]) => [title, 'node', source] as const),
  ])('finds no way out: %s (%s)', async (_title, command, source) => {
    const result = await run(command, source);
    expect(result.stdout.text).not.toContain('OUT');
    expect(result.stdout.text + result.stderr.text).not.toContain(secret);
    expect(result.stderr.text).not.toMatch(/SyntaxError|NameError|IndentationError/); // of the attack itself
    expect(result.kind).not.toBe('killed'); // a crash of the interpreter is no escape
    expect(reached).toBe(0);
  });

  it.each(Object.entries(struggles))(
    'ends without harm to the next program: %s',
    async (_title, { command, source, ends, limits }) => {
      expect(
        await run(command, source, { memoryBytes: 128 * 2 ** 20, wallMs: 20_000, ...limits }),
      ).toMatchObject(ends);
      expect(await run('node', 'console.log("next")')).toMatchObject({
        kind: 'exited',
        code: 0,
        stdout: { text: 'next\n' },
      });
    },
  );
});
