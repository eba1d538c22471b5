import { describe, expect, it } from 'vitest';
import { evaluationFlags } from '../../../cli/evaluation/options.ts';
import { paceOf } from '../../../cli/evaluation/pace.ts';

describe('the pace of an evaluation', () => {
  it('gives language models fewer episodes at once, and two hours for each', () => {
    expect(paceOf({}, { writes: false })).toEqual({ concurrency: 128, episodeSeconds: 600 });
    expect(paceOf({}, { writes: true })).toEqual({ concurrency: 16, episodeSeconds: 7_200 });
  });

  it('has no more at once than the env bears, unless the user says so', () => {
    for (const writes of [false, true]) expect(paceOf({}, { writes, mostAtOnce: 8 }).concurrency).toBe(8);
    expect(paceOf({ concurrency: 30 }, { writes: false, mostAtOnce: 8 }).concurrency).toBe(30);
  });

  it('is as the user says', () => {
    expect(paceOf({ concurrency: 3 }, { writes: true })).toEqual({ concurrency: 3, episodeSeconds: 7_200 });
    expect(paceOf({ episodeTimeout: 0.5 }, { writes: false })).toEqual({ concurrency: 128, episodeSeconds: 0.5 });
  });

  it('is what the help promises', () => {
    const says = evaluationFlags.map((flag) => flag.says).join('\n');
    expect(says).toContain('default: 128, with a language model 16');
    expect(says).toContain('default: 600, with a language model 7200');
  });
});
