import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { ValidatedEstimator } from '../../../../trainers/credit/validation/validated-estimator.ts';
import { findNameProblem } from '../../../../trainers/credit/credit-name.ts';
import { defineCreditEstimator } from '../../../../trainers/credit/define-credit-estimator.ts';
import { creditConfigSchema } from '../../../../trainers/credit/credit-config.ts';
import { createGigpo } from '../built-in.ts';
import { openCredit } from '../../../../trainers/credit/open-credit.ts';
import { openEstimator } from '../../../../trainers/credit/validation/open-estimator.ts';
import { episode, group, sizesOf, walk } from '../hand-made.ts';
import { refusalOf } from '../../../support/refusal-of.ts';

const faulted = episode([{ key: 'A' }, { key: 'A' }], { faulted: true });
const batch = [group(walk('AB', 1), walk('A', 0)), group(walk('ABC', 1), faulted, walk('B', 0))];

/** An estimator that gives back whatever is said, as a user's own code may. */
const giving = (credit: unknown, parts: object = {}): ValidatedEstimator => {
  const definition = {
    kind: 'mine',
    name: 'mine',
    summary: 'for a test',
    options: z.strictObject({}),
    create: () => ({ ...parts, assign: () => credit }),
  };
  return openEstimator(definition as never, {}).estimator;
};

/** What is sound for {@link batch}, with one trajectory's credit changed. */
const sound = (
  changed: Readonly<Record<string, unknown>> = {},
  at: readonly [group: number, member: number] = [1, 2],
): unknown => ({
  groups: batch.map(({ members }, index) =>
    members.map(({ steps, stop }, member) => ({
      advantage: stop.kind === 'faulted' ? [] : steps.map(() => 0.5),
      ...(at[0] === index && at[1] === member ? changed : {}),
    })),
  ),
});

describe('output of a user’s estimator', () => {
  test.each([
    [
      'too few numbers',
      sound({ advantage: [] }),
      /"mine", group 1 \(train\/0\), member 2: its advantage has 0 entries, and the episode has 1 steps/,
    ],
    ['too many', sound({ advantage: [1, 2] }), /group 1 \(train\/0\), member 2: its advantage has 2 entries/],
    [
      'credit of a faulted episode',
      sound({ advantage: [0, 0] }, [1, 1]),
      /group 1 \(train\/0\), member 1: .* the episode faulted, so it must have none/,
    ],
    [
      'NaN',
      sound({ advantage: [0, Number.NaN] }, [0, 0]),
      /group 0 \(train\/0\), member 0, step 1: its advantage is NaN, not a finite number/,
    ],
    [
      'an infinity',
      sound({ advantage: [Number.POSITIVE_INFINITY, 0] }, [0, 0]),
      /group 0 \(train\/0\), member 0, step 0: its advantage is Infinity/,
    ],
    [
      'a string as advantage',
      sound({ advantage: ['1'] }),
      /member 2, step 0: its advantage is .*, not a finite number/,
    ],
    [
      'an advantage that is not an array',
      sound({ advantage: 1 }),
      /member 2: its advantage is .*, not an array/,
    ],
    ['a part of another length', sound({ episode: [] }), /member 2: its episode has 0 entries/],
    [
      'an anchor beyond the steps',
      sound({ anchors: { room: [100] } }),
      /member 2, step 0: its anchors\.room is 100, not the number of an anchor/,
    ],
    ['a fractional anchor', sound({ anchors: { room: [0.5] } }), /its anchors\.room is 0\.5/],
    [
      'a missing member',
      { groups: [[], []] },
      /group 0 \(train\/0\): it returned credit for 0 members, and there are 2/,
    ],
    ['a missing group', { groups: [] }, /it returned credit for 0 groups, and there are 2/],
    ['nothing', undefined, /"mine": assign returned undefined/],
    ['a promise', Promise.resolve(sound()), /assign returned a promise/],
    [
      'a getter that throws',
      {
        get groups() {
          throw new Error('boom');
        },
      },
      /"mine": reading the output of assign threw: boom/,
    ],
    [
      'a statistic that is NaN',
      { ...(sound() as object), statistics: { loss: Number.NaN } },
      /statistics\["loss"\]: it is NaN/,
    ],
  ])('fails with the place named: %s', (_name, credit, message) => {
    expect(refusalOf(() => giving(credit).assign(batch))).toMatch(message);
  });

  test('must not be a rejected promise, which causes no unhandled rejection', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    expect(refusalOf(() => giving(Promise.reject(new Error('boom'))).assign(batch))).toMatch(
      /assign returned a promise/,
    );
    await new Promise((resolve) => setTimeout(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('gets completed with parts, verdicts, anchor sizes and common statistics', () => {
    const credit = giving(
      {
        ...(sound({ anchors: { room: [1] }, stepReturn: [0.25] }) as object),
        statistics: { 'my/figure': 3, 'credit/groups': 99 },
      },
      { compares: 'batch' },
    ).assign(batch);
    expect(credit.groups.map((members) => members.map(({ advantage }) => [...advantage]))).toEqual([
      [[0.5, 0.5], [0.5]],
      [[0.5, 0.5, 0.5], [], [0.5]],
    ]);
    expect(credit.groups[1]?.[2]).toMatchObject({
      episode: new Float64Array([0]),
      step: new Float64Array([0.5]),
      anchors: { room: new Int32Array([1]) },
      stepReturn: new Float64Array([0.25]),
    });
    expect([...sizesOf(credit)]).toEqual([0, 1]);
    expect(credit.hasParts).toBe(false);
    expect(credit.verdicts).toEqual(['credited', 'credited']);
    expect(credit.statistics).toMatchObject({
      'my/figure': 3,
      'credit/groups': 2,
      'credit/groups-zero-advantage': 0,
      'credit/trajectories-faulted': 1,
      'credit/advantage-mean-abs': 0.5,
    });
    expect(credit.statistics).not.toHaveProperty('credit/step-share');
    const parted = giving(sound({ episode: [0.125] }), { compares: 'batch' }).assign(batch);
    expect(parted.groups[1]?.[2]).toMatchObject({
      episode: new Float64Array([0.125]),
      step: new Float64Array([0.375]),
    });
    expect(parted.statistics).toHaveProperty('credit/step-share');
  });

  test('may be a modified output of a built-in estimator', () => {
    const inner = createGigpo();
    const half = defineCreditEstimator({
      kind: 'half',
      name: 'half of it',
      summary: 'for a test',
      options: z.strictObject({}),
      create: () => ({
        assign: (groups) => {
          const credit = inner.assign(groups, {});
          return {
            ...credit,
            groups: credit.groups.map((members) =>
              members.map(({ advantage, anchors, stepReturn }) => ({
                advantage: advantage.map((value) => value / 2),
                anchors,
                stepReturn,
              })),
            ),
          };
        },
      }),
    });
    const [mine, ours] = [openEstimator(half, {}).estimator.assign(batch), inner.assign(batch, {})];
    expect([...(mine.groups[0]?.[0]?.advantage ?? [])]).toEqual(
      [...(ours.groups[0]?.[0]?.advantage ?? [])].map((value) => value / 2),
    );
    expect([...sizesOf(mine)]).toEqual([...sizesOf(ours)]);
  });

  test('must match its declared scope of comparison', () => {
    const byBatch = defineCreditEstimator({
      kind: 'by-batch',
      name: 'by batch',
      summary: 'for a test',
      options: z.strictObject({ says: z.enum(['group', 'batch']) }),
      create: ({ says }) => ({
        compares: says,
        assign: (groups) => ({
          groups: groups.map(({ members }) =>
            members.map(({ steps, stop }) => ({
              advantage: stop.kind === 'faulted' ? [] : steps.map(() => groups.length),
            })),
          ),
        }),
      }),
    });
    expect(refusalOf(() => openEstimator(byBatch, { says: 'group' }).estimator.assign(batch))).toMatch(
      /"by batch", group 0, member 0, step 0: its advantage is 2 within the batch and 1 if the group is given alone.*compares: 'batch'/,
    );
    const lone = [...batch, group(walk('A', 1), faulted)];
    expect(openEstimator(byBatch, { says: 'batch' }).estimator.assign(lone).verdicts).toEqual([
      'credited',
      'credited',
      'credited',
    ]);
    const everywhere = {
      groups: lone.map(({ members }) =>
        members.map(({ steps, stop }) => ({ advantage: stop.kind === 'faulted' ? [] : steps.map(() => 1) })),
      ),
    };
    expect(refusalOf(() => giving(everywhere).assign(lone))).toMatch(
      /group 2, member 0: it has an advantage, although the group has no other member to compare it with/,
    );
  });
});

describe('openEstimator', () => {
  test('refuses an estimator that needs evidence without a source', () => {
    expect(refusalOf(() => giving(sound(), { needs: ['values'] }))).toMatch(
      /credit estimator "mine", needs: it needs values, and the config has no source of it/,
    );
    expect(refusalOf(() => giving(sound(), { needs: ['values', 'judgements'] }))).toMatch(
      /it needs values and judgements/,
    );
    expect(giving(sound(), { needs: [] }).name).toBe('mine');
  });

  test('refuses an estimator that is missing or throws', () => {
    const definition = (create: () => unknown) =>
      ({ kind: 'mine', name: 'mine', summary: 'for a test', options: z.strictObject({}), create }) as never;
    expect(
      refusalOf(() =>
        openEstimator(
          definition(() => undefined),
          {},
        ),
      ),
    ).toMatch(/create returned undefined/);
    expect(
      refusalOf(() =>
        openEstimator(
          definition(() => ({ assign: 1 })),
          {},
        ),
      ),
    ).toMatch(/must be a function.*Return \{ assign \} from create/);
    expect(
      refusalOf(() =>
        openEstimator(
          definition(() => {
            throw new Error('no such table');
          }),
          {},
        ),
      ),
    ).toMatch(/create threw: no such table\./);
    const broken = openEstimator(
      definition(() => ({
        assign: () => {
          throw new TypeError('x is not a function');
        },
      })),
      {},
    ).estimator;
    expect(refusalOf(() => broken.assign(batch))).toMatch(
      /"mine": assign threw: x is not a function \(open-estimator\.test\.ts:\d+:\d+\)\./,
    );
  });

  test.each([
    ['GiGPO', /used by another row of the tables, GiGPO/],
    ['as-Given', /as given/],
    ['9lives', /must begin with a letter/],
    ['', /must begin with a letter/],
    ['a/b', /must begin with a letter/],
  ])('refuses the name %j', (name, message) => {
    expect(findNameProblem(name)).toMatch(message);
    expect(findNameProblem('GAE (lambda 0.9)')).toBeUndefined();
  });
});

describe('estimator options', () => {
  const definition = defineCreditEstimator({
    kind: 'mine',
    name: 'mine',
    summary: 'for a test',
    options: z.strictObject({
      lambda: z.number().max(1).default(0.5),
      mode: z
        .string()
        .transform((text) => text.length)
        .default(0),
    }),
    create: () => ({ assign: () => ({ groups: [] }) }),
  });

  test('keep their defaults when those parse the same, and otherwise stay as written', () => {
    const plain = defineCreditEstimator({
      kind: 'mine',
      name: 'mine',
      summary: 'for a test',
      options: z.strictObject({ lambda: z.number().default(0.5) }),
      create: () => ({ assign: () => ({ groups: [] }) }),
    });
    expect(openEstimator(plain, {}).options).toEqual({ lambda: 0.5 });
    expect(openEstimator(definition, { mode: 'long' }).options).toEqual({ mode: 'long' });
  });

  test('must be known and valid, and errors suggest the intended one', () => {
    expect(refusalOf(() => openEstimator(definition, { lamda: 1 }))).toMatch(
      /"mine", options: unknown key "lamda"; did you mean lambda\?/,
    );
    expect(refusalOf(() => openEstimator(definition, { lambda: 2 }))).toMatch(
      /lambda: 2 is given where number/,
    );
  });
});

test('built-in estimators are validated too, and no other object replaces them', async () => {
  const { estimator, versions } = await openCredit(creditConfigSchema.parse({ kind: 'grpo' }));
  expect(estimator.name).toBe('GRPO');
  expect(versions).toEqual({});
  expect(estimator.assign(batch).verdicts).toEqual(['credited', 'credited']);
  expect(() => ValidatedEstimator.require(estimator)).not.toThrow();
  expect(
    refusalOf(() => ValidatedEstimator.require({ name: 'mine', compares: 'group', assign: () => sound() })),
  ).toMatch(/replaced after prepare.*kind: 'module'/);
});
