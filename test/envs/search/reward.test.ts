import { describe, expect, it } from 'vitest';
import { brierOf } from '../../../envs/search/reward/brier.ts';
import { isMatch } from '../../../envs/search/reward/exact-match.ts';
import { normalise } from '../../../envs/search/reward/normalise.ts';
import { flawOfWeights } from '../../../envs/search/reward/reward-terms.ts';
import { tokenF1 } from '../../../envs/search/reward/token-f1.ts';
import { isValidTranscript } from '../../../envs/search/reward/transcript-format.ts';

describe('answers', () => {
  // Expected values by the rules of SQuAD's script: lower, punctuation, articles, blanks.
  it.each([
    ['The  Tower of the  Winds!', 'tower of winds'],
    ['A.B. "C"', 'ab c'],
    ['theatre an-the other', 'theatre anthe other'],
    ['', ''],
    ['ÉMILE’S', 'émile’s'],
  ])('normalise %j to %j', (text, normal) => {
    expect(normalise(text)).toBe(normal);
  });

  it('right answers are equal in normal form, or contain a gold answer', () => {
    expect(isMatch('the Mira Dolven.', ['x', 'Mira Dolven'], 'exact')).toBe(true);
    expect(isMatch('it was Mira Dolven', ['Mira Dolven'], 'exact')).toBe(false);
    expect(isMatch('it was Mira Dolven', ['Mira Dolven'], 'contains')).toBe(true);
    expect(isMatch('anything', ['the'], 'contains')).toBe(false);
    expect(isMatch('Mira\u200BDolven', ['Mira Dolven'], 'exact')).toBe(false);
  });

  it('answers have the F1 of their words', () => {
    expect(tokenF1('Mira Dolven of Tarn', ['Mira Dolven'])).toBeCloseTo(2 / 3, 12);
    expect(tokenF1('x', ['Mira', 'x y'])).toBeCloseTo(2 / 3, 12);
    expect(tokenF1('Mira Mira', ['Mira'])).toBeCloseTo(2 / 3, 12);
    expect([tokenF1('the', ['a']), tokenF1('', ['x'])]).toEqual([1, 0]);
  });
});

describe('the format of a transcript', () => {
  const round = '<think>a</think><search>b</search>\n<information>c</information>\n';
  it.each([
    [`${round}<think>d</think> <answer>e</answer>`, true],
    ['<think>d</think><answer>e</answer>', true],
    [`${round}${round}<think>d</think><answer>e</answer>\n`, true],
    ['<answer>e</answer>', false],
    [`${round}<answer>e</answer>`, false],
    ['<think>a</think>text<answer>e</answer>', false],
    ['<think>d</think><answer>e</answer>more', false],
    ['<think>a</think><search>b</search><think>d</think><answer>e</answer>', false],
    ['<think><think>a</think><answer>e</answer>', false],
    ['<think>d</think><answer>e', false],
    ['', false],
  ])('%j is %s', (text, isValid) => {
    expect(isValidTranscript(text)).toBe(isValid);
  });
});

describe('a confidence', () => {
  it('costs its squared distance from the truth, and the most where it is missing', () => {
    expect([brierOf(0.75, true), brierOf(0.75, false), brierOf(1, true)]).toEqual([0.0625, 0.5625, 0]);
    expect([brierOf(undefined, true), brierOf(undefined, false)]).toEqual([1, 1]);
  });

  it('ends a transcript of RLCR', () => {
    const answered = '<think>d</think><answer>e</answer>';
    expect(isValidTranscript(`${answered}<confidence>0.5</confidence>`)).toBe(false);
    expect(isValidTranscript(`${answered}<confidence>0.5</confidence>`, 'confidence')).toBe(true);
    expect(
      isValidTranscript(`${answered}<analysis>x</analysis> <confidence>1</confidence>`, 'confidence'),
    ).toBe(true);
    expect(isValidTranscript(answered, 'confidence')).toBe(false);
  });
});

describe('weights', () => {
  const none = { answer: 0, f1: 0, format: 0, retrieval: 0, judge: 0, cost: 0, confidence: 0 };
  it('let no wrong answer earn as much as a right one', () => {
    expect(flawOfWeights({ ...none, answer: 1 })).toBeUndefined();
    expect(flawOfWeights({ ...none, f1: 1 })).toBeUndefined();
    expect(
      flawOfWeights({ ...none, answer: 1, format: 0.2, retrieval: 0.1, judge: 0.2, cost: 0.1 }),
    ).toBeUndefined();
    expect(flawOfWeights({ ...none, answer: 1, judge: 0.5 })).toContain('could earn as much');
    expect(flawOfWeights(none)).toContain('could earn as much');
    expect(flawOfWeights({ ...none, answer: 1, confidence: 1 })).toBeUndefined(); // as in RLCR
    expect(flawOfWeights({ ...none, answer: 1, confidence: 2 })).toContain('could earn as much');
    expect(flawOfWeights({ ...none, answer: 1, format: 0.2, confidence: 1 })).toContain('could earn as much');
  });
});
