import { describe, expect, it } from 'vitest';
import { checkEnv } from '../../../envs/check/check-env.ts';
import { z } from 'zod';
import { createContext } from '../../../envs/core/context.ts';
import { defineTextEnv } from '../../../envs/kit/text-env.ts';
import type { Reply } from '../../../envs/core/textual.ts';
import type { TextWorld } from '../../../envs/kit/text-world.ts';
import { openEnv } from '../../../envs/open.ts';

interface Boxes {
  readonly coin: number;
  readonly opened: readonly number[];
}

/** A coin lies in one of four boxes; the observation lists opened boxes, and one time in three a box sticks. */
const boxes: TextWorld<'test/boxes-v1', Boxes> = {
  id: 'test/boxes-v1',
  summary: 'Find the coin',
  turnLimit: 12,
  panels: { train: 40, dev: 40, 'first-box': 1 },
  deterministic: false,
  task: ({ panel, index }) => ({
    instruction: `Find the coin of ${panel} ${index}.`,
    start: { coin: panel === 'first-box' ? 0 : index % 4, opened: [] },
  }),
  observe: ({ opened }) => (opened.length === 0 ? 'All boxes are shut.' : `Empty: ${opened.join(', ')}.`),
  actions: ({ opened }) => [0, 1, 2, 3].filter((box) => !opened.includes(box)).map((box) => `open ${box}`),
  step: (state, action, { rng }) => {
    if (rng.int(3) === 0) return { state };
    const box = Number(action.slice(-1));
    if (box === state.coin) return { state, reward: { coin: 1 }, outcome: 'solved' };
    return {
      state: { ...state, opened: [...state.opened, box].toSorted((a, b) => a - b) },
      reward: { effort: -0.01 },
    };
  },
  information: ({ opened }) => opened,
  audit: {
    swapHidden: ({ coin, opened }) => {
      const other = [0, 1, 2, 3].find((box) => box !== coin && !opened.includes(box));
      if (other === undefined) return undefined;
      return {
        state: { coin: other, opened },
        reveals: (action) => [coin, other].includes(Number(action.slice(-1))),
      };
    },
  },
};

const context = (seed = 0) => createContext({ seed, now: () => performance.now() });

async function open<State>(world: TextWorld<'test/boxes-v1', State>) {
  const host = await openEnv(defineTextEnv(world), {}, context());
  return { host, env: await host.create() };
}

describe('defineTextEnv', () => {
  it('keeps the laws of the contract, including luck and hidden facts', async () => {
    const { findings, unchecked } = await checkEnv(defineTextEnv(boxes));
    expect(findings).toEqual([]);
    expect(unchecked.map(({ law }) => law).toSorted()).toEqual(['experts', 'luck', 'secrets']);
  });

  it('derives family, panels and task content from the world', async () => {
    const { host } = await open(boxes);
    expect(host.panels.map(({ name, size, purpose }) => [name, size, purpose])).toEqual([
      ['train', 40, 'train'],
      ['dev', 40, 'dev'],
      ['first-box', 1, 'held-out'],
    ]);
    expect(host.describeTask({ panel: 'train', index: 2 })).toEqual({
      family: 'boxes',
      instruction: 'Find the coin of train 2.',
      content: { instruction: 'Find the coin of train 2.', start: { coin: 2, opened: [] } },
    });
    expect(() => host.describeTask({ panel: 'train', index: 40 })).toThrow(/this task does not exist/);
    expect(() => host.describeTask({ panel: 'tran', index: 0 })).toThrow(/Did you mean/i);
    await host.close();
  });

  it('counts an unlisted action as inadmissible, without any effect', async () => {
    const { host, env } = await open(boxes);
    const opening = await env.reset({ panel: 'train', index: 1 }, context());
    const after = await env.step('eat the box', context());
    expect(after).toMatchObject({
      kind: 'ongoing',
      inadmissible: true,
      reward: { total: 0 },
      stateKey: opening.stateKey,
      anchorKey: opening.anchorKey,
    });
    await host.close();
  });

  it('ends as solved with the named rewards', async () => {
    const { host, env } = await open({
      ...boxes,
      step: (state) => ({
        state,
        reward: { coin: 1, speed: 0.5, late: undefined },
        outcome: 'solved',
      }),
    });
    await env.reset({ panel: 'train', index: 1 }, context());
    expect(await env.step('open 1', context())).toMatchObject({
      kind: 'terminated',
      outcome: 'solved',
      reward: { total: 1.5, terms: { coin: 1, speed: 0.5 } },
    });
    await host.close();
  });

  it('breaks the law of anchor keys when its information shows what is hidden', async () => {
    const { findings } = await checkEnv(defineTextEnv({ ...boxes, information: (state) => state }));
    expect(findings.map(({ law }) => law)).toContain('anchor-key');
  });

  it('reports a reply of no words or of several lines as malformed', () => {
    const { text } = defineTextEnv(boxes);
    expect(['', ' \n', 'open 1\nopen 2'].map((reply) => text.parse(reply).kind)).toEqual([
      'malformed',
      'malformed',
      'malformed',
    ]);
    expect(text.parse(' open 1\n')).toEqual({ kind: 'action', action: 'open 1' });
  });

  it('refuses undefined information and accepts null', async () => {
    const { host, env } = await open({ ...boxes, information: () => undefined as never });
    await expect(env.reset({ panel: 'train', index: 0 }, context())).rejects.toThrow(
      /information: it is not JSON: \$ is undefined/,
    );
    await host.close();
    const { env: blind } = await open({ ...boxes, information: () => null });
    expect(await blind.reset({ panel: 'train', index: 0 }, context())).toMatchObject({
      anchorKey: 'null',
      stateKey: '{"coin":0,"opened":[]}',
    });
  });
});

describe('the state of a text world', () => {
  it('cannot be changed in place, even when its author froze a part of it', async () => {
    const meddling = defineTextEnv({
      ...boxes,
      task: ({ panel, index }) => ({
        instruction: `Find the coin of ${panel} ${index}.`,
        start: Object.freeze({ coin: index % 4, opened: [] }),
      }),
      step: (state) => {
        (state.opened as unknown as number[]).push(3);
        return { state };
      },
    });
    const { findings } = await checkEnv(meddling);
    expect(findings.map(({ what }) => what).join('\n')).toMatch(/object is not extensible/);
  });

  it('stays the same when its author changes the original', async () => {
    const start = { coin: 1, opened: [2] };
    const { host, env } = await open({ ...boxes, task: () => ({ instruction: 'Find it.', start }) });
    const { stateKey } = await env.reset({ panel: 'train', index: 0 }, context());
    start.opened.push(3);
    expect(env.snapshots?.take().world).toEqual({ coin: 1, opened: [2] });
    expect(stateKey).toBe('{"coin":1,"opened":[2]}');
    await host.close();
  });

  it.each([
    [
      'a cycle',
      () => {
        const state: { self?: unknown } = {};
        state.self = state;
        return state;
      },
      /contains itself/,
    ],
    ['a typed array', () => new Float32Array(3), /Float32Array, which JSON cannot hold/],
    ['NaN', () => ({ coin: Number.NaN, opened: [] }), /NaN, which JSON cannot hold/],
  ])('throws, not being JSON, for %s', async (_, make, message) => {
    const { host, env } = await open({
      ...boxes,
      task: () => ({ instruction: 'Find it.', start: make() as unknown as Boxes }),
    });
    await expect(env.reset({ panel: 'train', index: 0 }, context())).rejects.toThrow(message);
    await host.close();
  });
});

describe('a faulty text world', () => {
  const wrong = { ...boxes, deterministic: true };
  const steps = async (step: () => unknown): Promise<unknown> => {
    const { env } = await open({ ...wrong, step: step as typeof boxes.step });
    await env.reset({ panel: 'train', index: 0 }, context());
    return env.step('open 1', context());
  };

  it.each([
    [
      'a step that is async',
      async () => ({ state: {} }),
      /test\/boxes-v1, task train\/0, step 1, step: it returned a promise\. Remove async from it/,
    ],
    ['a step that returns nothing', () => undefined, /, step: .*expected object/],
    ['a step without its state', () => ({ outcome: 'solved' }), /state: is missing/],
    ['a reward without a name', () => ({ state: {}, reward: 1 }), /reward: .*expected record/],
    [
      'a reward of NaN',
      () => ({ state: { coin: 1, opened: [] }, reward: { coin: Number.NaN } }),
      /^test\/boxes-v1, step 1 of task train\/0: its reward\.terms\.coin must be a finite number, not NaN/,
    ],
    ['a reward of text', () => ({ state: {}, reward: { coin: 'much' } }), /reward\.coin: .*expected number/],
    ['an unknown outcome', () => ({ state: {}, outcome: 'won' }), /outcome: /],
    ['an unknown part of a step', () => ({ state: {}, done: true }), /"done"/],
  ])('reports %s', async (_, step, message) => {
    await expect(steps(step)).rejects.toThrow(message);
  });

  it.each([
    [
      'a state that is not JSON',
      { step: () => ({ state: { coin: Number.NaN, opened: [] } }) },
      /task train\/0, step 1, the state: it is not JSON: \$\.coin is NaN/,
    ],
    [
      'an observation that is not text',
      {
        step: () => ({ state: { coin: 9, opened: [] } }),
        observe: ({ coin }: { coin: number }) => (coin === 9 ? 9 : 'shut'),
      },
      /step 1, observe: .*expected string/,
    ],
    [
      'actions that are not texts',
      {
        step: () => ({ state: { coin: 9, opened: [] } }),
        actions: ({ coin }: { coin: number }) => (coin === 9 ? [9] : ['open 1']),
      },
      /step 1, actions: .*expected string/,
    ],
  ])('stops at %s and names the place', async (_, part, message) => {
    const { env } = await open({ ...wrong, ...part } as unknown as typeof boxes);
    await env.reset({ panel: 'train', index: 0 }, context());
    await expect(env.step('open 1', context())).rejects.toThrow(message);
  });

  it.each([
    ['a misspelt expert', { experts: { seacher: () => 0 } }, /experts: .*"seacher"/],
    ['no observe function', { observe: undefined }, /observe: must be a function/],
    ['no panels', { panels: {} }, /panels: names no panel/],
    ['0.5 tasks', { panels: { train: 0.5 } }, /panels\.train: /],
    ['no turn limit', { turnLimit: undefined }, /turnLimit: /],
    ['an unknown part', { reset: () => 0 }, /"reset"/],
  ])('throws when it is defined with %s', (_, part, message) => {
    expect(() => defineTextEnv({ ...boxes, ...part } as typeof boxes)).toThrow(message);
  });
});

const press = z.strictObject({ kind: z.literal('press'), cell: z.int().min(0) });

/** Cells in a row, of which one is mined. A press of every other cell wins. The config sets the number of cells. */
const mines = defineTextEnv({
  id: 'test/mines-v1',
  summary: 'Press every cell but one',
  config: z.strictObject({ cells: z.int().min(3).max(9).default(5), lives: z.int().default(1) }),
  turnLimit: ({ cells }) => 2 * cells,
  panels: { train: 30, dev: { size: 10, summary: 'for every choice' }, last: { size: 1, purpose: 'dev' } },
  state: z.strictObject({ mine: z.int(), open: z.array(z.int()) }),
  action: {
    schema: press,
    print: ({ kind, cell }) => `${kind} ${cell}`,
    parse: (text): Reply<z.output<typeof press>> => {
      const [, cell] = /^press (\d+)$/.exec(text) ?? [];
      return cell === undefined
        ? { kind: 'malformed', why: 'Write "press 0".', text }
        : { kind: 'action', action: { kind: 'press', cell: Number(cell) } };
    },
  },
  observation: {
    schema: z.strictObject({ open: z.array(z.int()) }),
    print: ({ open }) => `Open: ${open.join(', ')}.`,
  },
  task: ({ panel, index }, { cells }) => ({
    instruction: `Press all of ${cells} cells but the mine of ${panel} ${index}.`,
    start: { mine: index % cells, open: [] },
  }),
  observe: ({ open }) => ({ open: [...open] }),
  actions: ({ open }, { cells }) =>
    Array.from({ length: cells - 1 }, (_, cell) => ({ kind: 'press', cell }) as const).filter(
      ({ cell }) => !open.includes(cell),
    ),
  accepts: ({ open }, { cell }, { cells }) => cell === cells - 1 && !open.includes(cell), // the last cell is not listed
  step: ({ mine, open }, { cell }, _context, { cells }) => {
    const state = { mine, open: [...open, cell].toSorted((a, b) => a - b) };
    if (cell === mine) return { state, outcome: 'failed' };
    return state.open.length === cells - 1 ? { state, outcome: 'solved', reward: { safe: 1 } } : { state };
  },
  information: ({ open }) => open,
  key: ({ mine, open }) => `${mine}:${open.join()}`,
  experts: {
    planner: ({ mine }, { cells }) =>
      Array.from({ length: cells }, (_, cell) => ({ kind: 'press', cell }) as const).filter(
        ({ cell }) => cell !== mine,
      ),
    searcher: (rng) => ({
      act: ({ admissible = [] }) => rng.pick(admissible),
    }),
  },
  audit: {
    swapHidden: ({ mine, open }, rng, { cells }) => {
      const closed = Array.from({ length: cells }, (_, cell) => cell).filter(
        (cell) => cell !== mine && !open.includes(cell),
      );
      if (closed.length === 0) return undefined;
      const other = rng.pick(closed);
      return { state: { mine: other, open }, reveals: ({ cell }) => cell === mine || cell === other };
    },
  },
});

describe('a text world with a config, typed actions and observations', () => {
  it.each([{}, { cells: 3 }])('keeps the laws of the contract with the config %j', async (config) => {
    const { findings, checked } = await checkEnv(mines, { config });
    expect(findings).toEqual([]);
    expect(checked.hidden).toBeGreaterThan(0);
  });

  it('passes the config to every call, and describes panels as given', async () => {
    const host = await openEnv(mines, { cells: 4 }, context());
    expect(host.panels).toEqual([
      { name: 'train', size: 30, purpose: 'train', summary: '30 tasks of test/mines-v1' },
      { name: 'dev', size: 10, purpose: 'dev', summary: 'for every choice' },
      { name: 'last', size: 1, purpose: 'dev', summary: '1 tasks of test/mines-v1' },
    ]);
    expect(host.identity).toBeUndefined(); // the config identifies the results
    const env = await host.create();
    expect(await env.reset({ panel: 'train', index: 0 }, context())).toMatchObject({
      instruction: 'Press all of 4 cells but the mine of train 0.',
      observation: { open: [] },
      stateKey: '0:',
      anchorKey: '[]',
      stepsLeft: 8,
    });
    await host.close();
  });

  it('accepts an unlisted action only when accepts allows it', async () => {
    const host = await openEnv(mines, {}, context());
    const env = await host.create();
    await env.reset({ panel: 'train', index: 0 }, context());
    expect(await env.step({ kind: 'press', cell: 4 }, context())).toMatchObject({ inadmissible: false });
    expect(await env.step({ kind: 'press', cell: 4 }, context())).toMatchObject({
      inadmissible: true,
      observation: { open: [4] },
    });
    await host.close();
  });

  it('refuses a snapshot that its state schema rejects', async () => {
    const host = await openEnv(mines, {}, context());
    const env = await host.create();
    await env.reset({ panel: 'train', index: 0 }, context());
    expect(() => env.snapshots?.restore({ world: { mine: 'left' }, episode: {}, steps: 0 })).toThrow(
      /snapshot of test\/mines-v1: it is not a snapshot of this env: world\.mine/,
    );
    await host.close();
  });

  it('includes a numeric turn limit in its identity, beside the config', async () => {
    const host = await openEnv(
      defineTextEnv({
        id: 'test/boxes-v1',
        summary: 'Find the coin',
        turnLimit: 12,
        panels: { train: 4 },
        config: z.strictObject({ lids: z.int().default(2) }),
        task: ({ index }, { lids }) => ({ instruction: `Lift ${lids} lids.`, start: index }),
        observe: (state) => `${state}`,
        actions: () => ['lift'],
        step: (state) => ({ state }),
      }),
      {},
      context(),
    );
    expect(host.identity).toEqual({ lids: 2, turnLimit: 12 });
    await host.close();
  });
});
