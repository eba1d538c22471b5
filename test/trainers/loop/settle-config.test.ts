import { describe, expect, it } from 'vitest';
import type { Experts } from '../../../envs/core/env.ts';
import type { PanelInfo } from '../../../envs/core/task.ts';
import { trainConfigSchema, type TrainConfigInput } from '../../../trainers/loop/config.ts';
import { settleConfig, whyNoTable } from '../../../trainers/loop/settle-config.ts';

const panel = (name: string, purpose: PanelInfo['purpose']): PanelInfo => ({ name, size: 8, purpose, summary: '' });
const poor = { panels: [panel('train', 'train'), panel('dev', 'dev')] };
const experts: Experts<unknown, unknown> = { searcher: () => ({ act: () => 'go' }) };
const rich = { panels: [...poor.panels, panel('near', 'held-out'), panel('far', 'held-out')], experts };
const settled = (config: Partial<TrainConfigInput>, host: Parameters<typeof settleConfig>[1]) => {
  const { warmStart, finalPanels } = settleConfig(trainConfigSchema.parse({ env: 'lab/walk-v1', ...config }), host);
  return [warmStart.episodes, finalPanels];
};

describe('what a config leaves to the env', () => {
  it('is demonstrations where there is a searcher, and the first held-out panel where there is one', () => {
    expect(settled({}, rich)).toEqual([32, ['near']]);
    expect(settled({}, poor)).toEqual([0, []]);
    expect(settled({}, { ...poor, experts: { planner: () => [] } })).toEqual([0, []]);
  });

  it('is nothing that the config says itself', () => {
    expect(settled({ warmStart: { episodes: 0 }, finalPanels: [] }, rich)).toEqual([0, []]);
    expect(settled({ warmStart: { episodes: 5 }, finalPanels: ['far'] }, rich)).toEqual([5, ['far']]);
  });
});

describe('whyNoTable', () => {
  const why = (config: Partial<TrainConfigInput>, host: Parameters<typeof settleConfig>[1]) =>
    whyNoTable(settleConfig(trainConfigSchema.parse({ env: 'lab/walk-v1', ...config }), host), host);

  it('says in one line why there is no table of before and after, and how to get one', () => {
    expect(why({}, poor)).toBe(
      'No table of before and after: the environment has no held-out panel to play at the end. Give it a panel of purpose "held-out", or play dev: --final-panel dev.',
    );
    expect(why({ finalPanels: [] }, rich)).toBe('No table of before and after: finalPanels is empty. To get one: --final-panel near.');
    expect(why({}, rich)).toBeUndefined();
  });
});
