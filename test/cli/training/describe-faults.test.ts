import { describe, expect, it } from 'vitest';
import { describeFaults } from '../../../cli/training/describe-faults.ts';

const none = {
  training: { episodes: 48, count: 0, share: 0 },
  dev: { share: 0 },
  final: [],
  excessive: false,
};

describe('describeFaults', () => {
  it('reports no fault within the tolerance', () => {
    expect(describeFaults({ ...none, dev: { share: 0.01 } })).toEqual([]);
  });

  it('names exactly the phase in which the env failed', () => {
    const inTraining = describeFaults({
      ...none,
      training: { episodes: 48, count: 12, share: 0.25 },
      excessive: true,
    }).join('');
    expect(inTraining).toMatch(
      /too often: 12 of 48 training episodes faulted \(25\.0 %\)\. .*train again\.$/,
    );
    expect(describeFaults({ ...none, dev: { share: 0.5 }, excessive: true }).join('')).toMatch(
      /too often: up to 50\.0 % of an evaluation on dev\. /,
    );
    const atTheEnd = describeFaults({
      ...none,
      final: [{ agent: 'searcher', panel: 'unseen', share: 0.5 }],
      excessive: true,
    }).join('');
    expect(atTheEnd).toMatch(
      /too often: 50\.0 % of the final evaluation of searcher on unseen\. .*--resume, which replays those\.$/,
    );
  });
});
