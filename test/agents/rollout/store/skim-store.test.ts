import { appendFile, copyFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../../envs/core/errors.ts';
import { labelOf } from '../../../../agents/rollout/episode-path.ts';
import { readTrajectories } from '../../../../agents/rollout/store/read-store.ts';
import {
  readStoredGroup,
  skimTrajectories,
  skimTrajectoryFile,
  type StoredGroup,
} from '../../../../agents/rollout/store/skim-store.ts';
import { openTrajectoryStore } from '../../../../agents/rollout/store/store.ts';
import type { TrajectoryGroup } from '../../../../agents/rollout/trajectory.ts';
import { collect } from '../../../support/rollout.ts';
import { sampleGroup, trajectoryGroup } from '../../../support/trajectory-arbitrary.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skim-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function store(groups: readonly TrajectoryGroup[], maxFileBytes = 4_000): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await using trajectories = await openTrajectoryStore({ folder, name: 'train', maxFileBytes });
  await trajectories.append(...groups);
}

const refuse = (): never => {
  throw new Error('there should be no torn tail');
};
const skim = (
  onTornTail: Parameters<typeof skimTrajectories>[2]['onTornTail'] = refuse,
): Promise<StoredGroup[]> => collect(skimTrajectories(folder, 'train', { onTornTail }));

const named = (group: TrajectoryGroup, path: string): TrajectoryGroup => ({
  ...group,
  members: group.members.map((member) => ({ ...member, path })),
});

/** A path that no kilobyte can hold, however well it is compressed. */
const longPath = `${Array.from({ length: 9_000 }, (_, at) => String.fromCharCode(33 + ((at * at * 31 + at * 7) % 89))).join('')}/iteration-9/member-0`;

describe('skimming a store', () => {
  it('reports of each group what a full read reports, and where to read it', async () => {
    const path = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.nat(200).map((iteration) => `train/3/iteration-${iteration}/member-0`),
      fc.constant(longPath),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(trajectoryGroup, path), { minLength: 1, maxLength: 6 }),
        async (pairs) => {
          const groups = pairs.map(([group, name]) => named(group, name));
          await store(groups);
          const skimmed = await skim();
          expect(skimmed.map(({ task, members, label }) => ({ task, members, label }))).toStrictEqual(
            groups.map(({ task, members }) => ({
              task,
              members: members.length,
              label: members[0] === undefined ? undefined : labelOf(members[0].path),
            })),
          );
          for (const [index, entry] of skimmed.entries())
            expect(await readStoredGroup(entry)).toStrictEqual(groups[index]);
          expect(skimmed.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(await bytesIn(skimmed));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('finds nothing when there is no store', async () => {
    expect(await skim()).toEqual([]);
    await expect(
      collect(skimTrajectoryFile(join(folder, 'train-00001.jsonl.gz'), { onTornTail: refuse })),
    ).rejects.toBeInstanceOf(UsageError);
  });

  it('reports a torn tail wherever the last group was cut, and refuses one in an earlier file', async () => {
    const file = join(folder, 'train-00001.jsonl.gz');
    await store([sampleGroup(0, 300), sampleGroup(1, 300)], 1 << 20);
    const [, second] = await skim();
    const { size } = await stat(file);
    const whole = await readFile(file);
    for (const cut of [1, 3, 10, 40, 200]) {
      await writeFile(file, whole);
      await truncate(file, size - cut);
      const tails: unknown[] = [];
      expect(await skim((tail) => tails.push(tail))).toHaveLength(1);
      expect(tails).toEqual([{ file, offset: second?.offset, bytes: size - cut - (second?.offset ?? 0) }]);
    }
    await writeFile(join(folder, 'train-00002.jsonl.gz'), whole);
    await expect(skim()).rejects.toThrow(
      /the last group is torn, which is valid only in the last file of a store/,
    );
  });

  it('names file and byte of damage', async () => {
    const file = join(folder, 'train-00001.jsonl.gz');
    await store([sampleGroup(0, 300)], 1 << 20);
    const { size } = await stat(file);
    await appendFile(file, 'no group at all, this is');
    const rejected = skim();
    await expect(rejected).rejects.toBeInstanceOf(UsageError);
    await expect(rejected).rejects.toThrow(`${file}, byte ${size}: no group begins here`);
  });

  it('leads to single groups that equal those of a full read', async () => {
    await store(Array.from({ length: 20 }, (_, index) => sampleGroup(index, 400)));
    const entries = await skim();
    expect(new Set(entries.map(({ file }) => file)).size).toBeGreaterThan(1);
    const all = await collect(readTrajectories(folder, 'train', { onTornTail: refuse }));
    expect(await readStoredGroup(entries[13] as StoredGroup)).toStrictEqual(all[13]);
    const copy = join(folder, 'alone.gz');
    await copyFile((entries[13] as StoredGroup).file, copy);
    await rm((entries[0] as StoredGroup).file);
    expect(await readStoredGroup({ ...(entries[13] as StoredGroup), file: copy })).toStrictEqual(all[13]);
  });
});

async function bytesIn(entries: readonly StoredGroup[]): Promise<number> {
  const files = [...new Set(entries.map(({ file }) => file))];
  return (await Promise.all(files.map((file) => stat(file)))).reduce((sum, { size }) => sum + size, 0);
}

describe('labelOf', () => {
  it.each([
    ['train/12/iteration-3/member-0', 'iteration-3'],
    ['seen/1/greedy/member-7/try-2', 'greedy'],
    ['evaluation/dev/1/seed-0/member-0', 'seed-0'],
    ['play/lights-out-v1/dev/0', undefined],
    ['', undefined],
  ])('%s gives %s', (path, label) => {
    expect(labelOf(path)).toBe(label);
  });
});
