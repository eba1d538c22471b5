import { describe, expect, it } from 'vitest';
import { evaluationFlags } from '../../../cli/evaluation/options.ts';
import { paceOf } from '../../../lab/evaluate/pace.ts';

describe('pace of an evaluation', () => {
  it('allows language models fewer concurrent episodes, and two hours for each', () => {
    expect(paceOf({}, false)).toEqual({ concurrency: 128, episodeSeconds: 600 });
    expect(paceOf({}, true)).toEqual({ concurrency: 16, episodeSeconds: 7_200 });
  });

  it('follows the user’s options', () => {
    expect(paceOf({ concurrency: 3 }, true)).toEqual({ concurrency: 3, episodeSeconds: 7_200 });
    expect(paceOf({ episodeTimeout: 0.5 }, false)).toEqual({ concurrency: 128, episodeSeconds: 0.5 });
  });

  it('matches the defaults in the help', () => {
    const says = evaluationFlags.map((flag) => flag.says).join('\n');
    expect(says).toContain('default: 128, with a language model 16');
    expect(says).toContain('default: 600, with a language model 7200');
  });
});
