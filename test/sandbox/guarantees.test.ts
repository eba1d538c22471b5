import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../envs/core/errors.ts';
import { assertMeets, guaranteeLevels, meets, type Guarantees } from '../../sandbox/index.ts';

const container: Guarantees = {
  boundary: 'container',
  user: 'unprivileged',
  files: 'private-root',
  network: 'none',
  environment: 'cleared',
  memory: 'enforced',
  cpu: 'enforced',
  pids: 'enforced',
  disk: 'advisory',
  children: 'all-killed',
  kernel: 'filtered',
};

const anyGuarantees = fc.record(
  Object.fromEntries(
    Object.entries(guaranteeLevels).map(([aspect, levels]) => [aspect, fc.constantFrom(...levels)]),
  ),
) as fc.Arbitrary<Guarantees>;
const anyNeeds = anyGuarantees.chain((all) =>
  fc
    .subarray(Object.keys(all) as (keyof Guarantees)[])
    .map((kept): Partial<Guarantees> => Object.fromEntries(kept.map((aspect) => [aspect, all[aspect]]))),
);

describe('meets', () => {
  it('lists each need that is not met, with what is given', () => {
    expect(meets(container, { disk: 'enforced', kernel: 'separate', network: 'loopback' })).toEqual([
      { aspect: 'disk', needed: 'enforced', given: 'advisory' },
      { aspect: 'kernel', needed: 'separate', given: 'filtered' },
    ]);
  });

  it('accepts a stronger guarantee and reports a weaker one', () => {
    expect(meets(container, { network: 'open', boundary: 'process' })).toEqual([]);
    expect(meets({ ...container, network: 'loopback' }, { network: 'none' })).toHaveLength(1);
  });

  it('refuses an unknown need or level, which would be missed by nobody', () => {
    const unknown =
      (needs: object): (() => unknown) =>
      () =>
        meets(container, needs);
    expect(unknown({ boundary: 'namespace' })).toThrow(
      'sandbox need "boundary": the level "namespace" does not exist. Choose one of none, process, namespaces, container, virtual-machine.',
    );
    expect(unknown({ boundry: 'namespaces' })).toThrow(
      'sandbox need "boundry": this guarantee does not exist. Choose one of boundary, user,',
    );
    expect(unknown({ toString: 'none' })).toThrow(UsageError);
    expect(unknown({ disk: undefined })).not.toThrow();
  });

  it('accepts equal guarantees, and no needs', () => {
    fc.assert(
      fc.property(anyGuarantees, (given) => {
        expect(meets(given, given)).toEqual([]);
        expect(meets(given, {})).toEqual([]);
      }),
    );
  });

  it('accepts in both directions only equal guarantees', () => {
    fc.assert(
      fc.property(anyGuarantees, anyGuarantees, (a, b) => {
        if (meets(a, b).length === 0 && meets(b, a).length === 0) expect(a).toEqual(b);
      }),
    );
  });

  it('reports no more when needs are dropped', () => {
    fc.assert(
      fc.property(anyGuarantees, anyNeeds, fc.nat(10), (given, needs, dropped) => {
        const fewer: Partial<Guarantees> = Object.fromEntries(
          Object.entries(needs).filter((_, index) => index !== dropped),
        );
        const still = meets(given, fewer).map(({ aspect }) => aspect);
        expect(meets(given, needs).map(({ aspect }) => aspect)).toEqual(expect.arrayContaining(still));
      }),
    );
  });

  it('gives, by assertMeets, a usage error that names provider and needs', () => {
    expect(() => assertMeets({ name: 'docker', guarantees: container }, { kernel: 'separate' })).toThrow(
      UsageError,
    );
    expect(() => assertMeets({ name: 'docker', guarantees: container }, { kernel: 'separate' })).toThrow(
      /provider "docker".*kernel "separate" \(it has "filtered"\)/,
    );
    expect(() => assertMeets({ name: 'docker', guarantees: container }, { network: 'none' })).not.toThrow();
  });
});
