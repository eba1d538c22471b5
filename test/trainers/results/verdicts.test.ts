import { describe, expect, it } from 'vitest';
import { summarise } from '../../../trainers/results/summarise.ts';
import { renderTable } from '../../../trainers/results/table.ts';
import { describeVerdicts } from '../../../trainers/results/verdicts.ts';
import { makeFacts, makeGroups } from '../evaluate/make-trajectories.ts';

function resultWith(metrics: readonly Readonly<Record<string, number>>[]) {
  const groups = makeGroups(metrics.map(() => ['solved'] as const)).map((group, index) => ({
    ...group,
    members: group.members.map((member) => ({
      ...member,
      steps: member.steps.map((step, at) =>
        at === member.steps.length - 1 ? { ...step, metrics: metrics[index] ?? {} } : step,
      ),
    })),
  }));
  return summarise([{ seed: 7, groups }], makeFacts(metrics.length));
}

describe('verdicts on documents', () => {
  it('verdicts are a line below the table: the share of misleading documents that were caught', () => {
    const result = resultWith([
      { misleadingShown: 3, misleadingCaught: 2, judgedRight: 2, judgedWrong: 1 },
      { misleadingShown: 1, judgedRight: 1 },
    ]);
    expect(describeVerdicts(result)).toContain(
      '2 of 4 misleading documents judged misleading (50.0 %), 1 of 4 verdicts wrong.',
    );
    expect(renderTable([result])).toContain('2 of 4 misleading documents');
  });

  it('verdicts are left out where nothing was judged or nothing misleads', () => {
    expect(describeVerdicts(resultWith([{ misleadingShown: 3 }]))).toBeUndefined();
    expect(describeVerdicts(resultWith([{ judgedRight: 1 }]))).toBeUndefined();
  });
});
