import { describe, expect, it } from 'vitest';
import type { PanelInfo } from '../../../../envs/core/task.ts';
import { trainConfigSchema } from '../../../../trainers/config/config.ts';
import { warnOfClips, warnOfFinalPanels, warnOfPanels } from '../../../../trainers/loop/setup/warnings.ts';

const panelsOf = (...purposes: readonly PanelInfo['purpose'][]): readonly PanelInfo[] =>
  purposes.map((purpose, index) => ({
    name: `${purpose}${index === 0 ? '' : index}`,
    size: 4,
    purpose,
    summary: '',
  }));

describe('warning about panels', () => {
  it('appears when a run selects checkpoints on its training panel, and names alternatives', () => {
    const said = 'is also trained on: its curve and the best checkpoint say nothing about other tasks.';
    const usual = panelsOf('dev', 'train', 'held-out');
    expect(warnOfPanels({ panel: 'dev', devPanel: 'dev' }, usual)).toBe(
      `dev ${said} Train on another panel: --panel train1`,
    );
    expect(warnOfPanels({ panel: 'train1', devPanel: 'train1' }, usual)).toBe(
      `train1 ${said} Select on another panel: --with devPanel=dev`,
    );
    expect(warnOfPanels({ panel: 'dev', devPanel: 'dev' }, panelsOf('dev', 'dev'))).toBe(
      `dev ${said} Select on another panel: --with devPanel=dev1`,
    );
  });

  it('appears when a run ends with the panel that selects checkpoints', () => {
    const said = 'dev is also used for model selection: final results on it overestimate other tasks';
    const usual = panelsOf('dev', 'train', 'held-out');
    expect(warnOfFinalPanels({ finalPanels: ['held-out2', 'dev'], devPanel: 'dev' }, usual)).toBe(
      `${said}. Play a panel that is held out: --final-panel held-out2`,
    );
    expect(warnOfFinalPanels({ finalPanels: ['dev'], devPanel: 'dev' }, panelsOf('dev', 'train'))).toBe(said);
    expect(warnOfFinalPanels({ finalPanels: ['held-out2'], devPanel: 'dev' }, usual)).toBeUndefined();
  });

  it('does not appear when the panels differ, or the env has no other', () => {
    expect(warnOfPanels({ panel: 'train1', devPanel: 'dev' }, panelsOf('dev', 'train'))).toBeUndefined();
    expect(
      warnOfPanels({ panel: 'train', devPanel: 'train' }, panelsOf('train', 'held-out')),
    ).toBeUndefined();
  });
});

const warningOf = (ratio: string | undefined, update: object): string | undefined => {
  const policy = ratio === undefined ? {} : { kind: 'token', model: 'models/nano', loss: { ratio } };
  const parsed = trainConfigSchema.parse({ env: 'household', policy, update });
  return warnOfClips(parsed);
};

describe('warning about clips', () => {
  it('appears when sequence ratios have clips meant for token ratios, and names the paper’s settings', () => {
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
