import { describe, expect, it } from 'vitest';
import { evaluationFlags } from '../../../cli/evaluation/options.ts';
import { paceOf } from '../../../lab/evaluate/pace.ts';

describe('the pace of an evaluation', () => {
  it('gives language models fewer episodes at once, and two hours for each', () => {
    expect(paceOf({}, false)).toEqual({ concurrency: 128, episodeSeconds: 600 });
    expect(paceOf({}, true)).toEqual({ concurrency: 16, episodeSeconds: 7_200 });
  });

  it('is as the user says', () => {
    expect(paceOf({ concurrency: 3 }, true)).toEqual({ concurrency: 3, episodeSeconds: 7_200 });
    expect(paceOf({ episodeTimeout: 0.5 }, false)).toEqual({ concurrency: 128, episodeSeconds: 0.5 });
  });

  it('is what the help promises', () => {
    const says = evaluationFlags.map((flag) => flag.says).join('\n');
    expect(says).toContain('default: 128, with a language model 16');
    expect(says).toContain('default: 600, with a language model 7200');
  });
});
