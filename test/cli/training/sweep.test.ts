import { describe, expect, it } from 'vitest';
import { readSeeds, readSweep } from '../../../cli/training/sweep.ts';

describe('readSeeds', () => {
  it.each([
    ['0..4', [0, 1, 2, 3, 4]],
    ['0,3,7', [0, 3, 7]],
    ['5', [5]],
    ['0..2, 9', [0, 1, 2, 9]],
    ['7..7', [7]],
  ])('reads %s', (text, seeds) => {
    expect(readSeeds(text)).toEqual(seeds);
  });

  it.each([
    ['', /"" is neither a seed nor a range/],
    ['a', /"a" is neither/],
    ['1,,2', /"" is neither/],
    ['-1', /"-1" is neither/],
    ['1.5', /"1\.5" is neither/],
    ['4..0', /goes down/],
    ['0..2,1', /seed 1 comes twice/],
    ['0..1000000', /has 1000001 seeds, and at most 1000/],
  ])('refuses %j', (text, says) => {
    expect(() => readSeeds(text)).toThrow(says);
  });
});

describe('readSweep', () => {
  it('makes one unnamed variant of nothing', () => {
    expect(readSweep([])).toEqual([{ name: '', assignments: [] }]);
  });

  it('makes all combinations, each with a name for a folder', () => {
    expect(readSweep(['update.learningRate=0.001,0.003', 'credit.kind=gigpo,grpo'])).toEqual(
      ['0.001', '0.003'].flatMap((rate) =>
        ['gigpo', 'grpo'].map((kind) => ({
          name: `learningRate-${rate}+kind-${kind}`,
          assignments: [`update.learningRate=${rate}`, `credit.kind=${kind}`],
        })),
      ),
    );
  });

  it('names variants apart when their values differ only in what a name cannot hold', () => {
    const names = readSweep(['policy.model=runs/a,runs:a']).map(({ name }) => name);
    expect(names).toEqual(['model-runs-a-v1', 'model-runs-a-v2']);
    for (const name of names) expect(name).toMatch(/^[\w.+-]{1,60}$/);
  });

  it.each([
    [['learningRate'], /it has no "="/],
    [['=1,2'], /it has no key/],
    [['a=1,,2'], /it has an empty value/],
    [['a=1', 'a=2'], /it is swept twice\. Give all its values at once: --sweep a=A,B,C/],
    [[`a=${Array.from({ length: 1_001 }, (_, index) => index).join(',')}`], /more than 1000 variants/],
  ])('refuses %j', (given, says) => {
    expect(() => readSweep(given)).toThrow(says);
  });
});
