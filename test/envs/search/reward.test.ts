import { describe, expect, it } from 'vitest';
import { isValidTranscript } from '../../../envs/engines/questions/answers/transcript-format.ts';
import { brierOf } from '../../../envs/search/reward/brier.ts';
import { parseEnvConfig } from '../../../envs/open.ts';
import { searchEnv } from '../../../envs/search/definition.ts';
import { flawOfContaining, flawOfWeights } from '../../../envs/search/reward/reward-terms.ts';

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

  it('count F1 as a wrong answer’s where an answer may contain a gold answer', () => {
    expect(flawOfContaining({ ...none, answer: 1, f1: 10 })).toContain('matching=contains');
    expect(flawOfContaining({ ...none, answer: 1, f1: 0.5, format: 0.4 })).toBeUndefined();
    expect(flawOfContaining({ ...none, answer: 1, confidence: 1 })).toBeUndefined();
    const config = { matching: 'contains', weights: { answer: 1, f1: 10 } };
    expect(() => parseEnvConfig(searchEnv, config)).toThrow('matching=contains');
    expect(parseEnvConfig(searchEnv, { ...config, matching: 'exact' })).toMatchObject({ matching: 'exact' });
  });
});
