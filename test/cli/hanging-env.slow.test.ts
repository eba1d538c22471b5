// Slow: environments compute without end until they are ended, in real time.
import { type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnCairn } from '../support/run-program.ts';

/** A user's env whose author made one mistake: what hangs is named by `hangs`. The timer stands for a browser: it keeps the process alive. */
const module = `
import { defineEnv, reward } from 'cairn-gym/envs';
import { writeSync } from 'node:fs';
import { z } from 'zod';
const turn = { observation: 'a door', stateKey: 's', anchorKey: 'a', admissible: ['go'], stepsLeft: undefined, seat: 0 };
export const environments = [defineEnv({
  id: 'lab/stuck-v1',
  summary: 'gets stuck',
  config: z.strictObject({ hangs: z.enum(['close', 'step', 'later']) }),
  observation: z.string(),
  action: z.string(),
  deterministic: true,
  text: { observation: String, action: String, parse: (text) => ({ kind: 'action', action: text }) },
  open: async ({ hangs }) => {
    const timer = setInterval(() => undefined, 1000);
    return {
      panels: [{ name: 'dev', size: 2, purpose: 'dev', summary: '' }],
      describeTask: ({ index }) => ({ family: 'walk', instruction: 'Walk.', content: index }),
      create: async () => ({
        reset: async () => ({ ...turn, instruction: 'Walk.' }),
        step: async () => {
          if (hangs === 'later') await new Promise((resolve) => setTimeout(resolve, 1));
          if (hangs !== 'close') writeSync(2, 'computing now');
          while (hangs !== 'close');
          return { kind: 'terminated', outcome: 'solved', observation: 'out', stateKey: 'end', reward: reward({ way: 1 }), inadmissible: false };
        },
        close: async () => undefined,
      }),
      close: async () => {
        if (hangs !== 'close') return clearInterval(timer);
        process.stderr.write('closing now');
        await new Promise(() => undefined);
      },
    };
  },
})];
`;

let folder = '';
let file = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
  file = path.join(folder, 'stuck.ts');
  await writeFile(file, module);
});
afterAll(() => rm(folder, { recursive: true }));

/** Sends the signal once these words were written on stderr, and again so many milliseconds later where they are given. */
const signalAfter = (words: string, signal: NodeJS.Signals, againMs?: number) => (child: ChildProcess) => {
  child.stdin?.end();
  let seen = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    const before = seen.includes(words);
    seen += chunk.toString();
    if (before || !seen.includes(words)) return;
    child.kill(signal);
    if (againMs !== undefined) setTimeout(() => child.kill(signal), againMs);
  });
};

const evalOf = (hangs: string, ...more: readonly string[]): readonly string[] => [
  'eval',
  'lab/stuck',
  '--agent',
  'random',
  '--env-module',
  file,
  '--set',
  `hangs=${hangs}`,
  ...more,
];
const evaluate = (hangs: string, drive?: (child: ChildProcess) => void): ReturnType<typeof spawnCairn> =>
  spawnCairn(evalOf(hangs), drive === undefined ? {} : { drive });

/** What is said on stderr by a command that is killed in the end. */
async function lastWords(words: readonly string[], drive: (child: ChildProcess) => void): Promise<string> {
  let said = '';
  const listen = (child: ChildProcess): void => {
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    drive(child);
  };
  await expect(spawnCairn(words, { drive: listen })).rejects.toThrow('was ended by SIGKILL');
  return said;
}

const table = /random +100\.0/;
const warning = (ms: number): string =>
  `warning: close of the host of lab/stuck-v1 did not finish within ${ms} ms; closing was abandoned`;

describe('env that does not close', () => {
  it('causes a warning, and the table is printed', async () => {
    const { code, out, err } = await evaluate('close');
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(warning(10_000)) as string });
    expect(out).toMatch(table);
  });

  it('delays the exit less after a signal', async () => {
    const { code, out, err } = await evaluate('close', signalAfter('closing now', 'SIGINT'));
    expect({ code, err }).toEqual({ code: 130, err: expect.stringContaining(warning(3_000)) as string });
    expect(out).toMatch(table);
  });
});

describe('env that computes without end', () => {
  const step = 'error: lab/stuck-v1, step 1 of task dev/0: it ';
  const stopped = 'so that the command could not end in good order when it was told to, and was stopped.';

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends with its process soon after a %s, and the error says where',
    async (signal) => {
      expect(await lastWords(evalOf('step'), signalAfter('computing now', signal))).toContain(
        `${step}computes without letting anything else run, ${stopped}`,
      );
    },
  );

  it('ends at a second signal even when it computes after an await', async () => {
    expect(await lastWords(evalOf('later'), signalAfter('computing now', 'SIGINT', 1_500))).toMatch(
      new RegExp(`error: cairn-gym: nothing else has run for \\d+ s, ${stopped}`),
    );
  });

  it('ends when it has computed for far longer than an episode may take', async () => {
    expect(
      await lastWords(evalOf('step', '--episode-timeout', '0.5'), (child) => void child.stdin?.end()),
    ).toContain(
      `${step}has computed for 6 s without letting anything else run. Make it end, or make it await and respect context.signal; if it only needs more time, raise --episode-timeout.`,
    );
  });
});
