import { describe, expect, test } from 'vitest';
import { createCreditEstimator } from '../../../trainers/credit/create-credit-estimator.ts';
import { creditConfigSchema } from '../../../trainers/credit/credit-config.ts';
import { createGigpo, createGrpo } from './built-in.ts';
import { episode, group, sizesOf, walk } from './hand-made.ts';
import { refusalOf } from '../../support/refusal-of.ts';

describe('credit config', () => {
  test('defaults to the values of the published code, except for the anchor', () => {
    expect(creditConfigSchema.parse({ kind: 'gigpo' })).toEqual({
      kind: 'gigpo',
      episodeWeighting: 'rows',
      normalise: 'mean-std',
      std: 'unbiased',
      epsilon: 1e-6,
      self: 'included',
      invalidPenalty: 'own-step',
      omega: 1,
      gamma: 0.95,
      anchor: 'information',
      grouping: { kind: 'exact' },
      visits: 'every',
    });
  });

  test('parses its own output unchanged', () => {
    for (const kind of ['gigpo', 'grpo'] as const) {
      const stored: unknown = JSON.parse(JSON.stringify(creditConfigSchema.parse({ kind })));
      expect(creditConfigSchema.parse(stored)).toEqual(stored);
    }
  });

  test('refuses unknown keys', () => {
    // @ts-expect-error: misspelt on purpose
    expect(refusalOf(() => createGigpo({ omgea: 1 }))).toMatch(/omgea/u);
    // @ts-expect-error: GRPO has no step term
    expect(refusalOf(() => createGrpo({ omega: 1 }))).toMatch(/omega/u);
    // @ts-expect-error: there is no such estimator
    expect(refusalOf(() => createCreditEstimator({ kind: 'gippo' }))).toMatch(/kind/u);
    // @ts-expect-error: GRPO does not discount
    expect(refusalOf(() => createCreditEstimator({ kind: 'grpo', gamma: 1 }))).toMatch(/gamma/u);
  });

  test('refuses numbers out of range, and names the option', () => {
    expect(refusalOf(() => createGigpo({ gamma: 1.01 }))).toMatch(/gamma/u);
    expect(refusalOf(() => createGigpo({ omega: -1 }))).toMatch(/omega/u);
    expect(refusalOf(() => createGigpo({ omega: Number.NaN }))).toMatch(/omega/u);
    expect(refusalOf(() => createGrpo({ epsilon: 0 }))).toMatch(/epsilon/u);
    expect(
      refusalOf(() => createGigpo({ anchor: 'observation', grouping: { kind: 'similarity', threshold: 1 } })),
    ).toMatch(/threshold/u);
  });

  test('refuses grouping by similarity for keys that are not observations', () => {
    const grouping = { kind: 'similarity', threshold: 0.95 } as const;
    expect(refusalOf(() => createGigpo({ grouping }))).toMatch(/similarity .* anchor "observation"/u);
    expect(refusalOf(() => createCreditEstimator({ kind: 'gigpo', anchor: 'state', grouping }))).toMatch(
      /anchor "observation"/u,
    );
    expect(createCreditEstimator({ kind: 'gigpo', anchor: 'observation', grouping }).name).toBe('GiGPO');
  });
});

test('similarity grouping has the reference’s default threshold of 0.95', () => {
  expect(
    creditConfigSchema.parse({ kind: 'gigpo', anchor: 'observation', grouping: { kind: 'similarity' } }),
  ).toMatchObject({ grouping: { kind: 'similarity', threshold: 0.95 } });
});

describe('GiGPO on a batch', () => {
  const similar = createGigpo({ anchor: 'observation', grouping: { kind: 'similarity', threshold: 0.9 } });
  const published = createGigpo({ anchor: 'observation' });

  test('refuses observations compared as text that are not text', () => {
    const batch = [group(episode([{ observation: { board: [1] } }]), episode([{ observation: 'text' }]))];
    expect(refusalOf(() => similar.assign(batch, {}))).toMatch(/corridor-v1.*only texts can be similar/u);
    expect(sizesOf(published.assign(batch)).length).toBe(2);
  });

  test('refuses observations used as keys that are not JSON', () => {
    const batch = [
      group(episode([{ observation: new Map(), key: 'k' }]), episode([{ observation: new Map(), key: 'k' }])),
    ];
    expect(refusalOf(() => published.assign(batch, {}))).toMatch(/not JSON.*--anchor information/u);
    expect(sizesOf(createGigpo().assign(batch)).length).toBe(1);
  });

  test('refuses keys that no step has, and names the envs and the usable keys', () => {
    const odd = (env: string): ReturnType<typeof episode> =>
      episode([{ observation: new Map(), key: 'k' }], { env });
    const batch = [group(odd('chat-v1'), odd('chat-v1')), group(odd('quiz-v2'), odd('quiz-v2'))];
    const message = refusalOf(() => createGigpo({ anchor: 'state' }).assign(batch, {}));
    expect(message).toMatch(/--anchor state on chat-v1, quiz-v2/u);
    expect(message).toMatch(/Use --anchor information, or --credit grpo/u);
    expect(message).not.toMatch(/--anchor observation/u);
  });

  test('accepts a batch with one step that has a key, or whose members all faulted', () => {
    const keyless = episode([{ observation: 'o' }]);
    expect(sizesOf(createGigpo().assign([group(walk('A', 1), keyless)])).length).toBe(1);
    const faulted = episode([{ observation: 'o' }], { faulted: true });
    expect(createGigpo().assign([group(faulted, faulted)], {}).verdicts).toEqual(['all-faulted']);
    expect(createGigpo().assign([group()], {}).verdicts).toEqual(['all-faulted']);
  });
});
