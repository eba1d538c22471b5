import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { objectives } from '../../../models/objectives/list.ts';
import { objectiveSchema } from '../../../models/objectives/objective.ts';
import { policyTerm, registerObjective, surrogateOf } from '../../../models/objectives/policy-term.ts';
import type { Surrogate } from '../../../models/objectives/surrogate.ts';

const finite = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true });
const bounds = { low: 0.2, high: 0.3 };
const at = (kind: string, ratio: number, advantage: number, dualClip?: number): Surrogate =>
  surrogateOf({
    surrogate: { kind, options: {} },
    ...bounds,
    ...(dualClip === undefined ? {} : { dualClip }),
  })({
    advantage,
    ratio,
    logRatio: Math.log(ratio),
    isBounded: false,
  });

describe.each(objectives.map(({ kind }) => kind))('objective %s', (kind) => {
  it('equals the policy gradient at unchanged weights', () => {
    fc.assert(
      fc.property(finite(-5, 5), (advantage) => {
        const { slope, clipped } = at(kind, 1, advantage);
        expect(slope).toBeCloseTo(-advantage, 12);
        expect(clipped).toBe(false);
      }),
    );
  });

  it('never moves a probability against the sign of its advantage', () => {
    fc.assert(
      fc.property(finite(0.01, 20), finite(-5, 5), (ratio, advantage) => {
        const { loss, slope } = at(kind, ratio, advantage);
        expect(Number.isFinite(loss)).toBe(true);
        expect(slope * advantage).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('scales linearly with an advantage of fixed sign', () => {
    fc.assert(
      fc.property(finite(0.01, 20), finite(0.1, 5), fc.constantFrom(1, -1), (ratio, scale, sign) => {
        const [one, other] = [at(kind, ratio, sign), at(kind, ratio, sign * scale)];
        expect(other.loss).toBeCloseTo(scale * one.loss, 9);
        expect(other.slope).toBeCloseTo(scale * one.slope, 9);
      }),
    );
  });
});

describe('objective clipped', () => {
  it.each([
    [1.4, 1, { loss: -1.3, slope: 0, clipped: true }],
    [1.4, -1, { loss: 1.4, slope: 1.4, clipped: false }],
    [0.7, 1, { loss: -0.7, slope: -0.7, clipped: false }],
    [0.7, -1, { loss: 0.8, slope: 0, clipped: true }],
  ])('takes at ratio %d and advantage %d the smaller gain', (ratio, advantage, expected) => {
    const found = at('clipped', ratio, advantage);
    expect(found.clipped).toBe(expected.clipped);
    expect(found.loss).toBeCloseTo(expected.loss, 12);
    expect(found.slope).toBeCloseTo(expected.slope, 12);
  });
});

describe('objective cispo', () => {
  it.each([
    [1.4, 1, { slope: -1.3, clipped: true }],
    [1.4, -1, { slope: 1.3, clipped: true }],
    [0.7, 1, { slope: -0.8, clipped: true }],
    [1.1, 1, { slope: -1.1, clipped: false }],
  ])('keeps at ratio %d and advantage %d the gradient of the clipped ratio', (ratio, advantage, expected) => {
    const found = at('cispo', ratio, advantage);
    expect(found.clipped).toBe(expected.clipped);
    expect(found.slope).toBeCloseTo(expected.slope, 12);
  });
});

describe('policy term', () => {
  it('weights loss and gradient by the staleness of the sample, up to the cap', () => {
    const surrogate = surrogateOf({ surrogate: { kind: 'clipped', options: {} }, ...bounds });
    const facts = { advantage: 1, logRatio: 0, proximal: -1, behaviour: -1 - Math.log(1.5) };
    expect(policyTerm(surrogate, 2, facts)).toMatchObject({ importance: expect.closeTo(1.5, 12) as number });
    expect(policyTerm(surrogate, 1.2, facts)).toMatchObject({ importance: 1.2, loss: -1.2, slope: -1.2 });
    expect(policyTerm(surrogate, undefined, facts)).toMatchObject({ importance: 1, loss: -1 });
  });

  it('refuses an unknown objective', () => {
    const strange = objectiveSchema.parse({ kind: 'policy', surrogate: { kind: 'strange' }, ...bounds });
    if (strange.kind !== 'policy') throw new TypeError('expected a policy objective');
    expect(() => surrogateOf(strange)).toThrow(
      /surrogate strange: there is no objective of that name.*clipped, cispo/,
    );
    registerObjective('strange', objectives[0]);
    expect(surrogateOf(strange)).toBeTypeOf('function');
  });
});
