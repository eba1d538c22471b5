import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeGroup } from '../../../../agents/rollout/format/codec.ts';
import { frameGroup, frameHeaderBytes } from '../../../../agents/rollout/store/group-frame.ts';
import { readTrajectories, readTrajectoryFile } from '../../../../agents/rollout/store/read-store.ts';
import {
  readUnlessDamaged,
  skimTrajectories,
  skimTrajectoryFile,
} from '../../../../agents/rollout/store/skim-store.ts';
import type { DamagedStretch, LossListener, TornTail } from '../../../../agents/rollout/store/walk-groups.ts';
import { UsageError } from '../../../../envs/core/errors.ts';
import { collect } from '../../../support/rollout.ts';
import { sampleGroup } from '../../../support/trajectory-arbitrary.ts';

let folder: string;
let file: string;
let members: readonly Buffer[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'damaged-'));
  file = join(folder, 'train-00001.jsonl.gz');
  members = await Promise.all(
    [0, 1, 2, 3, 4].map((index) => frameGroup(encodeGroup(sampleGroup(index, 300)))),
  );
});
afterEach(() => rm(folder, { recursive: true }));

const startOf = (index: number): number =>
  members.slice(0, index).reduce((sum, { length }) => sum + length, 0);
const whole = (): Buffer => Buffer.concat(members);

interface Heard extends LossListener {
  readonly tails: TornTail[];
  readonly stretches: DamagedStretch[];
}

function listen(): Heard {
  const [tails, stretches]: [TornTail[], DamagedStretch[]] = [[], []];
  return {
    tails,
    stretches,
    onTornTail: (tail) => void tails.push(tail),
    onDamage: (stretch) => void stretches.push(stretch),
  };
}

const placesOf = (stretches: readonly DamagedStretch[]): unknown =>
  stretches.map(({ file: of, offset, bytes }) => ({ file: of, offset, bytes }));
const samples = (...indices: readonly number[]): unknown => indices.map((index) => sampleGroup(index, 300));

/** Reads and skims the file with these bytes: both find the same groups, whole, and leave the same bytes out. */
async function readBoth(bytes: Buffer): Promise<Heard & { readonly groups: unknown }> {
  await writeFile(file, bytes);
  const [reading, skimming] = [listen(), listen()];
  const groups = await collect(readTrajectoryFile(file, reading));
  const found: unknown[] = [];
  for (const stored of await collect(skimTrajectoryFile(file, skimming))) {
    const group = await readUnlessDamaged(stored);
    if (UsageError.is(group)) skimming.stretches.push({ ...stored, error: group });
    else found.push(group);
  }
  expect(found).toStrictEqual(groups);
  expect(skimming.tails).toEqual(reading.tails);
  expect(placesOf(skimming.stretches)).toEqual(placesOf(reading.stretches));
  return { ...reading, groups };
}

describe('damage in the middle of a file', () => {
  it('costs only the group it lies in, at any byte', async () => {
    const [start, { length }] = [startOf(2), members[2] as Buffer];
    for (let at = 0; at < length; at += at < 2 * frameHeaderBytes || at > length - 20 ? 1 : 37) {
      const bytes = whole();
      bytes.writeUInt8(bytes.readUInt8(start + at) ^ 0x55, start + at);
      const { groups, stretches, tails } = await readBoth(bytes);
      expect(groups, `byte ${at}`).toStrictEqual(samples(0, 1, 3, 4));
      expect(placesOf(stretches), `byte ${at}`).toEqual([{ file, offset: start, bytes: length }]);
      expect(stretches[0]?.error.parts.where).toBe(`${file}, byte ${start}`);
      expect(tails).toEqual([]);
    }
  });

  it.each([
    [
      'bytes missing within a group',
      (bytes: Buffer) => [bytes.subarray(0, startOf(2) + 100), bytes.subarray(startOf(2) + 130)],
      [0, 1, 3, 4],
    ],
    [
      'bytes missing across two groups',
      (bytes: Buffer) => [bytes.subarray(0, startOf(1) + 100), bytes.subarray(startOf(2) + 50)],
      [0, 3, 4],
    ],
    [
      'zeros across a boundary',
      (bytes: Buffer) => [bytes.fill(0, startOf(2) - 40, startOf(2) + 40)],
      [0, 3, 4],
    ],
    [
      'foreign bytes between two groups',
      (bytes: Buffer) => [
        bytes.subarray(0, startOf(3)),
        Buffer.from('what is this?'),
        bytes.subarray(startOf(3)),
      ],
      [0, 1, 2, 3, 4],
    ],
    [
      'the start of a group before other groups',
      (bytes: Buffer) => [bytes.subarray(0, startOf(2) + 200), bytes.subarray(startOf(3))],
      [0, 1, 3, 4],
    ],
    [
      'the start of a frame head before other groups',
      (bytes: Buffer) => [bytes.subarray(0, startOf(2) + 10), bytes.subarray(startOf(3))],
      [0, 1, 3, 4],
    ],
    [
      'two adjacent damaged groups',
      (bytes: Buffer) => [
        bytes.fill(0, startOf(1) + 16, startOf(1) + 20).fill(0, startOf(3) - 8, startOf(3)),
      ],
      [0, 3, 4],
    ],
    [
      'foreign bytes that start like a group',
      (bytes: Buffer) => [
        bytes.subarray(0, startOf(2)),
        Buffer.from('x'),
        bytes.subarray(0, 30),
        bytes.subarray(startOf(2)),
      ],
      [0, 1, 2, 3, 4],
    ],
    [
      'a start of the file that is no group',
      (bytes: Buffer) => [Buffer.alloc(3 * 2 ** 20, 'x'), bytes],
      [0, 1, 2, 3, 4],
    ],
    [
      'an end of the file that is no group',
      (bytes: Buffer) => [bytes, Buffer.alloc(100, 'x')],
      [0, 1, 2, 3, 4],
    ],
  ] as const)('costs no other group: %s', async (_, harm, left) => {
    const { groups, stretches, tails } = await readBoth(Buffer.concat(harm(whole())));
    expect(groups).toStrictEqual(samples(...left));
    expect(stretches).toHaveLength(1);
    expect(tails).toEqual([]);
  });

  it('counts twice at two places, beside one torn tail after it', async () => {
    const bytes = whole();
    for (const index of [1, 3]) bytes.writeUInt8(0, startOf(index));
    const { groups, stretches, tails } = await readBoth(bytes.subarray(0, -5));
    expect(groups).toStrictEqual(samples(0, 2));
    expect(stretches.map(({ offset }) => offset)).toEqual([startOf(1), startOf(3)]);
    expect(tails).toEqual([{ file, offset: startOf(4), bytes: (members[4] as Buffer).length - 5 }]);
  });

  /** A group with a wrong check sum, whose text stands in the file as it is. */
  function uncompressed(text: Buffer): Buffer {
    const body = deflateRawSync(text, { level: 0 });
    const outer = Buffer.concat([
      (members[0] as Buffer).subarray(0, frameHeaderBytes),
      body,
      Buffer.alloc(8),
    ]);
    outer.writeUInt32LE(outer.length, 16);
    outer.writeUInt32LE(text.length, 20);
    outer.writeUInt32LE((crc32(text) ^ 1) >>> 0, outer.length - 8);
    outer.writeUInt32LE(text.length, outer.length - 4);
    return outer;
  }

  it('may look like a torn tail, and costs none of the groups after it', async () => {
    const beginning = uncompressed(Buffer.alloc(20_000, 'x')).subarray(0, 200);
    const { groups, stretches, tails } = await readBoth(
      Buffer.concat([members[0] as Buffer, beginning, members[1] as Buffer, members[2] as Buffer]),
    );
    expect(groups).toStrictEqual(samples(0, 1, 2));
    expect(placesOf(stretches)).toEqual([{ file, offset: startOf(1), bytes: 200 }]);
    expect(String(stretches[0]?.error)).toContain('the group breaks off');
    expect(tails).toEqual([]);
  });

  it('yields no group from the bytes within the damaged group', async () => {
    const outer = uncompressed(Buffer.concat([Buffer.from('{"kind":"group"'), members[1] as Buffer]));
    expect(outer.includes(members[1] as Buffer)).toBe(true);
    const { groups, stretches } = await readBoth(
      Buffer.concat([members[0] as Buffer, outer, members[2] as Buffer]),
    );
    expect(groups).toStrictEqual(samples(0, 2));
    expect(placesOf(stretches)).toEqual([{ file, offset: startOf(1), bytes: outer.length }]);
  });

  it('does not hide a group of a newer schema, which is refused', async () => {
    const newer = await frameGroup(
      Buffer.from('{"kind":"group","schema":3,"task":{"panel":"train","index":0},"members":0}\n'),
    );
    const harmed = Buffer.from(members[0] as Buffer);
    harmed.writeUInt8(0, 0);
    await writeFile(file, Buffer.concat([harmed, newer]));
    const refused =
      /it has format 3, and this version reads formats up to 2\. Read it with a newer cairn-gym/;
    await expect(collect(readTrajectoryFile(file, listen()))).rejects.toThrow(refused);
    await expect(collect(skimTrajectoryFile(file, listen()))).rejects.toThrow(refused);
  });

  it('ends reading when the reader does not ask for damage reports', async () => {
    const bytes = whole();
    bytes.writeUInt8(0, startOf(2));
    await writeFile(file, bytes);
    await expect(collect(readTrajectoryFile(file, { onTornTail: () => undefined }))).rejects.toThrow(
      `${file}, byte ${startOf(2)}: no group begins here`,
    );
    await expect(collect(skimTrajectoryFile(file, { onTornTail: () => undefined }))).rejects.toThrow(
      `${file}, byte ${startOf(2)}: no group begins here`,
    );
  });
});

describe('torn tail before other files', () => {
  it('counts as damage, and the files after it are read', async () => {
    await writeFile(file, whole().subarray(0, -5));
    await writeFile(join(folder, 'train-00002.jsonl.gz'), await frameGroup(encodeGroup(sampleGroup(5, 300))));
    const [reading, skimming] = [listen(), listen()];
    expect(await collect(readTrajectories(folder, 'train', reading))).toStrictEqual(samples(0, 1, 2, 3, 5));
    expect(await collect(skimTrajectories(folder, 'train', skimming))).toHaveLength(5);
    for (const { tails, stretches } of [reading, skimming]) {
      expect(tails).toEqual([]);
      expect(placesOf(stretches)).toEqual([
        { file, offset: startOf(4), bytes: (await readFile(file)).length - startOf(4) },
      ]);
      expect(String(stretches[0]?.error)).toContain('the last group is torn');
    }
  });
});
