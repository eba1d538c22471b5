import { readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTrajectories } from '../../../agents/rollout/store/read-store.ts';
import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { createContext } from '../../../envs/core/context.ts';
import type { TrainConfigInput } from '../../../trainers/config/config.ts';
import { storedEvidence } from '../../../trainers/credit/parts/stored-evidence.ts';
import { evidenceConfigSchema, openEvidence } from '../../../trainers/critics/open-evidence.ts';
import { gatherEvidence } from '../../../trainers/critics/gather-evidence.ts';
import { readRunDocument } from '../../../trainers/run/run-document.ts';
import { openRunCredit } from '../../../trainers/run/open-run-credit.ts';
import { corridor } from '../../support/corridor.ts';
import { useFolder } from '../../support/own-folder.ts';
import { makeTrajectory } from '../evaluate/make-trajectories.ts';
import { resumeSmall, stopped, trainSmall } from '../loop/small-training.ts';

const inFolder = useFolder();
const context = createContext({ seed: 0, now: () => 0 });

/** Advantage of a step: what the critic thinks of the state behind it less what it thinks of the state before. */
const gainEstimator = `import { defineCreditEstimator } from 'cairn-gym/trainers';
import { z } from 'zod';

export const estimator = defineCreditEstimator({
  kind: 'gain',
  name: 'gain',
  summary: 'the change of the value',
  options: z.strictObject({}),
  create: () => ({
    needs: ['values'],
    assign: (groups, { values }) => ({
      groups: groups.map(({ members }, group) =>
        members.map(({ stop, steps }, member) => {
          const of = values[group][member];
          return { advantage: stop.kind === 'faulted' ? [] : steps.map((_, at) => of[at + 1] - of[at]) };
        }),
      ),
    }),
  }),
});
`;

async function storedGroups(run: string): Promise<readonly TrajectoryGroup[]> {
  const groups: TrajectoryGroup[] = [];
  const onTornTail = (): void => undefined;
  for await (const group of readTrajectories(path.join(run, 'trajectories'), 'train', { onTornTail }))
    groups.push(group);
  return groups;
}

describe('training with a critic', () => {
  it('stores values with its episodes, resumes to the same bytes, and recomputes the same credit', async () => {
    const file = inFolder('gain.ts');
    await writeFile(file, gainEstimator);
    const config = {
      credit: { kind: 'module' as const, file },
      env: 'corridor-v1', // a random walk solves some of its tasks
      envConfig: {},
      devPanel: 'train',
      warmStart: { episodes: 0 },
      evidence: [{ kind: 'linear-values' as const, features: 256 }],
    } satisfies Partial<TrainConfigInput>;
    const whole = inFolder('whole');
    const undisturbed = await trainSmall(whole, { config, definition: corridor });
    const lines = readFileSync(path.join(whole, 'metrics.jsonl'), 'utf8');
    expect(lines).toContain('"critic/loss"');
    const checkpoints = path.join(whole, 'checkpoints');
    const [last = ''] = (await readdir(checkpoints))
      .filter((name) => name.startsWith('iteration'))
      .toReversed();
    expect(await readdir(path.join(checkpoints, last, 'learners', 'linear-values'))).toEqual(['weights.f64']);

    const cut = inFolder('cut');
    const stopAt = (place: string): boolean => place.includes('/iteration-3/');
    await expect(trainSmall(cut, { config, stopAt, definition: corridor })).rejects.toBe(stopped);
    expect(await resumeSmall(cut, { config, begun: true, definition: corridor })).toEqual(undisturbed);
    expect(readFileSync(path.join(cut, 'metrics.jsonl'), 'utf8')).toBe(lines);

    const groups = await storedGroups(whole);
    const { values = [] } = storedEvidence(groups);
    const played = groups.flatMap(({ members }) => members);
    expect(values.flat().map(({ length }) => length)).toEqual(played.map(({ steps }) => steps.length + 1));
    expect(values.flat().some((each) => each[0] !== 0)).toBe(true); // the critic has learned by the last iteration
    const document = await readRunDocument(whole);
    const estimator = await openRunCredit(
      { folder: whole, document },
      { file: undefined, signal: context.signal },
    );
    const [first] = groups.slice(-1);
    const credit = estimator?.assign([first as TrajectoryGroup]).groups[0]?.[0];
    const own = values.at(-1)?.[0];
    expect(credit?.advantage[0]).toBe((own?.[1] as number) - (own?.[0] as number));
  });

  it('fails at the start when the estimator’s evidence has no source', async () => {
    const file = inFolder('gain-alone.ts');
    await writeFile(file, gainEstimator);
    await expect(
      trainSmall(inFolder('refused'), { config: { credit: { kind: 'module', file } } }),
    ).rejects.toThrow(/credit estimator "gain", needs: it needs values, and the config has no source/);
  });
});

describe('evidence sources', () => {
  it('must not give the same evidence twice', async () => {
    const config = evidenceConfigSchema.parse([{ kind: 'linear-values' }, { kind: 'linear-values' }]);
    await expect(openEvidence(config)).rejects.toThrow(/two sources give "linear-values"/);
  });

  it.each([
    ['a file without evidence', 'export const other = 1;', /it exports other but no `evidence`/],
    [
      'a result without an array per trajectory',
      `import { defineEvidence } from 'cairn-gym/trainers';
import { z } from 'zod';
export const evidence = defineEvidence({
  kind: 'judge', summary: 'none', options: z.strictObject({}), gives: ['judgements'],
  create: () => ({ gather: async () => ({ judgements: [] }) }),
});`,
      /evidence source "judge", judgements: it did not return an array for each trajectory/,
    ],
  ])('must be valid when user-defined: %s', async (what, text, message) => {
    const file = inFolder(`${what.replaceAll(' ', '-')}.ts`);
    await writeFile(file, text);
    const gather = async (): Promise<unknown> => {
      const { sources } = await openEvidence(evidenceConfigSchema.parse([{ kind: 'module', file }]));
      const group = { task: { panel: 'train', index: 0 }, members: [makeTrajectory(0, 'solved')] };
      return await gatherEvidence(sources, [group], context);
    };
    await expect(gather()).rejects.toThrow(message);
  });
});

describe('evidence linear-values', () => {
  it('learns the returns of the episodes it has seen', async () => {
    const { sources } = await openEvidence(evidenceConfigSchema.parse([{ kind: 'linear-values' }]));
    const [source] = sources;
    const group = {
      task: { panel: 'train', index: 0 },
      members: [makeTrajectory(0, 'solved'), makeTrajectory(1, 'failed'), makeTrajectory(2, 'faulted')],
    };
    const losses: number[] = [];
    for (let pass = 0; pass < 30; pass += 1) {
      const groups = await gatherEvidence(sources, [group], context);
      const credit = { groups: [], verdicts: [], anchorSizes: {}, hasParts: false, statistics: {} };
      const figures = await source?.source.learner?.learn(
        { groups, evidence: storedEvidence(groups), credit },
        context,
      );
      losses.push(figures?.['critic/loss'] ?? Number.NaN);
    }
    expect(losses.at(-1)).toBeLessThan((losses[0] as number) / 1.5);
    const [after] = await gatherEvidence(sources, [group], context);
    expect(after?.members[2]?.evidence?.['values']).toEqual(new Float64Array(0));
    expect(after?.members[0]?.evidence?.['values']?.at(-1)).toBe(0); // the episode terminated
  });
});
