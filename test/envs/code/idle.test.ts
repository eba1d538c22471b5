import { afterAll, expect, test } from 'vitest';
import { javascriptHarness } from '../../../envs/code/judge/javascript-harness.ts';
import { pythonHarness } from '../../../envs/code/judge/python-harness.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { openGround, signal } from './ground.ts';

const mark = 'a-mark';
const limits = {
  wallMs: 60_000,
  cpuMs: 30_000,
  memoryBytes: 512 * 1024 * 1024,
  pids: 64,
  diskBytes: 1_000_000,
  outputBytes: 100_000,
};

await describeWithParts(['bubblewrap'], 'limits of 500 ms idle and 20 s computing', () => {
  const { provider, needs } = openGround();
  afterAll(() => provider[Symbol.asyncDispose]());

  /** How each of two calls of a program ended. */
  async function endsOf(
    language: 'python' | 'javascript',
    form: 'call' | 'lines',
    program: string,
  ): Promise<readonly unknown[]> {
    await using sandbox = await provider.open({ limits, needs, signal });
    await sandbox.write('harness', language === 'python' ? pythonHarness : javascriptHarness, { signal });
    const given = form === 'lines' ? '' : [];
    const job = {
      mark,
      preamble: '',
      program,
      isCoded: false,
      form,
      name: 'answer',
      tests: [{ given }, { given }],
      ms: 20_000,
      idleMs: 500,
      outputBytes: 1_000,
    };
    const { stdout } = await sandbox.exec(
      [...(sandbox.interpreters[language] ?? []), 'harness'] as [string, ...string[]],
      { signal, stdin: JSON.stringify(job) },
    );
    const said = stdout.text
      .split('\n')
      .filter((line) => line.startsWith(mark))
      .slice(1);
    return said.map((line) => (JSON.parse(line.slice(mark.length)) as { readonly end: unknown }).end);
  }

  const javascript = (work: string): string =>
    `const { user, system } = process.cpuUsage(); const since = user + system; const used = () => { const { user, system } = process.cpuUsage(); return user + system - since; };\n${work}`;
  test.each([
    [
      'python',
      'call',
      'value',
      'import time\ndef answer():\n    until = time.process_time() + 1\n    while time.process_time() < until:\n        pass',
    ],
    [
      'python',
      'lines',
      'printed',
      'import threading, time\ndef work():\n    until = time.process_time() + 1\n    while time.process_time() < until:\n        pass\nthread = threading.Thread(target=work)\nthread.start()\nthread.join()',
    ],
    ['javascript', 'call', 'value', javascript('function answer() { while (used() < 1e6); return 1; }')],
    [
      'javascript',
      'call',
      'value',
      `const { Worker } = require('worker_threads'); function answer() { const done = new Int32Array(new SharedArrayBuffer(4)); new Worker('const { workerData: done } = require("worker_threads");' + ${JSON.stringify(javascript('while (used() < 1e6);'))} + 'Atomics.store(done, 0, 1); Atomics.notify(done, 0);', { eval: true, workerData: done }); Atomics.wait(done, 0, 0, 10_000); return done[0]; }`,
    ],
    ['javascript', 'lines', 'printed', javascript('while (used() < 1e6);')],
    [
      'javascript',
      'lines',
      'printed',
      `const { Worker } = require('worker_threads'); new Worker(${JSON.stringify(javascript('while (used() < 1e6);'))}, { eval: true });`,
    ],
  ] as const)('a program may compute for a second, in %s, %s', async (language, form, end, program) => {
    expect(await endsOf(language, form, program)).toEqual([end, end]);
  });

  const stopping = `require('child_process').spawn('/bin/sh', ['-c', 'sleep 2; kill -CONT ' + process.pid], { detached: true, stdio: 'ignore' }); process.kill(process.pid, 'SIGSTOP');`;
  test.each([
    ['python', 'call', 'import time\ndef answer():\n    time.sleep(50)'],
    ['python', 'lines', 'import threading\nthreading.Event().wait(50)'],
    [
      'javascript',
      'call',
      'function answer() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50_000); return 1; }',
    ],
    ['javascript', 'lines', 'setTimeout(() => {}, 50_000);'],
    [
      'python',
      'call',
      'import os, signal, time\ndef answer():\n    os.kill(os.getppid(), signal.SIGSTOP)\n    time.sleep(2)\n    os.kill(os.getppid(), signal.SIGCONT)',
    ],
    ['javascript', 'call', `function answer() { ${stopping} return 1; }`],
    [
      'javascript',
      'lines',
      `process.kill(process.ppid, 'SIGSTOP'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000); process.kill(process.ppid, 'SIGCONT');`,
    ],
    [
      'javascript',
      'call',
      `const vm = require('vm'); function answer() { const end = Date.now() + 20_000; while (Date.now() < end) { try { vm.runInThisContext('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20_000)', { breakOnSigint: true }); } catch {} } return 1; }`,
    ],
    [
      'javascript',
      'call',
      `require('vm').runInThisContext('{ const store = Atomics.store; Atomics.store = (memory, place) => store.call(Atomics, memory, place, -1); }'); function answer() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20_000); return 1; }`,
    ],
  ] as const)(
    'a program that sleeps too long ends with the verdict time, in %s, %s',
    async (language, form, program) => {
      expect(await endsOf(language, form, program)).toEqual(['time']);
    },
  );

  test.each([
    ['python', 'call', 'value', 'import time\ndef answer():\n    time.sleep(0.3)'],
    [
      'javascript',
      'call',
      'value',
      'function answer() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300); return 1; }',
    ],
  ] as const)(
    'each of two calls may sleep below the limit, in %s, %s',
    async (language, form, end, program) => {
      expect(await endsOf(language, form, program)).toEqual([end, end]);
    },
  );
});
