import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RunError, UsageError } from '../../../../envs/core/errors.ts';
import { frameGroup } from '../../../../agents/rollout/store/group-frame.ts';
import {
  readTrajectories,
  readTrajectoryFile,
  type ReadOptions,
} from '../../../../agents/rollout/store/read-store.ts';
import { openTrajectoryStore } from '../../../../agents/rollout/store/store.ts';
import type { TrajectoryGroup } from '../../../../agents/rollout/trajectory.ts';
import type { TornTail } from '../../../../agents/rollout/store/walk-groups.ts';
import { collect } from '../../../support/rollout.ts';
import { sampleGroup } from '../../../support/trajectory-arbitrary.ts';

let folder: string;
let file: string;
/** Where each of the three groups ends. */
let ends: number[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-'));
  file = join(folder, 'train-00001.jsonl.gz');
  const store = await openTrajectoryStore({ folder, name: 'train' });
  ends = [];
  for (const index of [0, 1, 2]) {
    await store.append(sampleGroup(index));
    ends.push(store.position.bytes);
  }
  await store.close();
});

afterEach(() => rm(folder, { recursive: true }));

async function read(
  options: Partial<ReadOptions> = {},
): Promise<{ readonly groups: readonly TrajectoryGroup[]; readonly tails: readonly TornTail[] }> {
  const tails: TornTail[] = [];
  const groups = await collect(
    readTrajectoryFile(file, { onTornTail: (tail) => tails.push(tail), ...options }),
  );
  return { groups, tails };
}

const failure = (): Promise<unknown> =>
  read().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );

describe('torn tail', () => {
  it('gets reported, and the other groups read, wherever the last group was cut', async () => {
    const bytes = await readFile(file);
    const [, second = 0, third = 0] = ends;
    for (let end = second; end <= third; end += 1) {
      await writeFile(file, bytes.subarray(0, end));
      const { groups, tails } = await read();
      expect(groups).toHaveLength(end === third ? 3 : 2);
      expect(tails).toEqual(
        end === second || end === third ? [] : [{ file, offset: second, bytes: end - second }],
      );
    }
  });

  it('fails reading in any file of a store but the last', async () => {
    await writeFile(join(folder, 'train-00002.jsonl.gz'), await readFile(file));
    const readAll = (): Promise<readonly TrajectoryGroup[]> =>
      collect(readTrajectories(folder, 'train', { onTornTail: () => undefined }));
    expect(await readAll()).toHaveLength(6);
    await truncate(join(folder, 'train-00002.jsonl.gz'), (ends[2] ?? 0) - 5);
    expect(await readAll()).toHaveLength(5);
    await truncate(file, (ends[2] ?? 0) - 5);
    await expect(readAll()).rejects.toThrow(`${file}, byte ${ends[1]}: the last group is torn`);
  });

  it('appears at most once when a writer was killed, and the other groups are read', async () => {
    const killed = join(folder, 'killed');
    const script = fileURLToPath(new URL('../../../support/endless-writer.ts', import.meta.url));
    const jiti = fileURLToPath(new URL('../../../../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url));
    const writer = spawn(process.execPath, [jiti, script, killed], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(writer.stdout, 'data'); // the first groups are there
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    const tails: TornTail[] = [];
    const groups = await collect(
      readTrajectories(killed, 'train', { onTornTail: (tail) => tails.push(tail) }),
    );
    expect(groups.length).toBeGreaterThanOrEqual(5);
    expect(tails.length).toBeLessThanOrEqual(1);
    expect(groups).toStrictEqual(groups.map((_, index) => sampleGroup(index, 20_000)));
  });
});

describe('damage', () => {
  it('never passes for a torn tail when it is a cut in the middle', async () => {
    const bytes = await readFile(file);
    const [first = 0, second = 0] = ends;
    for (let from = first + 1; from < second; from += 1) {
      for (const length of [1, 2, 7, second - from]) {
        await writeFile(file, Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)]));
        const thrown = await failure();
        expect([from, length, RunError.is(thrown) || UsageError.is(thrown)]).toEqual([from, length, true]);
      }
    }
  });

  it('gets reported with file and byte, whichever byte it is', async () => {
    const bytes = await readFile(file);
    const [first = 0, second = 0] = ends;
    for (let at = first; at < second; at += 1) {
      const harmed = Buffer.from(bytes);
      harmed[at] = (harmed[at] as number) ^ 0x55;
      await writeFile(file, harmed);
      const thrown = await failure();
      expect([at, RunError.is(thrown) || UsageError.is(thrown)]).toEqual([at, true]);
      expect((thrown as Error).message).toContain(`${file}, byte ${first}: `);
    }
  });

  it('gets reported after the last group too', async () => {
    await writeFile(file, Buffer.concat([await readFile(file), Buffer.from('what is this?')]));
    expect(String(await failure())).toContain(`byte ${ends[2]}: no group begins here`);
  });

  it('includes a gzip file that another program wrote', async () => {
    await writeFile(
      file,
      gzipSync('{"kind":"group","schema":1,"task":{"panel":"train","index":0},"members":0}\n'),
    );
    expect(String(await failure())).toMatch(
      /byte 0: gzip data begins here, but without the header of cairn-gym: .* Use the original file of the run\. .*`npx cairn-gym export RUN --what steps`/,
    );
  });

  it('includes a store that was unpacked and packed again', async () => {
    await writeFile(file, gzipSync(gunzipSync(await readFile(file))));
    expect(String(await failure())).toMatch(
      /byte 0: gzip data begins here, but without the header of cairn-gym/,
    );
  });

  it('gets reported by its line in the file when the JSON is wrong', async () => {
    const wrong = await frameGroup(
      Buffer.from(
        '{"kind":"group","schema":1,"task":{"panel":"train","index":0},"members":1}\n{"kind":"trajectory"}\n',
      ),
    );
    await writeFile(file, Buffer.concat([await readFile(file), wrong]));
    expect(String(await failure())).toContain(`${file}, line 8: `);
  });
});

describe('oversized group', () => {
  it('fails before it is inflated', async () => {
    await writeFile(file, await frameGroup(Buffer.alloc(5_000_000, 0x20)));
    const limits = { maxGroupBytes: 4_000_000 };
    await expect(read({ limits })).rejects.toThrow(
      'byte 0: the group has 5000000 bytes, and the limit is 4000000. If you trust the file, raise `maxGroupBytes`',
    );
    await expect(read({ limits })).rejects.toBeInstanceOf(UsageError);
    await expect(read()).rejects.toThrow('the line does not end');
  });

  it('fails during inflation when its header states a smaller size', async () => {
    const bomb = await frameGroup(Buffer.alloc(5_000_000, 0x20));
    bomb.writeUInt32LE(1_000, 20); // says that it is small
    await writeFile(file, bomb);
    expect(await failure()).toBeInstanceOf(UsageError);
  });
});

describe('reading a missing store', () => {
  it('refuses a missing file and a missing store', async () => {
    await expect(
      collect(readTrajectoryFile(join(folder, 'none.gz'), { onTornTail: () => undefined })),
    ).rejects.toBeInstanceOf(UsageError);
    await expect(collect(readTrajectories(folder, 'dev', { onTornTail: () => undefined }))).rejects.toThrow(
      'there are no trajectories named "dev"',
    );
    await expect(
      collect(readTrajectories(join(folder, 'nowhere'), 'train', { onTornTail: () => undefined })),
    ).rejects.toBeInstanceOf(UsageError);
    await mkdir(join(folder, 'dir-00001.jsonl.gz'));
    await expect(
      collect(readTrajectories(folder, 'dir', { onTornTail: () => undefined })),
    ).rejects.toBeInstanceOf(RunError);
  });
});

describe('reading a store', () => {
  it('stops before damage that follows the requested groups', async () => {
    await truncate(file, (ends[1] ?? 0) + 3);
    await writeFile(file, Buffer.concat([await readFile(file), Buffer.from('damage')]));
    const groups = readTrajectoryFile(file, { onTornTail: () => undefined });
    expect((await groups.next()).value).toStrictEqual(sampleGroup(0));
    expect((await groups.next()).value).toStrictEqual(sampleGroup(1));
    await groups.return();
  });
});
