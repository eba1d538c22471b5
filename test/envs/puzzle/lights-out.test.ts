import { describe, expect, test } from 'vitest';
import { createContext } from '../../../envs/core/context.ts';
import { canonicalJson } from '../../../envs/core/json.ts';
import { readPanel } from '../../../envs/core/task.ts';
import { openEnv, parseEnvConfig } from '../../../envs/open.ts';
import { boardOf, rowsOf, solve } from '../../../envs/puzzle/lights-out.ts';
import { lightsOutEnv } from '../../../envs/puzzle/lights-out.ts';

const context = createContext({ seed: 0, now: () => 0 });
const open = (size?: number) => openEnv(lightsOutEnv, size === undefined ? {} : { size }, context);

describe('the panels of lights-out-v1', () => {
  // Frozen: they change only with the version in the id.
  test.each([
    ['train', 'sha256:6135cf4b76b3043723230ac77a85dd6af198772f31e56c82bd88b27ee1054543'],
    ['dev', 'sha256:5feee6dbfefa655cbf7ec82afa911a7085d5dc43b403644849bc293a08143e15'],
    ['unseen', 'sha256:fda44cdb3b5a2b90bf265f53af01956ba6cc189d811db3dd85fce91258207ce8'],
  ])('keep the recorded fingerprint of %s', async (name, fingerprint) => {
    const panel = readPanel(await open(), {
      env: lightsOutEnv.id,
      config: parseEnvConfig(lightsOutEnv, {}),
      name,
    });
    expect(panel.fingerprint).toBe(fingerprint);
  });

  test.each([3, 4, 5, 6, 7])('share no board at size %d, and none is dark or unsolvable', async (size) => {
    const host = await open(size);
    const owners = new Map<string, string>();
    for (const panel of host.panels) {
      for (let index = 0; index < panel.size; index += 1) {
        const { content } = host.describeTask({ panel: panel.name, index });
        const text = canonicalJson(content);
        expect(owners.get(text) ?? panel.name).toBe(panel.name);
        owners.set(text, panel.name);
      }
    }
    if (size >= 5) expect(owners.size).toBeGreaterThan(1_190);
  });

  test('contain boards of every length', async () => {
    const host = await open();
    const families = Array.from(
      { length: 100 },
      (_, index) => host.describeTask({ panel: 'train', index }).family,
    );
    expect(
      Object.fromEntries(
        ['short', 'medium', 'long'].map((name) => [
          name,
          families.filter((family) => family === name).length > 5,
        ]),
      ),
    ).toEqual({
      short: true,
      medium: true,
      long: true,
    });
  });
});

describe('an episode of lights-out-v1', () => {
  test('follows the presses and ends as solved when the board is dark', async () => {
    const host = await open(3);
    const env = await host.create();
    const task = { panel: 'train', index: 0 };
    const opening = await env.reset(task, context);
    const { board } = opening.observation;
    expect(opening).toMatchObject({ stateKey: board.join('/'), anchorKey: board.join('/'), stepsLeft: 18 });
    expect(opening.admissible).toHaveLength(9);
    const solution = solve(boardOf(board)) ?? [];
    for (const [index, cell] of solution.entries()) {
      const result = await env.step({ row: Math.floor(cell / 3) + 1, column: (cell % 3) + 1 }, context);
      const last = index === solution.length - 1;
      expect(result).toMatchObject(
        last
          ? { kind: 'terminated', outcome: 'solved', reward: { total: 1, terms: { solved: 1 } } }
          : { kind: 'ongoing', reward: { total: 0 } },
      );
    }
  });

  test('counts a press beside the board as inadmissible: it costs a step and changes nothing', async () => {
    const env = await (await open(3)).create();
    const { observation } = await env.reset({ panel: 'train', index: 1 }, context);
    expect(await env.step({ row: 4, column: 1 }, context)).toMatchObject({
      kind: 'ongoing',
      inadmissible: true,
      observation,
      stepsLeft: 17,
    });
  });

  test('fails after twice as many steps as there are lights', async () => {
    const env = await (await open(3)).create();
    await env.reset({ panel: 'train', index: 1 }, context);
    for (let step = 1; step < 18; step += 1)
      expect((await env.step({ row: 7, column: 7 }, context)).kind).toBe('ongoing');
    expect(await env.step({ row: 7, column: 7 }, context)).toMatchObject({
      kind: 'terminated',
      outcome: 'failed',
      limit: 'turn-limit',
    });
  });
});

describe('the texts of lights-out-v1', () => {
  const { text } = lightsOutEnv;
  test('draw the board and name presses by row and column', () => {
    expect(text.observation({ board: [...rowsOf(boardOf(['#.#', '...', '###']))] })).toBe('#.#\n...\n###');
    expect(text.action({ row: 2, column: 3 })).toBe('press row 2 column 3');
    expect(text.parse(' Press ROW 2  column 3')).toMatchObject({ kind: 'malformed' });
    expect(text.parse(' Press ROW 2 column 3\n')).toEqual({ kind: 'action', action: { row: 2, column: 3 } });
  });

  test.each([
    'press row 0 column 1',
    'press row 8 column 1',
    'press 1 1',
    'press row 1 column 2 and row 3 column 4',
    '',
  ])('count as malformed for %j', (words) => {
    expect(text.parse(words)).toMatchObject({ kind: 'malformed', text: words });
  });
});
