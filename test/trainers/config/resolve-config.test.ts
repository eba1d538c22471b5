import { describe, expect, it } from 'vitest';
import type { Experts } from '../../../envs/core/env.ts';
import type { PanelInfo } from '../../../envs/core/task.ts';
import { trainConfigSchema, type TrainConfigInput } from '../../../trainers/config/config.ts';
import { resolveConfig, tableRefusal } from '../../../trainers/config/resolve-config.ts';

const panel = (name: string, purpose: PanelInfo['purpose']): PanelInfo => ({
  name,
  size: 8,
  purpose,
  summary: '',
});
const poor = { panels: [panel('train', 'train'), panel('dev', 'dev')] };
const experts: Experts<unknown, unknown> = { searcher: () => ({ act: () => 'go' }) };
const rich = { panels: [...poor.panels, panel('near', 'held-out'), panel('far', 'held-out')], experts };
const settled = (config: Partial<TrainConfigInput>, host: Parameters<typeof resolveConfig>[1]) => {
  const { warmStart, finalPanels } = resolveConfig(
    trainConfigSchema.parse({ env: 'lab/walk-v1', ...config }),
    host,
  );
  return [warmStart.episodes, finalPanels];
};

describe('config values that depend on the env', () => {
  it('default to demonstrations with a searcher, and to the first held-out panel', () => {
    expect(settled({}, rich)).toEqual([32, ['near']]);
    expect(settled({}, poor)).toEqual([0, []]);
    expect(settled({}, { ...poor, experts: { planner: () => [] } })).toEqual([0, []]);
    expect(settled({ policy: { model: '/runs/a' } }, rich)).toEqual([0, ['near']]); // what has learned is not cloned over
  });

  it('keep what the config sets', () => {
    expect(settled({ warmStart: { episodes: 0 }, finalPanels: [] }, rich)).toEqual([0, []]);
    expect(settled({ warmStart: { episodes: 5 }, finalPanels: ['far'] }, rich)).toEqual([5, ['far']]);
  });
});

describe('panel that selects checkpoints', () => {
  const devPanel = (panels: readonly PanelInfo[], config: Partial<TrainConfigInput> = {}): string =>
    resolveConfig(trainConfigSchema.parse({ env: 'lab/walk-v1', ...config }), { panels }).devPanel;

  it('defaults to dev, else to the first panel of that purpose, and can be named', () => {
    expect(devPanel(poor.panels, { devPanel: 'train' })).toBe('train');
    expect(devPanel([panel('train', 'train'), panel('choices', 'dev'), panel('dev', 'dev')])).toBe('dev');
    expect(devPanel([panel('train', 'train'), panel('test', 'held-out'), panel('choices', 'dev')])).toBe(
      'choices',
    );
  });

  it('cannot be held out, nor the training panel unless named', () => {
    expect(() =>
      devPanel([panel('train', 'train'), panel('dev', 'held-out'), panel('test', 'held-out')]),
    ).toThrow(
      'training config, devPanel: lab/walk-v1, as opened, has no panel "dev" and no other panel for model selection: it has train, dev, test (held out: never used for model selection). ' +
        'Open it with more data or with a panel of purpose "dev", or select on training tasks: --with devPanel=train.',
    );
    expect(() => devPanel([panel('train', 'train')])).toThrow('it has train. Open');
    const emptied = [{ name: 'dev', why: 'its tasks were left out', fix: 'Fix them' }];
    expect(() =>
      resolveConfig(trainConfigSchema.parse({ env: 'lab/walk-v1' }), {
        panels: [panel('train', 'train')],
        unavailablePanels: emptied,
      }),
    ).toThrow('it has train; dev is empty: its tasks were left out. Open');
    expect(() => devPanel([panel('test', 'held-out')])).toThrow(
      /it has test \(held out: never used for model selection\)\. Open it with more data or with a panel of purpose "dev"\.$/,
    );
  });
});

describe('whyNoTable', () => {
  const why = (config: Partial<TrainConfigInput>, host: Parameters<typeof resolveConfig>[1]) =>
    tableRefusal(resolveConfig(trainConfigSchema.parse({ env: 'lab/walk-v1', ...config }), host), host);

  it('says in one line why there is no table of before and after, and how to get one', () => {
    expect(why({}, poor)).toBe(
      'No table of before and after: the environment has no held-out panel to play at the end. Give it a panel of purpose "held-out", or play dev: --final-panel dev.',
    );
    expect(why({ finalPanels: [] }, rich)).toBe(
      'No table of before and after: finalPanels is empty. To get one: --final-panel near.',
    );
    expect(why({}, rich)).toBeUndefined();
  });
});
