import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RunError, UsageError } from '../../../../envs/core/errors.ts';
import { encodeGroup } from '../../../../agents/rollout/format/codec.ts';
import { readTrajectories } from '../../../../agents/rollout/store/read-store.ts';
import {
  openTrajectoryStore,
  type StoreOptions,
  type TrajectoryStore,
} from '../../../../agents/rollout/store/store.ts';
import { storePositionSchema, type StoreFileSystem } from '../../../../agents/rollout/store/store-files.ts';
import type { TrajectoryGroup } from '../../../../agents/rollout/trajectory.ts';
import { collect } from '../../../support/rollout.ts';
import { sampleGroup } from '../../../support/trajectory-arbitrary.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-'));
});

afterEach(() => rm(folder, { recursive: true }));

const open = (over: Partial<StoreOptions> = {}): Promise<TrajectoryStore> =>
  openTrajectoryStore({ folder: join(folder, 'trajectories'), name: 'train', ...over });
const file = (number: number): string => join(folder, 'trajectories', `train-0000${number}.jsonl.gz`);
const names = (): Promise<string[]> => readdir(join(folder, 'trajectories'));
const sizes = async (): Promise<readonly number[]> =>
  Promise.all((await names()).map(async (name) => (await stat(join(folder, 'trajectories', name))).size));

async function read(): Promise<readonly TrajectoryGroup[]> {
  const onTornTail = (): never => {
    throw new Error('there should be no torn tail');
  };
  return collect(readTrajectories(join(folder, 'trajectories'), 'train', { onTornTail }));
}

const samples = (from: number, to: number): TrajectoryGroup[] =>
  Array.from({ length: to - from }, (_, index) => sampleGroup(from + index, 400));

async function write(store: TrajectoryStore, groups: readonly TrajectoryGroup[]): Promise<void> {
  for (const group of groups) await store.append(group);
}

describe('trajectory store', () => {
  it('returns what was appended, in the order of the calls', async () => {
    const store = await open();
    await Promise.all(samples(0, 20).map((group) => store.append(group)));
    await store.close();
    expect(await read()).toStrictEqual(samples(0, 20));
  });

  it('writes gzip that any tool can read, the same bytes every time', async () => {
    const store = await open();
    await write(store, samples(0, 3));
    await store.close();
    const bytes = await readFile(file(1));
    expect(gunzipSync(bytes).toString()).toBe(
      samples(0, 3)
        .map((group) => encodeGroup(group).toString())
        .join(''),
    );
    await rm(file(1));
    const again = await open();
    await write(again, samples(0, 3));
    await again.close();
    expect(await readFile(file(1))).toEqual(bytes);
  });

  it.each([1, 2, 5, 12])(
    'writes groups appended %i at a time as if appended one by one',
    async (together) => {
      const caps = { maxFileBytes: 900, maxTotalBytes: 3_000 };
      const bytesOf = async (): Promise<readonly Buffer[]> =>
        Promise.all((await names()).map((name) => readFile(join(folder, 'trajectories', name))));
      const straight = await open(caps);
      await write(straight, samples(0, 12));
      await straight.close();
      const [expected, position] = [{ names: await names(), bytes: await bytesOf() }, straight.position];
      expect(expected.names.length).toBeGreaterThan(2);
      await rm(join(folder, 'trajectories'), { recursive: true });

      const store = await open(caps);
      for (let from = 0; from < 12; from += together)
        await store.append(...samples(from, Math.min(12, from + together)));
      await store.append();
      await store.close();
      expect({ names: await names(), bytes: await bytesOf() }).toEqual(expected);
      expect(store.position).toEqual(position);
    },
  );

  it('writes none of the groups of one append when one cannot be stored', async () => {
    const store = await open();
    const [sound, wrong] = samples(0, 2) as [TrajectoryGroup, TrajectoryGroup];
    const unstorable = {
      ...wrong,
      members: wrong.members.map((member) => ({ ...member, finalObservation: new Map() })),
    };
    await expect(store.append(sound, unstorable)).rejects.toBeInstanceOf(UsageError);
    await store.append(sound);
    await store.close();
    expect(await read()).toStrictEqual([sound]);
  });

  it('reports its position', async () => {
    const store = await open();
    expect(store.position).toEqual({ file: 1, bytes: 0 });
    await store.append(sampleGroup(0));
    await store.flush();
    expect(store.position).toEqual({ file: 1, bytes: (await stat(file(1))).size });
    expect(storePositionSchema.parse(JSON.parse(JSON.stringify(store.position)))).toEqual(store.position);
    await store.close();
  });

  it('starts the next file before one grows too long, and removes the oldest', async () => {
    const one = await open();
    await one.append(sampleGroup(0, 400));
    const { bytes } = one.position;
    await one.close();
    await rm(file(1));

    const store = await open({ maxFileBytes: 3 * bytes + 100, maxTotalBytes: 8 * bytes });
    await write(store, samples(0, 12));
    expect(await names()).toEqual(['train-00003.jsonl.gz', 'train-00004.jsonl.gz']);
    for (const size of await sizes()) expect(size).toBeLessThanOrEqual(3 * bytes + 100);
    expect(await read()).toStrictEqual(samples(6, 12));
    await store.close();
  });

  it('never removes the file it is writing, and accepts a group longer than a file', async () => {
    const store = await open({ maxFileBytes: 10, maxTotalBytes: 10 });
    await write(store, samples(0, 3));
    expect(await names()).toEqual(['train-00003.jsonl.gz']);
    expect(await read()).toStrictEqual(samples(2, 3));
    await store.close();
  });

  it('shares a folder with stores of other names', async () => {
    const [train, evaluation] = [await open(), await open({ name: 'train-dev' })];
    await train.append(sampleGroup(1));
    await evaluation.append(sampleGroup(2));
    await train.close();
    await evaluation.close();
    expect(await read()).toStrictEqual([sampleGroup(1)]);
    expect(await names()).toEqual(['train-00001.jsonl.gz', 'train-dev-00001.jsonl.gz']);
  });
});

describe('resuming a store', () => {
  it.each([0, 1, 4, 7])(
    'cuts back to a checkpoint after %i groups, and continues as if never interrupted',
    async (kept) => {
      const caps = { maxFileBytes: 1_000, maxTotalBytes: 1_000_000 };
      const straight = await open(caps);
      await write(straight, samples(0, 12));
      await straight.close();
      const expected = await Promise.all(
        (await names()).map((name) => readFile(join(folder, 'trajectories', name))),
      );
      expect(expected.length).toBeGreaterThan(3);
      await rm(join(folder, 'trajectories'), { recursive: true });

      const store = await open(caps);
      await write(store, samples(0, kept));
      await store.flush();
      const checkpoint = store.position;
      await write(store, samples(50, 58)); // what the checkpoint does not know of
      await store.close();
      const resumed = await open({ ...caps, resumeAt: checkpoint });
      expect(resumed.position).toEqual(checkpoint);
      await write(resumed, samples(kept, 12));
      await resumed.close();
      expect(
        await Promise.all((await names()).map((name) => readFile(join(folder, 'trajectories', name)))),
      ).toEqual(expected);
    },
  );

  it('cuts back during a run too', async () => {
    const store = await open();
    await write(store, samples(0, 2));
    const { position } = store;
    await write(store, samples(2, 5));
    await store.truncateTo(position);
    await write(store, samples(7, 8));
    await store.close();
    expect(await read()).toStrictEqual([...samples(0, 2), ...samples(7, 8)]);
  });

  it('continues when the size cap has removed the checkpoint’s file', async () => {
    const caps = { maxFileBytes: 10, maxTotalBytes: 10 };
    const store = await open(caps);
    await write(store, samples(0, 1));
    const checkpoint = store.position;
    await write(store, samples(1, 4));
    await store.close();
    const resumed = await open({ ...caps, resumeAt: checkpoint });
    await write(resumed, samples(1, 2));
    await resumed.close();
    expect(await read()).toStrictEqual(samples(1, 2));
  });

  it('refuses files that are missing or shorter than the checkpoint says', async () => {
    const store = await open();
    await write(store, samples(0, 2));
    const { position } = store;
    await store.close();
    await truncate(file(1), position.bytes - 1);
    await writeFile(file(2), 'later');
    const refusal: unknown = await open({ resumeAt: position }).catch((thrown: unknown) => thrown);
    expect(refusal).toBeInstanceOf(UsageError);
    expect(String(refusal)).toBe(
      `UsageError: ${file(1)}: it has ${position.bytes - 1} bytes, and the checkpoint was made when it had ${position.bytes}. Restore the file.`,
    );
    expect(await names()).toHaveLength(2);
    for (const number of [1, 2]) await rm(file(number));
    await expect(open({ resumeAt: position })).rejects.toBeInstanceOf(UsageError);
  });

  it('starts the next file after a cut file, which stays unchanged, and replaces a lost file with an empty one', async () => {
    const store = await open();
    await write(store, samples(0, 3));
    const { bytes } = store.position;
    await store.close();
    await truncate(file(1), bytes - 5);
    const cut = await readFile(file(1));
    for (const later of [samples(8, 9), samples(3, 5)]) {
      // once more, as after a kill before the next checkpoint
      const resumed = await open({ resumeAt: { file: 1, bytes: cut.length }, inNextFile: true });
      expect(resumed.position).toEqual({ file: 2, bytes: 0 });
      await write(resumed, later);
      await resumed.close();
    }
    expect(await readFile(file(1))).toEqual(cut);
    expect(
      await collect(
        readTrajectories(join(folder, 'trajectories'), 'train', {
          onTornTail: () => undefined,
          onDamage: () => undefined,
        }),
      ),
    ).toStrictEqual([...samples(0, 2), ...samples(3, 5)]);

    for (const number of [1, 2]) await rm(file(number));
    const caps = { maxFileBytes: 10, maxTotalBytes: 10 };
    const anew = await open({ ...caps, resumeAt: { file: 1, bytes: 0 }, inNextFile: true });
    expect(await sizes()).toEqual([0]);
    await write(anew, samples(5, 7));
    await anew.close();
    expect(await names()).toEqual(['train-00003.jsonl.gz']); // the cap has removed what was before
    expect(await read()).toStrictEqual(samples(6, 7));
  });
});

describe('wrong use of a store', () => {
  it('throws for an existing store, invalid names or caps, and use after close', async () => {
    const store = await open();
    await store.append(sampleGroup(0));
    await store.close();
    await store.close();
    await expect(store.append(sampleGroup(1))).rejects.toThrow('it is closed');
    await expect(open()).rejects.toThrow('it exists already');
    for (const name of ['', '../train', 'Train', 'a/b', '-x'])
      await expect(open({ name })).rejects.toBeInstanceOf(UsageError);
    for (const caps of [
      { maxFileBytes: 0 },
      { maxFileBytes: 10, maxTotalBytes: 9 },
      { maxFileBytes: Number.NaN },
    ]) {
      await expect(open(caps)).rejects.toBeInstanceOf(UsageError);
    }
  });

  it('affects no later group when one group is unstorable', async () => {
    const store = await open();
    const wrong = { ...sampleGroup(0), task: { panel: 'train', index: 0 } };
    const unstorable = {
      ...wrong,
      members: wrong.members.map((member) => ({ ...member, finalObservation: new Map() })),
    };
    await expect(store.append(unstorable)).rejects.toBeInstanceOf(UsageError);
    await store.append(sampleGroup(1));
    await store.close();
    expect(await read()).toStrictEqual([sampleGroup(1)]);
  });
});

describe('failing disk', () => {
  const failing = (over: Partial<StoreFileSystem>): StoreFileSystem => ({ ...fs, ...over });

  it('makes every later call report a full disk', async () => {
    await expect(stat('/dev/full').then((found) => found.isCharacterDevice())).resolves.toBe(true);
    const store = await open({
      fileSystem: failing({
        open: (path, flags) =>
          fs.open(
            String(path).endsWith('.gz') ? '/dev/full' : path,
            flags === 'w' ? constants.O_WRONLY : flags,
          ),
      }),
    });
    await expect(store.append(sampleGroup(0))).rejects.toThrow(
      /train-00001\.jsonl\.gz: the disk is full\. Free some space/,
    );
    await expect(store.append(sampleGroup(1))).rejects.toBeInstanceOf(RunError);
    await expect(store.flush()).rejects.toThrow('the disk is full');
    await store.close();
  });

  it('leaves a tail within a group that readers and resuming accept', async () => {
    let room = 2_500;
    const fileSystem = failing({
      open: async (...call) => {
        const handle = await fs.open(...call);
        const writeAll = handle.write.bind(handle) as (
          buffer: Buffer,
          offset: number,
          length: number,
          position: number,
        ) => Promise<{ bytesWritten: number }>;
        const write = async (
          buffer: Buffer,
          offset: number,
          length: number,
          position: number,
        ): Promise<{ bytesWritten: number }> => {
          if (room === 0) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
          const taken = Math.min(room, length);
          room -= taken;
          return writeAll(buffer, offset, taken, position);
        };
        return Object.assign(handle, { write });
      },
    });
    const store = await open({ fileSystem });
    let written = 0;
    const failure = await (async () => {
      for (const group of samples(0, 20)) {
        await store.append(group);
        written += 1;
      }
      return undefined;
    })().catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(RunError);
    const { position } = store;
    await store.close();

    const tails: unknown[] = [];
    const back = await collect(
      readTrajectories(join(folder, 'trajectories'), 'train', { onTornTail: (tail) => tails.push(tail) }),
    );
    expect(back).toStrictEqual(samples(0, written));
    expect(tails).toEqual([{ file: file(1), offset: position.bytes, bytes: 2_500 - position.bytes }]);
    const resumed = await open({ resumeAt: position });
    await resumed.append(sampleGroup(99));
    await resumed.close();
    expect(await read()).toStrictEqual([...samples(0, written), sampleGroup(99)]);
  });

  it('stops the run when the store’s folder cannot be made', async () => {
    await writeFile(join(folder, 'trajectories'), 'in the way');
    await expect(open()).rejects.toBeInstanceOf(RunError);
  });
});
