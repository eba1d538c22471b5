import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { javascriptHarness } from '../../../envs/code/judge/javascript-harness.ts';

const mark = 'a-mark';

/** More bytes than any pipe buffers. */
const long = 4_000_000;

/** What the harness prints about the program, one line for each test, to a slow reader. */
async function saidSlowly(
  program: string,
  tests: readonly unknown[],
): Promise<{ readonly lines: readonly string[]; readonly code: unknown; readonly complaints: string }> {
  const child = spawn(process.execPath, ['-e', javascriptHarness], { stdio: 'pipe' });
  const ended = once(child, 'close');
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  child.stdin.end(
    JSON.stringify({
      mark,
      preamble: '',
      program,
      isCoded: false,
      form: 'call',
      name: 'answer',
      tests: tests.map((given) => ({ given })),
      ms: 10_000,
      idleMs: 50_000,
      outputBytes: 1_000,
    }),
  );
  let said = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    said += chunk as string;
    await pause(2);
  }
  const [code] = (await ended) as readonly unknown[];
  return {
    lines: said
      .split('\n')
      .filter((line) => line.startsWith(mark))
      .map((line) => line.slice(mark.length)),
    code,
    complaints,
  };
}

test('the harness delivers long answers whole to a reader slower than the pipe fills', async () => {
  const { lines, code, complaints } = await saidSlowly(
    `function answer(letter) { return letter.repeat(${long}); }`,
    [['x'], ['y']],
  );
  expect({ code, complaints }).toEqual({ code: 0, complaints: '' });
  const [begun, ...answers] = lines;
  expect(begun).toBe('');
  expect(answers.length).toBe(2);
  for (const [at, letter] of ['x', 'y'].entries())
    expect(
      answers[at] === JSON.stringify({ at, end: 'value', value: letter.repeat(long), printed: '' }),
    ).toBe(true); // compared without a diff, because it is long
});
