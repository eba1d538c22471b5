import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cairn } from '../../support/command-line.ts';

/** A user's env, as a user would write it; its texts try to command the terminal. */
const loudEnv = `
import { defineEnv, reward } from 'cairn-gym/envs';
import { z } from 'zod';
const turn = { observation: 'red \\u001b[31malert\\u001b]0;owned\\u0007', stateKey: 'x', anchorKey: 'x', admissible: ['go'], stepsLeft: undefined, seat: 0 };
export const environments = [defineEnv({
  id: 'lab/loud-v1',
  summary: 'shouts \\u001b[2J at terminals',
  config: z.strictObject({ size: z.int().default(3) }),
  observation: z.string(),
  action: z.string(),
  deterministic: true,
  text: { observation: (o) => o, action: (a) => a, parse: (text) => text === 'go' ? { kind: 'action', action: text } : { kind: 'malformed', why: 'say go', text } },
  open: async () => ({
    panels: [{ name: 'dev', size: 1, purpose: 'dev', summary: 'the one' }],
    describeTask: () => ({ family: 'f', instruction: 'i', content: 1 }),
    create: async () => ({
      reset: async () => ({ ...turn, instruction: 'shout' }),
      step: async () => ({ kind: 'terminated', outcome: 'solved', observation: 'done', reward: reward({ goal: 1 }), inadmissible: false, stateKey: 'y' }),
      close: async () => undefined,
    }),
    close: async () => undefined,
  }),
})];
`;

let folder = '';
let loud = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
  loud = path.join(folder, 'loud.ts');
  await writeFile(loud, loudEnv);
});
afterAll(() => rm(folder, { recursive: true }));

const listSchema = z.object({
  envs: z.array(
    z.object({
      id: z.string(),
      needs: z.string().optional(),
      panels: z.array(z.object({ name: z.string(), size: z.number() })),
    }),
  ),
});

describe('cairn-gym envs', () => {
  it('lists every env with its panels', async () => {
    const { code, out } = await cairn(['envs', '--json']);
    expect(code).toBe(0);
    const { envs } = listSchema.parse(JSON.parse(out));
    expect(envs.map(({ id }) => id)).toContain('lights-out-v1');
    for (const { panels, needs } of envs)
      if (needs === undefined)
        expect(panels.map(({ name }) => name)).toEqual(expect.arrayContaining(['train', 'dev']));
  });

  it('suggests --family for the name of a family', async () => {
    for (const [word, family] of [
      ['puzzle', 'puzzle'],
      ['game', 'games'],
    ] as const) {
      const { code, err } = await cairn(['envs', word]);
      expect(code).not.toBe(0);
      expect(err).toMatch(new RegExp(`npx cairn-gym envs --family ${family.replace(/s$/, 's?')}`));
    }
  });

  it('describes one env, by its bare name too', async () => {
    const { out } = await cairn(['envs', 'lights-out', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      id: 'lights-out-v1',
      deterministic: true,
      turnLimit: 50,
      config: { size: 5 },
      configKeys: [
        { name: 'size', default: 5, type: 'integer 3 to 7', says: 'rows and columns of the board' },
      ],
      snapshots: true,
      experts: ['planner', 'searcher'],
    });
    expect((await cairn(['envs', 'lights-out'])).out).toContain(
      '  size  default 5  integer 3 to 7\n      rows and columns of the board\n',
    );
  });

  it('lists the envs of a module beside the built-in ones, and strips control characters from their texts', async () => {
    const { code, out } = await cairn(['envs', '--env-module', loud]);
    expect(code).toBe(0);
    expect(out).toContain('lights-out-v1');
    expect(out).toContain('lab/loud-v1\n  shouts  at terminals\n');
    const played = await cairn(['play', 'lab/loud', '--env-module', loud], { stdin: 'go\n' });
    expect(played.out).toContain('red alert\n');
    expect(played.out).toContain('Reward 1 (goal 1).\nSolved after 1 step, score 1.\n');
    expect(played.out + played.err).not.toContain('\u001b');
  });

  it('refuses a module given twice, a missing module and an unknown env', async () => {
    expect((await cairn(['envs', '--env-module', loud, '--env-module', loud])).err).toMatch(
      /"lab\/loud-v1" is already registered/,
    );
    expect((await cairn(['envs', '--env-module', path.join(folder, 'none.ts')])).err).toMatch(
      /the file .* does not exist/,
    );
    const { code, err } = await cairn(['envs', 'house-hold']);
    expect(code).toBe(2);
    expect(err).toMatch(/Did you mean household/);
  });
});

describe('cairn-gym check', () => {
  it('reports no findings for a sound env', async () => {
    const { code, out } = await cairn(['check', 'lights-out', '--tasks', '1', '--episodes', '1', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ env: 'lights-out-v1', findings: [] });
  });

  it('exits with 1 on a broken law, and names it', async () => {
    const broken = path.join(folder, 'broken.ts');
    await writeFile(broken, loudEnv.replace('reward({ goal: 1 })', '{ total: 2, terms: { goal: 1 } }'));
    const { code, out } = await cairn([
      'check',
      'lab/loud',
      '--env-module',
      broken,
      '--episodes',
      '1',
      '--deadline',
      '2000',
    ]);
    expect(code).toBe(1);
    expect(out).toMatch(/error reward .*sum/);
  });
});
