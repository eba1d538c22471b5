import { readdir, truncate } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeNumbers } from '../../../trainers/results/number-words.ts';
import { readTrajectories } from '../../../agents/rollout/store/read-store.ts';
import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { cairn } from '../../support/command-line.ts';
import { collect } from '../../support/rollout.ts';
import { temporaryFolder } from '../../trainers/run/make-run.ts';
import { trainSmall } from '../../trainers/loop/small-training.ts';

const root = temporaryFolder();
const folderOf = (name: string): string => path.join(root.path, name);

const small = { iterations: 8, warmStart: { episodes: 0 }, evaluation: { tasks: 1, every: 100 } };

beforeAll(async () => {
  await trainSmall(folderOf('whole'), { config: { ...small, trajectories: {} } }); // as it comes: every iteration
  await trainSmall(folderOf('thin'), { config: { ...small, trajectories: { every: 3 } } });
  await trainSmall(folderOf('rotated'), { config: { ...small, trajectories: { maxMegabytes: 0.016 } } });
});
afterAll(() => root[Symbol.dispose]());

async function inspect(
  ...words: readonly string[]
): Promise<{ readonly text: string; readonly document: Record<string, unknown> }> {
  const { code, out, err } = await cairn(['inspect', ...words]);
  expect(code, err).toBe(0);
  const json = await cairn(['inspect', ...words, '--json']);
  return { text: out, document: JSON.parse(json.out) as Record<string, unknown> };
}

const stored = (name: string): Promise<readonly TrajectoryGroup[]> => {
  const onTornTail = (): void => undefined;
  return collect(readTrajectories(path.join(folderOf(name), 'trajectories'), 'train', { onTornTail }));
};

describe('cairn-gym inspect on the iterations of a run', () => {
  it('lists all of them as stored by default', async () => {
    const { text, document } = await inspect(folderOf('whole'));
    expect(text).toMatch(
      /Stored episodes:\n {2}train: 48 episodes in 24 groups, 0\.\d MB\n {2}iterations 1 to 8\n {2}to see them: npx cairn-gym inspect .* --iteration 8\n/,
    );
    expect(document['stores']).toMatchObject([
      { store: 'train', groups: 24, episodes: 48, iterations: [1, 2, 3, 4, 5, 6, 7, 8], rotatedAway: [] },
    ]);
  });

  it('shows their groups and episodes, and each episode with its credit', async () => {
    const groups = await stored('whole');
    const { text, document } = await inspect(folderOf('whole'), '--iteration', '3');
    expect(text).toMatch(
      /^iteration 3 of .*whole: 3 groups, \d of 6 episodes solved\n {2}group 0 {2}train\/\d+/,
    );
    const expected = groups
      .slice(6, 9)
      .map(({ task }, group) => ({ group, iteration: 3, task: `${task.panel}/${task.index}` }));
    expect(document).toMatchObject({ groups: expected });

    const group = await inspect(folderOf('whole'), '--iteration', '3', '--group', '2');
    expect(group.document).toMatchObject({
      episodes: groups[8]?.members.map((member, index) => ({ member: index, path: member.path })),
    });
    expect(group.text).toMatch(/\n {2}member 1 {2}.*\/iteration-3\/member-1\n$/);
    for (const [number] of groups.entries()) {
      const [iteration, within] = [Math.floor(number / 3) + 1, number % 3];
      const { document: episode } = await inspect(
        folderOf('whole'),
        '--iteration',
        String(iteration),
        '--group',
        String(within),
        '--member',
        '1',
      );
      expect(episode['trajectory']).toMatchObject({ path: groups[number]?.members[1]?.path });
      expect(episode['credit']).toHaveLength(groups[number]?.members[1]?.steps.length ?? -1);
    }
  });

  it('shows the steps that each anchor compares, and the advantage of each episode', async () => {
    const rowsSchema = z.array(
      z.object({
        episode: z.number(),
        anchor: z.number(),
        anchorSize: z.number(),
        sharedWith: z.array(z.object({ member: z.number(), step: z.number() })),
      }),
    );
    const at = ['--iteration', '2', '--group', '0'];
    const rows = await Promise.all(
      [0, 1].map(async (member) =>
        rowsSchema.parse(
          (await inspect(folderOf('whole'), ...at, '--member', String(member))).document['credit'],
        ),
      ),
    );
    for (const [member, steps] of rows.entries()) {
      for (const [step, { anchor, anchorSize, sharedWith }] of steps.entries()) {
        expect(sharedWith).toHaveLength(anchorSize - 1);
        for (const other of sharedWith) {
          expect(rows[other.member]?.[other.step]?.anchor).toBe(anchor);
          expect(rows[other.member]?.[other.step]?.sharedWith).toContainEqual({ member, step });
        }
      }
    }
    expect(rows.flat().some(({ anchorSize }) => anchorSize > 1)).toBe(true);
    const { document } = await inspect(folderOf('whole'), ...at);
    expect(document['episodes']).toMatchObject(rows.map(([first]) => ({ episodeAdvantage: first?.episode })));
  });

  it('refuses an iteration that was not stored, and names the stored ones', async () => {
    const { text, document } = await inspect(folderOf('thin'));
    expect(text).toMatch(/\n {2}iterations 3, 6 and 8 \(trajectories\.every is 3\)\n/);
    expect(document['stores']).toMatchObject([{ iterations: [3, 6, 8], rotatedAway: [] }]);
    const { code, err } = await cairn(['inspect', folderOf('thin'), '--iteration', '4']);
    expect({ code, err }).toEqual({
      code: 2,
      err: 'error: iteration 4: no episodes of it are stored. One in 3 is written down (trajectories.every). There are those of 3, 6 and 8.\n',
    });
  });

  it('names the iterations that were rotated away, with what remains of the oldest', async () => {
    const names = await readdir(path.join(folderOf('rotated'), 'trajectories'));
    expect(names).not.toContain('train-00001.jsonl.gz');
    const left = (await stored('rotated')).map(({ members }) =>
      Number(/iteration-(\d+)/.exec(members[0]?.path ?? '')?.[1]),
    );
    const first = left[0] as number;
    const { text, document } = await inspect(folderOf('rotated'));
    expect(first).toBeGreaterThan(1);
    expect(document['stores']).toMatchObject([
      {
        iterations: [...new Set(left)],
        rotatedAway: Array.from({ length: first - 1 }, (_, index) => index + 1),
      },
    ]);
    expect(text).toMatch(
      /\n {2}rotated away: iterations 1.*; beyond 0\.016 MiB \(trajectories\.maxMegabytes\) the oldest go\n/,
    );
    const whole = left.filter((iteration) => iteration === first).length === 3;
    expect(text.includes(`of iteration ${first} only`)).toBe(!whole);
    const { code, err } = await cairn(['inspect', folderOf('rotated'), '--iteration', '1']);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(
        /^error: iteration 1: its episodes were rotated away: beyond 0\.016 MiB .* There are those of \d.*\.\n$/,
      ) as string,
    });
  });

  it('leaves out a last group that was never finished', async () => {
    const file = path.join(folderOf('whole'), 'trajectories', 'train-00001.jsonl.gz');
    await truncate(file, (await import('node:fs')).statSync(file).size - 5);
    const { text, document } = await inspect(folderOf('whole'));
    expect(document['notes']).toContainEqual(
      expect.stringMatching(
        /train-00001\.jsonl\.gz: its last group was never finished, \d+ bytes are left out$/,
      ),
    );
    expect(text).toContain('of iteration 8 only 2 of 3 groups');
  });
});

describe('describeNumbers', () => {
  it.each([
    [[], ''],
    [[4], '4'],
    [[4, 5], '4 and 5'],
    [[1, 2, 3], '1 to 3'],
    [[5, 10, 15, 20], '5 to 20 in steps of 5'],
    [[5, 10, 15, 18], '5 to 15 in steps of 5 and 18'],
    [[1, 4, 5, 6, 9], '1, 4 to 6 and 9'],
    [[3, 6, 8], '3, 6 and 8'],
  ])('writes %j as "%s"', (numbers, words) => {
    expect(describeNumbers(numbers)).toBe(words);
  });
});
