import {
  appendFile,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import {
  openKeptEpisodes,
  type KeptEpisodes,
  type KeptIdentity,
} from '../../../trainers/evaluate/kept-episodes.ts';
import { isLockFile } from '../../../files/lock.ts';
import { makeGroups, type Ending } from './make-trajectories.ts';

let root = '';
let count = 0;
beforeAll(async () => void (root = await mkdtemp(path.join(os.tmpdir(), 'cairn-kept-'))));
afterAll(() => rm(root, { recursive: true }));
const newFolder = (): string => path.join(root, `${(count += 1)}`, 'deep');

const identity: KeptIdentity = {
  evaluation: { env: 'maze-v1', config: { size: 5 }, shown: { kind: 'text', history: 'all' } },
  seed: 7,
  tasks: [0, 1, 2, 3].map((index) => ({ panel: 'dev', index })),
  episodesPerTask: 1,
};
const unexpected = (): never => {
  throw new Error('no tail is torn, and nothing is damaged');
};
const open = (folder: string, of = identity): Promise<KeptEpisodes> =>
  openKeptEpisodes(folder, of, { onTornTail: unexpected, onDamage: unexpected });
const resultOf = (group: TrajectoryGroup) => ({ index: 0, group, usable: true, replaced: [] });

async function keep(folder: string, endings: readonly (readonly Ending[])[], of = identity): Promise<void> {
  await using kept = await open(folder, of);
  for (const group of makeGroups(endings)) await kept.keep(resultOf(group));
}

const done = async (folder: string, of = identity): Promise<readonly number[]> => {
  await using kept = await open(folder, of);
  return [0, 1, 2, 3].filter((index) => kept.isDone({ panel: 'dev', index }));
};

describe('kept episodes', () => {
  it('contain the tasks that ended without a fault, with their counts', async () => {
    const folder = newFolder();
    {
      await using kept = await open(folder);
      expect([kept.rows, kept.episodes, kept.seconds, kept.versions]).toEqual([[], 0, 0, {}]);
      for (const group of makeGroups([['solved'], ['faulted'], ['failed']])) await kept.keep(resultOf(group));
      kept.startClock(() => 2.5);
      kept.noteVersions({ 'cairn-gym': '1', 'served-model': 'a' });
    }
    await using kept = await open(folder);
    expect(kept.rows).toMatchObject([
      { seed: 7, index: 0, outcome: 'solved', turns: 3 },
      { seed: 7, index: 2, outcome: 'failed' },
    ]);
    kept.noteVersions({ 'cairn-gym': '1', 'served-model': 'b' });
    expect([kept.episodes, kept.seconds, kept.versions]).toEqual([
      2,
      2.5,
      { 'cairn-gym': '1', 'served-model': 'a, b' },
    ]);
  });

  it('preserve the time and notes of a killed session', async () => {
    const folder = newFolder();
    const left = newFolder();
    {
      await using kept = await open(folder);
      kept.startClock(() => 12.5);
      kept.noteVersions({ 'served-model': 'a' });
      kept.noteToolCallsOnly(3);
      await expect.poll(() => readFile(path.join(folder, 'evaluation.json'), 'utf8')).toContain('12.5');
      await mkdir(left, { recursive: true });
      await copyFile(path.join(folder, 'evaluation.json'), path.join(left, 'evaluation.json')); // as a kill would leave it now
    }
    await using kept = await open(left);
    expect([kept.seconds, kept.toolCallsOnly, kept.versions]).toEqual([12.5, 3, { 'served-model': 'a' }]);
  });

  it('preserve the faults of replaced attempts of finished tasks, even after a kill', async () => {
    const folder = newFolder();
    const left = newFolder();
    const replaced = makeGroups([['faulted'], ['faulted']]).map(({ members }) => members);
    {
      await using kept = await open(folder);
      const [first, second] = makeGroups([['solved'], ['faulted']]);
      for (const [index, group] of [first, second].entries())
        if (group !== undefined) await kept.keep({ ...resultOf(group), replaced: replaced[index] ?? [] });
      await cp(folder, left, { recursive: true, filter: (file) => !isLockFile(path.basename(file)) }); // as a kill would leave it now
    }
    for (const each of [folder, left]) {
      await using kept = await open(each);
      expect(kept.retries).toEqual([
        {
          seed: 7,
          index: 0,
          family: 'cool',
          cause: 'env-crashed',
          fault: 'the environment crashed in step: the maze fell in',
          steps: 3,
        },
      ]);
    }
  });

  it('count time until the clock stops', async () => {
    const folder = newFolder();
    let now = 3;
    {
      await using kept = await open(folder);
      kept.startClock(() => now);
      now = 4;
      kept.stopClock();
      now = 9;
    }
    await using kept = await open(folder);
    expect(kept.seconds).toBe(4);
  });

  it('include the later result when a faulted task is replayed', async () => {
    const folder = newFolder();
    await keep(folder, [['faulted'], ['solved']]);
    expect(await done(folder)).toEqual([1]);
    await keep(folder, [['solved']]);
    expect(await done(folder)).toEqual([0, 1]);
  });

  it('do not complete a task with too few episodes', async () => {
    const folder = newFolder();
    const two = { ...identity, episodesPerTask: 2 };
    await keep(folder, [['solved'], ['solved', 'failed'], ['solved', 'faulted']], two);
    expect(await done(folder, two)).toEqual([1]);
  });

  it('count their retries', async () => {
    const folder = newFolder();
    {
      await using kept = await open(folder);
      const [group] = makeGroups([['solved']]);
      const [member] = group?.members ?? [];
      if (group !== undefined && member !== undefined)
        await kept.keep(resultOf({ ...group, members: [{ ...member, path: `${member.path}/try-2` }] }));
    }
    await using kept = await open(folder);
    expect(kept.retried).toBe(2);
  });

  it('sum the tokens of replaced attempts and of remaining faults over all sessions', async () => {
    const folder = newFolder();
    const counts = {
      replies: 3,
      uncounted: 0,
      prompt: 30,
      completion: 6,
      reasoningCharacters: 0,
      shortened: 0,
    };
    const wrote = (groups: readonly TrajectoryGroup[]): readonly TrajectoryGroup[] =>
      groups.map((group) => ({
        ...group,
        members: group.members.map((member) => ({
          ...member,
          steps: member.steps.map((step) => ({
            ...step,
            decision: {
              kind: 'text' as const,
              text: 'go',
              usage: { prompt: 1, completion: 2 },
              reasoningCharacters: 0,
              leftOut: 0,
            },
          })),
        })),
      }));
    {
      await using kept = await open(folder);
      expect(kept.replacedTokens).toBeUndefined();
      kept.noteReplaced(undefined);
      kept.noteReplaced(counts);
      kept.noteReplaced(counts);
      for (const group of wrote(makeGroups([['solved'], ['faulted']]))) await kept.keep(resultOf(group));
      expect(kept.replacedTokens).toBeUndefined();
    }
    {
      await using kept = await open(folder);
      expect(kept.replacedTokens).toEqual({ ...counts, replies: 9, prompt: 63, completion: 18 });
      for (const group of wrote(makeGroups([['solved'], ['solved'], ['solved'], ['solved']])).slice(1))
        await kept.keep(resultOf(group));
    }
    await using finished = await open(folder);
    expect([finished.rows.length, finished.replacedTokens]).toEqual([
      4,
      { ...counts, replies: 9, prompt: 63, completion: 18 },
    ]);
  });

  it('survive a kill at any byte of the last group, and only that group is replayed', async () => {
    const folder = newFolder();
    await keep(folder, [['solved'], ['failed'], ['solved']]);
    const file = path.join(folder, 'episodes-00001.jsonl.gz');
    const whole = await readFile(file);
    const sizes: number[] = [];
    {
      const small = newFolder();
      await keep(small, [['solved'], ['failed']]);
      sizes.push((await stat(path.join(small, 'episodes-00001.jsonl.gz'))).size);
    }
    const [before = 0] = sizes;
    for (const bytes of [
      before + 1,
      before + 30,
      Math.floor((before + whole.length) / 2),
      whole.length - 1,
    ]) {
      await writeFile(file, whole);
      await truncate(file, bytes);
      const tails: number[] = [];
      {
        await using kept = await openKeptEpisodes(folder, identity, {
          onTornTail: (tail) => tails.push(tail.offset),
          onDamage: unexpected,
        });
        expect([0, 1, 2].filter((index) => kept.isDone({ panel: 'dev', index }))).toEqual([0, 1]);
        const [, , last] = makeGroups([['solved'], ['failed'], ['solved']]);
        if (last !== undefined) await kept.keep(resultOf(last));
      }
      expect(tails).toEqual([before]);
      expect(await done(folder)).toEqual([0, 1, 2]);
      expect(await readFile(file)).toEqual(whole);
    }
  });

  it('get replayed when damaged, and those after the damage do not', async () => {
    const folder = newFolder();
    const groups = makeGroups([['solved'], ['failed'], ['solved'], ['failed']]);
    await keep(folder, [['solved'], ['failed'], ['solved'], ['failed']]);
    const file = path.join(folder, 'episodes-00001.jsonl.gz');
    const bytes = await readFile(file);
    const second = bytes.readUInt32LE(16); // where the first group ends, by its head
    bytes.writeUInt8(bytes.readUInt8(second + 60) ^ 255, second + 60);
    await writeFile(file, bytes);
    const offsets: number[] = [];
    {
      await using kept = await openKeptEpisodes(folder, identity, {
        onTornTail: unexpected,
        onDamage: ({ offset }) => offsets.push(offset),
      });
      expect(identity.tasks.filter((task) => kept.isDone(task)).map(({ index }) => index)).toEqual([0, 2, 3]);
      await kept.keep(resultOf(groups[1] as TrajectoryGroup));
    }
    expect(offsets).toEqual([second]);
    expect(await done(folder)).toEqual([0, 1, 2, 3]); // nothing is missing: nobody need hear of it any more
    expect((await readFile(file)).subarray(0, bytes.length)).toEqual(bytes);
  });

  it('belong to one evaluation, and another is refused with the differences', async () => {
    const folder = newFolder();
    await keep(folder, [['solved']]);
    const other = (change: object): Promise<unknown> =>
      open(folder, { ...identity, evaluation: { ...identity.evaluation, ...change } });
    await expect(other({ shown: { kind: 'text', history: 'none' } })).rejects.toThrow(
      'shown.history is "all" there and "none" here.',
    );
    await expect(other({ more: 1 })).rejects.toThrow('more is nothing there and 1 here.');
    expect(await done(folder)).toEqual([0]); // and the lock was given back
  });

  it('allow one writer', async () => {
    const folder = newFolder();
    await using _kept = await open(folder);
    await expect(open(folder)).rejects.toThrow(/is writing there/);
  });

  it('open without a lock or a write when none is missing', async () => {
    const folder = newFolder();
    const whole = { ...identity, tasks: identity.tasks.slice(0, 2) };
    await keep(folder, [['solved'], ['failed']], whole);
    await using _writer = await open(folder); // of more tasks: it holds the lock
    const contents = async (): Promise<unknown> =>
      Promise.all(
        (await readdir(folder)).map(async (name) => [
          name,
          await readFile(path.join(folder, name), 'utf8'),
          (await stat(path.join(folder, name))).mtimeMs,
        ]),
      );
    const before = await contents();
    {
      await using kept = await open(folder, whole);
      expect(kept.rows).toHaveLength(2);
      kept.startClock(() => 5);
      kept.noteVersions({ node: 'another' });
      kept.stopClock();
      expect(kept.versions).toEqual({}); // nothing was played by it
    }
    expect(await contents()).toEqual(before);
  });

  it('report at the next episode that notes cannot be written', async () => {
    const folder = newFolder();
    const kept = await open(folder);
    await rm(path.join(folder, 'evaluation.json'));
    await mkdir(path.join(folder, 'evaluation.json', 'in the way'), { recursive: true });
    kept.startClock(() => 1);
    const [group] = makeGroups([['solved']]);
    if (group === undefined) throw new Error('there is a group');
    await expect
      .poll(() => kept.keep(resultOf(group)).then(() => 'kept', String))
      .toMatch(/evaluation\.json: it could not be written.* then repeat the same command/);
    await rm(path.join(folder, 'evaluation.json'), { recursive: true });
    await expect.poll(() => kept.keep(resultOf(group)).then(() => 'kept', String)).toBe('kept');
    await kept.close();
  });

  it('report a disk failure once, even when closed again', async () => {
    const folder = newFolder();
    const kept = await open(folder);
    await rm(path.join(folder, 'evaluation.json'));
    await mkdir(path.join(folder, 'evaluation.json', 'in the way'), { recursive: true });
    await expect(kept.close()).rejects.toThrow(/evaluation\.json: it could not be written/);
    await kept[Symbol.asyncDispose]();
    expect(await readdir(folder)).toEqual(['evaluation.json']); // the lock was given back
  });

  it('refuse a folder with other content, and a damaged record', async () => {
    const folder = newFolder();
    await keep(folder, [['solved']]);
    await expect(open(path.dirname(folder))).rejects.toThrow(/it contains deep, which is not an evaluation/);
    await appendFile(path.join(folder, 'evaluation.json'), '}');
    await expect(open(folder)).rejects.toThrow(/evaluation\.json: it is not a record of an evaluation/);
  });
});
