import { type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnCairn } from '../support/run-program.ts';

/** A user's env whose author made one mistake: what hangs is named by `hangs`. The timer stands for a browser: it keeps the process alive. */
const module = `
import { defineEnv, reward } from 'cairn-gym/envs';
import { z } from 'zod';
const turn = { observation: 'a door', stateKey: 's', anchorKey: 'a', admissible: ['go'], stepsLeft: undefined, seat: 0 };
export const environments = [defineEnv({
  id: 'lab/stuck-v1',
  summary: 'gets stuck',
  config: z.strictObject({ hangs: z.enum(['close']) }),
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
        step: async () => ({ kind: 'terminated', outcome: 'solved', observation: 'out', stateKey: 'end', reward: reward({ way: 1 }), inadmissible: false }),
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

/** Sends the signal once these words were written on stderr. */
const signalAfter = (words: string, signal: NodeJS.Signals) => (child: ChildProcess) => {
  child.stdin?.end();
  let seen = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    const before = seen.includes(words);
    seen += chunk.toString();
    if (!before && seen.includes(words)) child.kill(signal);
  });
};

const evaluate = (hangs: string, drive?: (child: ChildProcess) => void): ReturnType<typeof spawnCairn> =>
  spawnCairn(['eval', 'lab/stuck', '--agent', 'random', '--env-module', file, '--set', `hangs=${hangs}`], drive === undefined ? {} : { drive });

const table = /random +100\.0/;
const warning = (ms: number): string => `warning: close of the host of lab/stuck-v1 did not finish within ${ms} ms; it was given up`;

describe('an environment of one’s own that does not close', () => {
  it('is given up with a warning, and the table is printed', async () => {
    const { code, out, err } = await evaluate('close');
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(warning(10_000)) as string });
    expect(out).toMatch(table);
  });

  it('is given up sooner after a signal', async () => {
    const { code, out, err } = await evaluate('close', signalAfter('closing now', 'SIGINT'));
    expect({ code, err }).toEqual({ code: 130, err: expect.stringContaining(warning(3_000)) as string });
    expect(out).toMatch(table);
  });
});
