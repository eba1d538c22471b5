import { describe, expect, it } from 'vitest';
import { warnOfClips } from '../../../cli/training/warn-of-clips.ts';
import { trainConfigSchema } from '../../../trainers/config/config.ts';

const warningOf = (ratio: string | undefined, update: object): string | undefined => {
  const policy = ratio === undefined ? {} : { kind: 'token', model: 'models/nano', loss: { ratio } };
  const parsed = trainConfigSchema.parse({ env: 'household', policy, update });
  return warnOfClips(parsed);
};

describe('a warning of clips', () => {
  it('comes where the ratio of rows is clipped as if it were that of tokens, and has the settings of the paper', () => {
    expect(warningOf('sequence', {})).toMatch(
      /policy\.loss\.ratio=sequence .*clipLow 0\.2 and update\.clipHigh 0\.28.*update\.clipLow=3e-4 .*update\.clipHigh=4e-4/,
    );
    expect(warningOf('sequence', { clipLow: 3e-4, clipHigh: 0.28 })).toMatch(
      /update\.clipLow 0\.0003 and update\.clipHigh 0\.28/,
    );
    for (const [ratio, update] of [
      ['sequence', { clipLow: 3e-4, clipHigh: 4e-4 }],
      ['token', {}],
      [undefined, {}],
    ] as const)
      expect(warningOf(ratio, update)).toBeUndefined();
  });
});
