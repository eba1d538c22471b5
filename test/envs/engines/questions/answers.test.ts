import { describe, expect, it } from 'vitest';
import { isMatch } from '../../../../envs/engines/questions/answers/exact-match.ts';
import { normalise } from '../../../../envs/engines/questions/answers/normalise.ts';
import { tokenF1 } from '../../../../envs/engines/questions/answers/token-f1.ts';
import { isValidTranscript } from '../../../../envs/engines/questions/answers/transcript-format.ts';

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
