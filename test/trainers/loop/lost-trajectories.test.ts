import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { frameGroup } from '../../../agents/rollout/store/group-frame.ts';
import { readTrajectories } from '../../../agents/rollout/store/read-store.ts';
import { skimTrajectoryFile, type StoredGroup } from '../../../agents/rollout/store/skim-store.ts';
import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import type { TrainOutcome } from '../../../trainers/loop/train.ts';
import { collect } from '../../support/rollout.ts';
import { temporaryFolder } from '../run/make-run.ts';
import { resumeSmall, trainSmall } from './small-training.ts';

const root = temporaryFolder();
const inRoot = (...parts: readonly string[]): string => join(root.path, ...parts);
const fileOf = (name: string, number = 1): string =>
  inRoot(name, 'trajectories', `train-0000${number}.jsonl.gz`);
let whole: TrainOutcome;
let bytes: Buffer;
/** Three of each of the three iterations. */
let places: readonly StoredGroup[];
let groups: readonly TrajectoryGroup[];

const read = (name: string): Promise<readonly TrajectoryGroup[]> =>
  collect(
    readTrajectories(inRoot(name, 'trajectories'), 'train', {
      onTornTail: () => undefined,
      onDamage: () => undefined,
    }),
  );

beforeAll(async () => {
  whole = await trainSmall(inRoot('whole'));
  bytes = readFileSync(fileOf('whole'));
  places = await collect(skimTrajectoryFile(fileOf('whole'), { onTornTail: () => undefined }));
  groups = await read('whole');
});
afterAll(() => root[Symbol.dispose]());

/** A copy of the run as `kill -9` leaves it after the episodes of its third iteration. The newest checkpoint is of the second. */
function killed(name: string): string {
  cpSync(inRoot('whole'), inRoot(name), { recursive: true });
  rmSync(inRoot(name, 'checkpoints', 'iteration-00003'), { recursive: true });
  return fileOf(name);
}

/** Goes on, from the second iteration and as if nothing had been harmed, and returns what was warned of. */
async function goOn(name: string): Promise<readonly string[]> {
  const warnings: string[] = [];
  const begun = new Set<number>();
  const outcome = await resumeSmall(inRoot(name), {
    onProgress: ({ warning, iteration }) => {
      begun.add(iteration);
      if (warning !== undefined) warnings.push(warning);
    },
  });
  expect([...begun]).toEqual([2, 3]);
  expect(outcome).toEqual(whole);
  for (const file of ['metrics.jsonl', 'checkpoints/iteration-00003/policy/weights.safetensors'])
    expect(readFileSync(inRoot(name, file)).equals(readFileSync(inRoot('whole', file))), file).toBe(true);
  return warnings;
}

/** One bit of the first group flipped so that its head, which is read without a check sum, names another iteration than the first. */
function lieAbout(file: Buffer, end: number): Buffer {
  for (let bit = 30 * 8; bit < 400 * 8; bit += 1) {
    const lying = Buffer.from(file);
    lying[bit >> 3] = (lying[bit >> 3] as number) ^ (1 << (bit & 7));
    try {
      const text = gunzipSync(lying.subarray(0, Math.min(end, 1_024)), {
        finishFlush: constants.Z_SYNC_FLUSH,
      }).toString('latin1');
      if (/iteration-[3-9]/.test(text.slice(0, 400))) return lying;
    } catch {
      // this bit spoils more than a word
    }
  }
  throw new Error('no bit of the group makes its head lie');
}

const startOf = (group: number): number => places[group]?.offset ?? bytes.length;

describe('resume with changed trajectories', () => {
  it('drops the groups of the unfinished iteration after the checkpoint', async () => {
    killed('sound');
    expect(await goOn('sound')).toEqual([]);
    expect(readFileSync(fileOf('sound')).equals(bytes)).toBe(true);
  });

  it('continues from trajectories cut before the checkpoint however often it stops, and keeps the rest', async () => {
    const file = killed('cut');
    truncateSync(file, startOf(4) + 100);
    const left = readFileSync(file);
    expect(await goOn('cut')).toEqual([
      `${file}: it has ${left.length} bytes, and the checkpoint was made when it had ${startOf(6)}. 2 groups of episodes of iteration 2 are lost. Training needs none of it and goes on from iteration 2; \`npx cairn-gym inspect\` and \`npx cairn-gym export\` show what is left, which stays where it is, and new episodes go to ${fileOf('cut', 2)}. If there is a copy of the original file, restore its first ${startOf(6)} bytes at any time.`,
    ]);
    const expected = [...groups.slice(0, 4), ...groups.slice(6)];
    expect(await read('cut')).toEqual(expected);
    rmSync(inRoot('cut', 'checkpoints', 'iteration-00003'), { recursive: true }); // and killed once more
    expect(await goOn('cut')).toHaveLength(1);
    expect(readFileSync(file).equals(left)).toBe(true);
    expect(await read('cut')).toEqual(expected);
    expect(
      await resumeSmall(inRoot('cut'), { onProgress: ({ warning }) => expect(warning).toBeUndefined() }),
    ).toEqual(whole);
  });

  it('stores no episode twice when bytes before the checkpoint are lost', async () => {
    const file = killed('hole');
    writeFileSync(file, Buffer.concat([bytes.subarray(0, startOf(0) + 50), bytes.subarray(startOf(3) + 50)]));
    expect(await goOn('hole')).toEqual([
      expect.stringContaining('4 groups of episodes of iterations 1 and 2 are lost.'),
    ]);
    expect(await read('hole')).toEqual(groups.slice(4));
    expect(readFileSync(fileOf('hole', 2)).equals(bytes.subarray(startOf(6)))).toBe(true);
  });

  it('keeps every readable group when some bytes are lost, and reads new groups', async () => {
    const file = killed('small-hole');
    writeFileSync(file, Buffer.concat([bytes.subarray(0, startOf(1) + 50), bytes.subarray(startOf(1) + 80)]));
    expect(await goOn('small-hole')).toEqual([
      expect.stringMatching(
        /no group of episodes ends at its byte \d+, .*\. 1 group of episodes of iteration 1 is lost\./,
      ),
    ]);
    expect(await read('small-hole')).toEqual([groups[0], ...groups.slice(2)]);
  });

  it('keeps every readable group when bytes were added before the checkpoint, and none twice', async () => {
    const file = killed('grown');
    writeFileSync(
      file,
      Buffer.concat([bytes.subarray(0, startOf(1)), Buffer.from('ten bytes.'), bytes.subarray(startOf(1))]),
    );
    expect(await goOn('grown')).toEqual([expect.stringContaining('No group of episodes is lost.')]);
    expect(await read('grown')).toEqual(groups);
  });

  it('keeps every readable group when the file is cut and a group head claims a later iteration', async () => {
    const file = killed('lying');
    const cut = bytes.subarray(0, startOf(6) - 1);
    const lie = lieAbout(cut, startOf(1));
    writeFileSync(file, lie);
    await goOn('lying');
    expect(
      readFileSync(file)
        .subarray(0, startOf(5))
        .equals(lie.subarray(0, startOf(5))),
    ).toBe(true);
    expect(await read('lying')).toEqual([...groups.slice(1, 5), ...groups.slice(6)]);
  });

  it('reports trajectories of a newer format that cannot be counted, and continues', async () => {
    const file = killed('newer');
    const later = await frameGroup(Buffer.from('{"kind":"group","schema":99}\n'));
    writeFileSync(file, Buffer.concat([later, bytes.subarray(0, startOf(2))]));
    expect(await goOn('newer')).toEqual([
      expect.stringMatching(/The remaining episodes could not be counted \(.*newer cairn-gym/),
    ]);
  });

  it('continues without missing trajectories', async () => {
    rmSync(killed('gone'));
    expect(await goOn('gone')).toEqual([
      expect.stringMatching(
        /train-00001\.jsonl\.gz: it is missing, and the checkpoint was made when it had \d+ bytes\. 6 groups of episodes of iterations 1 and 2 are lost\./,
      ),
    ]);
    expect(await read('gone')).toEqual(groups.slice(6));
  });
});
