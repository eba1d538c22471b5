import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cairn } from '../../support/command-line.ts';
import type { Ran } from '../../support/run-program.ts';

/** A user's env with free actions, as of tools: turns list none, and nobody else chooses one. Its author has not tried to step. */
const module = `
import { defineEnv } from 'cairn-gym/envs';
import { z } from 'zod';
const action = z.strictObject({ tool: z.enum(['look', 'take']), at: z.string() });
const turn = { observation: 'a room', stateKey: undefined, anchorKey: undefined, admissible: undefined, stepsLeft: undefined, seat: 0 };
export const environments = [defineEnv({
  id: 'lab/tools-v1',
  summary: 'takes calls of tools',
  config: z.strictObject({}),
  observation: z.string(),
  action,
  deterministic: true,
  text: {
    observation: String,
    action: ({ tool, at }) => tool + ' ' + at,
    parse: (text) => {
      const [tool, at] = text.split(' ');
      const read = action.safeParse({ tool, at });
      return read.success ? { kind: 'action', action: read.data } : { kind: 'malformed', why: 'Say a tool and a place.', text };
    },
  },
  turnLimit: () => 6,
  open: async () => ({
    panels: [{ name: 'train', size: 2, purpose: 'train', summary: '' }],
    describeTask: ({ index }) => ({ family: 'room', instruction: 'Tidy.', content: index }),
    create: async () => ({
      reset: async () => ({ ...turn, instruction: 'Tidy.' }),
      step: async ({ tool }) => { throw new Error('nothing does ' + tool); },
      close: async () => undefined,
    }),
    close: async () => undefined,
  }),
})];
`;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
  await writeFile(path.join(folder, 'tools.ts'), module);
});
afterAll(() => rm(folder, { recursive: true }));

const check = (...words: readonly string[]): Promise<Ran> =>
  cairn(['check', 'lab/tools', '--env-module', path.join(folder, 'tools.ts'), ...words]);

/** The same env, which can be stepped: of its tools only `look` does anything. */
const steppable = module.replace(
  /step: async .*/,
  "step: async ({ tool }) => ({ ...turn, kind: 'ongoing', reward: { total: 0, terms: {} }, inadmissible: tool !== 'look' }),",
);

let modules = 0;

async function checkWith(text: string, env = module): Promise<Ran> {
  const file = path.join(folder, 'actions');
  await writeFile(file, text);
  const own = path.join(folder, `given-${(modules += 1)}.ts`);
  await writeFile(own, env);
  return cairn(['check', 'lab/tools', '--env-module', own, '--actions', file]);
}

describe('cairn-gym check', () => {
  it('fails an env when no step could be played, and suggests --actions', async () => {
    const { code, out } = await check();
    expect(code).toBe(1);
    expect(out).toContain('lab/tools-v1: 1 finding\nerror playable: no step could be played');
    expect(out).toContain('`npx cairn-gym check lab/tools-v1 --actions FILE`');
  });

  it.each([
    ['words, one action a line', 'look shelf\n\n  take cup \r\n', /nothing does (?:look|take)/],
    ['a JSON array of actions', '[{"tool": "look", "at": "shelf"}]', /nothing does look/],
    ['words in a JSON array', '["take cup"]', /nothing does take/],
  ])('tries the actions of a file of %s', async (_, text, says) => {
    const { code, out } = await checkWith(text);
    expect(code).toBe(1);
    expect(out).toMatch(/error crash \(task train\/0, step 0, step\): it threw/);
    expect(out).toMatch(says);
  });

  it('fails when no action of a file is admissible, and otherwise reports the share that was inadmissible', async () => {
    const none = await checkWith('take cup\n', steppable);
    expect(none.code).toBe(1);
    expect(none.out).toMatch(
      /error playable: none of \d+ steps was admissible, so .*`npx cairn-gym check lab\/tools-v1 --actions FILE`/,
    );
    const some = await checkWith('take cup\nlook shelf\n', steppable);
    expect(some.out).not.toContain('error playable');
    const [, steps, undone] =
      /note: (\d+) steps with a supplied action; (\d+) of them were inadmissible/.exec(some.out) ?? [];
    expect(Number(undone)).toBeGreaterThan(0);
    expect(Number(undone)).toBeLessThan(Number(steps));
  });

  it('reports no inadmissible actions when steps crashed', async () => {
    const crashing = steppable.replace(
      "inadmissible: tool !== 'look' })",
      "inadmissible: tool === 'look' ? JSON.parse('{') : true })",
    );
    const { out } = await checkWith('take cup\nlook shelf\n', crashing);
    expect(out).toContain('error crash');
    expect(out).not.toContain('error playable');
  });

  it('reports that the actions of a file were never tried', async () => {
    const listing = steppable.replace('admissible: undefined', "admissible: [{ tool: 'look', at: 'shelf' }]");
    expect((await checkWith('take cup\n', listing)).out).toContain(
      'note: the supplied actions were never tried: turns list their actions, and experts choose theirs',
    );
  });

  it.each([
    ['look shelf\nfly away\n', 'line 2: the environment cannot parse it: Say a tool and a place. Write it'],
    [
      '[{"tool": "look", "at": "shelf"}, {"tool": "evil"}]',
      'action 2: it does not match the action schema of the environment: ',
    ],
    ['[]', 'it contains no action. '],
    ['\n', 'it contains no action. '],
  ])('refuses the actions %j', async (text, says) => {
    const { code, err } = await checkWith(text);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(says) as string });
  });

  it('checks the selected laws and those they depend on', async () => {
    const { code, out } = await check('--law', 'order', '--law', 'hidden');
    expect(code).toBe(1); // nobody chooses an action, which no law can do without
    expect(out).toContain('error playable');
    expect(out).toContain('note: 11 laws were selected; not checked were tasks, ');
  });

  it('refuses an unknown law', async () => {
    const { code, err } = await check('--law', 'snapshots');
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(
        /--law: the law "snapshots" does not exist\. Did you mean snapshot\?/,
      ) as string,
    });
  });

  it('refuses a missing file of actions', async () => {
    const { code, err } = await check('--actions', path.join(folder, 'none'));
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('none: there is no such file. Give') as string,
    });
  });
});
