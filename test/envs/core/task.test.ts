import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../envs/core/errors.ts';
import {
  assertTask,
  findPanel,
  fingerprintTasks,
  readPanel,
  readPanelInTurns,
  type TaskSource,
} from '../../../envs/core/task.ts';

const source: TaskSource = {
  panels: [
    { name: 'train', size: 5, purpose: 'train', summary: 'five' },
    { name: 'unseen', size: 2, purpose: 'held-out', summary: 'two' },
  ],
  describeTask: ({ panel, index }) => ({
    family: 'f',
    instruction: `do ${index}`,
    content: { panel, square: index * index },
  }),
};
const of = { env: 'squares-v1', config: { size: 3 }, name: 'train' };

describe('readPanelInTurns', () => {
  const large: TaskSource = {
    ...source,
    panels: [{ name: 'train', size: 100_000, purpose: 'train', summary: 'many' }],
  };

  test('returns the same panel as readPanel', async () => {
    const { signal } = new AbortController();
    for (const request of [of, { ...of, limit: 3 }, { ...of, name: 'unseen', atMost: 9 }])
      expect(await readPanelInTurns(source, request, signal)).toEqual(readPanel(source, request));
    await expect(readPanelInTurns(source, { ...of, limit: 6 }, signal)).rejects.toThrow(
      /6 tasks were requested, but the panel has 5/,
    );
  });

  test('yields to the event loop, so that it can be aborted', async () => {
    const controller = new AbortController();
    let described = 0;
    const counted: TaskSource = {
      ...large,
      describeTask: (task) => ((described += 1), large.describeTask(task)),
    };
    setImmediate(() => setImmediate(() => controller.abort(new Error('enough'))));
    await expect(readPanelInTurns(counted, of, controller.signal)).rejects.toThrow('enough');
    expect(described).toBeLessThan(10_000);
  });
});

describe('the fingerprint of a panel', () => {
  test('repeats the value that stored results contain', () => {
    // sha256 over `{"config":{"size":3},"env":"squares-v1"}\n`, then `{"panel":"train","square":0}\n` and so on to 16,
    // made with sha256sum
    expect(readPanel(source, of).fingerprint).toBe(
      'sha256:d1e1df594fd5d217176bbe5f96d391280471ff18577d2701d6d020ab0e2b2eff',
    );
    expect(fingerprintTasks('squares-v1', {}, [])).toBe(
      'sha256:b34458ef9bda6ba7d70e4519b89252cbe61b66032e4a1e41db1ab2d6127d0e60',
    );
  });

  test('covers env, config, contents and their order, but not the order of keys', () => {
    const base = fingerprintTasks('a-v1', { x: 1, y: 2 }, [{ p: 1, q: 2 }, 'two']);
    expect(fingerprintTasks('a-v1', { y: 2, x: 1 }, [{ q: 2, p: 1 }, 'two'])).toBe(base);
    const others = [
      fingerprintTasks('a-v2', { x: 1, y: 2 }, [{ p: 1, q: 2 }, 'two']),
      fingerprintTasks('a-v1', { x: 1 }, [{ p: 1, q: 2 }, 'two']),
      fingerprintTasks('a-v1', { x: 1, y: 2 }, ['two', { p: 1, q: 2 }]),
      fingerprintTasks('a-v1', { x: 1, y: 2 }, [{ p: 1, q: 2 }]),
      fingerprintTasks('a-v1', { x: 1, y: 2 }, [[{ p: 1, q: 2 }, 'two']]),
    ];
    expect(new Set([base, ...others]).size).toBe(6);
  });

  test('differs for any two different lists of contents', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.array(fc.jsonValue()), (a, b) => {
        const same = JSON.stringify(a.map(sorted)) === JSON.stringify(b.map(sorted));
        expect(
          fingerprintTasks('a-v1', {}, a as never[]) === fingerprintTasks('a-v1', {}, b as never[]),
        ).toBe(same);
      }),
    );
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, sorted(item), 'entry']);
}

describe('readPanel', () => {
  test('lists its tasks in order', () => {
    const panel = readPanel(source, of);
    expect(panel).toMatchObject({ env: 'squares-v1', config: { size: 3 }, name: 'train', purpose: 'train' });
    expect(panel.tasks).toEqual([0, 1, 2, 3, 4].map((index) => ({ panel: 'train', index })));
  });

  test('leaves machine paths out of the fingerprint when the source has an identity', () => {
    const fingerprint = (config: Readonly<Record<string, string>>, identity?: string): string =>
      readPanel(identity === undefined ? source : { ...source, identity }, { ...of, config }).fingerprint;
    expect(fingerprint({ folder: 'here' }, 'data')).toBe(fingerprint({ folder: 'there' }, 'data'));
    expect(fingerprint({ folder: 'here' }, 'data')).not.toBe(fingerprint({ folder: 'here' }, 'other data'));
    expect(fingerprint({ folder: 'here' })).not.toBe(fingerprint({ folder: 'there' }));
    expect(readPanel({ ...source, identity: 'data' }, of).config).toEqual(of.config);
  });

  test('reads the first few tasks, with another name and fingerprint', () => {
    const few = readPanel(source, { ...of, limit: 2 });
    expect(few.name).toBe('train[0..2)');
    expect(few.tasks).toHaveLength(2);
    expect(few.fingerprint).not.toBe(readPanel(source, of).fingerprint);
    expect(readPanel(source, { ...of, limit: 5 })).toEqual(readPanel(source, of));
    expect(readPanel(source, { ...of, atMost: 2 })).toEqual(few);
    expect(readPanel(source, { ...of, atMost: 99 })).toEqual(readPanel(source, of));
  });

  test.each([0, -1, 1.5, Number.NaN])('refuses a limit of %d', (limit) => {
    expect(() => readPanel(source, { ...of, limit })).toThrow(UsageError);
    expect(() => readPanel(source, { ...of, atMost: limit })).toThrow(UsageError);
  });

  test('refuses more tasks than the panel has and reports their number', () => {
    expect(() => readPanel(source, { ...of, limit: 6 })).toThrow(
      'panel "train" of squares-v1: 6 tasks were requested, but the panel has 5. Request at most 5,',
    );
  });
});

describe('findPanel and assertTask', () => {
  test('findPanel refuses an unknown panel and names the known ones', () => {
    expect(findPanel(source, 'squares-v1', 'unseen').size).toBe(2);
    expect(() => findPanel(source, 'squares-v1', 'dev')).toThrow(
      'panel "dev" of squares-v1: this panel does not exist. Choose one of train, unseen.',
    );
    expect(() => findPanel(source, 'squares-v1', 'unsen')).toThrow(
      'Did you mean unseen? Choose one of train, unseen.',
    );
    expect(() => readPanel(source, { ...of, name: 'dev' })).toThrow(UsageError);
  });

  test('findPanel refuses an env without panels', () => {
    expect(() => findPanel({ ...source, panels: [] }, 'squares-v1', 'dev')).toThrow(
      'panel "dev" of squares-v1: the env has no panels. Give it at least one;',
    );
  });

  test('findPanel explains why a panel is empty and how to fill it', () => {
    const emptied = [{ name: 'dev', why: 'its tasks were left out', fix: 'Fix them' }];
    expect(() => findPanel({ ...source, unavailablePanels: emptied }, 'squares-v1', 'dev')).toThrow(
      'panel "dev" of squares-v1: the panel is empty: its tasks were left out. Fix them, or choose one of train, unseen.',
    );
    expect(() => findPanel({ panels: [], unavailablePanels: emptied }, 'squares-v1', 'dev')).toThrow(
      'the panel is empty: its tasks were left out. Fix them.',
    );
  });

  test.each([-1, 5, 0.5, Number.NaN])('assertTask refuses task %d of five', (index) => {
    expect(() => assertTask(source, 'squares-v1', { panel: 'train', index })).toThrow(
      /Choose an integer from 0 to 4\./,
    );
  });

  test('assertTask accepts the first and the last task', () => {
    for (const index of [0, 4])
      expect(() => assertTask(source, 'squares-v1', { panel: 'train', index })).not.toThrow();
  });
});
