import { appendFileSync, cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { skimTrajectoryFile, type StoredGroup } from '../../../agents/rollout/store/skim-store.ts';
import { findDamagedGroups, mostBytesRead } from '../../../lab/inspect/damaged-groups.ts';
import { describeStored } from '../../../lab/inspect/describe-stored.ts';
import { cairn } from '../../support/command-line.ts';
import { collect } from '../../support/rollout.ts';
import { trainSmall } from '../../trainers/loop/small-training.ts';
import { temporaryFolder } from '../../trainers/run/make-run.ts';

const root = temporaryFolder();
const whole = join(root.path, 'whole');
let copies = 0;

beforeAll(async () => {
  await trainSmall(whole, { config: { finalPanels: ['unseen'] } });
});
afterAll(() => root[Symbol.dispose]());

/** A copy of the finished run after `harm` was done to it, and what `cairn-gym inspect` notes of it. */
async function notesOf(
  harm: (at: (...names: readonly string[]) => string) => void,
): Promise<{ readonly folder: string; readonly notes: readonly string[] }> {
  copies += 1;
  const folder = join(root.path, `copy-${copies}`);
  cpSync(whole, folder, { recursive: true });
  harm((...names) => join(folder, ...names));
  const { code, out, err } = await cairn(['inspect', folder, '--json']);
  expect(code, err).toBe(0);
  return { folder, notes: z.object({ notes: z.array(z.string()) }).parse(JSON.parse(out)).notes };
}

/** The lines of a log of the run, and what is left or made of them. */
const rewrite = (path: string, change: (lines: readonly string[]) => readonly string[]): void => {
  writeFileSync(
    path,
    change(readFileSync(path, 'utf8').trimEnd().split('\n'))
      .map((line) => `${line}\n`)
      .join(''),
  );
};

const placeOf = (lines: readonly string[], words: string): number =>
  lines.findIndex((line) => line.includes(words));
const resume = 'npx cairn-gym train --resume tells how to go on.';

describe('cairn-gym inspect on an undamaged run', () => {
  it('prints no notes', async () => {
    expect((await notesOf(() => undefined)).notes).toEqual([]);
  });
});

describe('notes on metrics', () => {
  it.each([
    [
      'a duplicated evaluation',
      (lines: readonly string[]) => [...lines, lines.at(-1) as string],
      'has the evaluation of iteration 3 after the evaluation of iteration 3',
    ],
    [
      'a duplicated pass of the warm start',
      (lines: readonly string[]) => [lines[0] as string, ...lines],
      'has pass 1 of the warm start after pass 1 of the warm start',
    ],
    [
      'a lost pass of the warm start',
      (lines: readonly string[]) => lines.toSpliced(1, 1),
      'has pass 3 of the warm start after pass 1 of the warm start',
    ],
    ['a lost first line', (lines: readonly string[]) => lines.slice(1), 'has pass 2 of the warm start first'],
    [
      'an evaluation in the wrong place',
      (lines: readonly string[]) => [...lines, lines[placeOf(lines, '"evaluation"')] as string],
      'has the evaluation before training after the evaluation of iteration 3',
    ],
    [
      'an evaluation before its iteration',
      (lines: readonly string[]) => [...lines.slice(0, -2), lines.at(-1) as string, lines.at(-2) as string],
      'has the evaluation of iteration 3 after the evaluation of iteration 2',
    ],
  ])('report %s', async (_, change, words) => {
    const { folder, notes } = await notesOf((at) => rewrite(at('metrics.jsonl'), change));
    expect(notes).toEqual([
      `${join(folder, 'metrics.jsonl')} ${words}: lines were lost or doubled. ${resume}`,
    ]);
  });

  it.each(['metrics.jsonl', 'timings.jsonl'])(
    'report a lost last line of %s by comparison with the newest checkpoint, as resuming does',
    async (log) => {
      const bytes = readFileSync(join(whole, log)).length;
      const { folder, notes } = await notesOf((at) => rewrite(at(log), (lines) => lines.slice(0, -1)));
      const path = join(folder, log);
      const left = readFileSync(path).length;
      expect(notes).toEqual([
        `${path}: it has ${left} bytes of complete lines, and none ends at byte ${bytes}, where the checkpoint continues. The file was changed: restore it from a copy.`,
      ]);
    },
  );

  it('report that there is no checkpoint for the recorded iterations', async () => {
    const { folder, notes } = await notesOf((at) => rmSync(at('checkpoints'), { recursive: true }));
    expect(notes).toEqual([
      `${join(folder, 'checkpoints')} holds no checkpoint, and the metrics record 3 iterations: bring the checkpoints back from a copy, for without them nothing goes on.`,
    ]);
  });
});

describe('notes on trajectories', () => {
  const file = join('trajectories', 'train-00001.jsonl.gz');
  const flip = (path: string, ...places: readonly number[]): void => {
    const bytes = readFileSync(path);
    for (const place of places) bytes.writeUInt8(bytes.readUInt8(place) ^ 255, place);
    writeFileSync(path, bytes);
  };
  const groups = (): Promise<readonly StoredGroup[]> =>
    collect(skimTrajectoryFile(join(whole, file), { onTornTail: () => undefined }));

  it('report bytes changed within groups, at which reading ends', async () => {
    const [, second, third] = (await groups()) as readonly [StoredGroup, StoredGroup, StoredGroup];
    const checkSumOf = ({ offset, bytes }: StoredGroup): number => offset + bytes - 8;
    const one = await notesOf((at) => flip(at(file), checkSumOf(third)));
    expect(one.notes).toEqual([
      expect.stringMatching(
        new RegExp(
          `train-00001\\.jsonl\\.gz, byte ${third.offset}: the group does not decompress .* restore it from a copy\\.$`,
        ),
      ),
    ]);
    const two = await notesOf((at) => flip(at(file), checkSumOf(second), checkSumOf(third)));
    expect(two.notes).toEqual([
      expect.stringMatching(
        new RegExp(`byte ${second.offset}: .* Groups behind it that are damaged too: 1\\.$`),
      ),
    ]);
    const left = await cairn(['inspect', two.folder, '--iteration', '1']);
    expect(left).toMatchObject({
      code: 0,
      out: expect.stringMatching(/: 1 group, \d of 2 episodes solved\n {2}group 0 {2}/) as string,
    });
    expect(left.err).toMatch(
      new RegExp(
        `^\\S+, byte ${second.offset}: the group does not decompress \\(.*\\)\\. ${second.bytes} bytes from there are left out, and ${third.bytes} bytes at 1 more place \\(\\S+, byte ${third.offset}\\); all other groups are read\\. .*restore it from a copy\\.\n$`,
      ),
    );
    expect(await cairn(['inspect', two.folder, '--iteration', '1', '--group', '1'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(
        new RegExp(
          `^error: \\S+, byte ${second.offset}: the group does not decompress .*restore it from a copy\\.\n$`,
        ),
      ) as string,
    });
  });

  it('name the damage once wherever it is, while inspect and export show the rest', async () => {
    const all = await groups();
    const [, second, third] = all as readonly [StoredGroup, StoredGroup, StoredGroup];
    const { folder, notes } = await notesOf((at) => {
      flip(at(file), second.offset + 3); // its head
      flip(at(file), third.offset + third.bytes - 8); // its check sum
    });
    expect(notes).toEqual([
      expect.stringMatching(
        new RegExp(
          `byte ${second.offset}: no group begins here\\. ${second.bytes} bytes from there are left out; all other groups`,
        ),
      ),
      expect.stringContaining(`byte ${third.offset}: the group does not decompress`),
    ]);
    const told = new RegExp(
      `^\\S+, byte ${second.offset}: no group begins here\\. ${second.bytes} bytes from there are left out, and ${third.bytes} bytes at 1 more place .*\\.$`,
    );
    const inspected = await cairn(['inspect', folder, '--iteration', '1', '--json']);
    expect(inspected).toMatchObject({
      code: 0,
      err: expect.stringMatching(new RegExp(`${told.source}`, 'm')) as string,
    });
    expect(JSON.parse(inspected.out)).toMatchObject({
      groups: [{ group: 0 }],
      notes: [expect.stringMatching(told)],
    });

    const exported = await cairn(['export', folder, '--what', 'episodes']);
    expect(exported.code, exported.err).toBe(0);
    const wanted = all.filter((group) => group !== second && group !== third);
    const rows = exported.out
      .trimEnd()
      .split('\n')
      .map((line) => z.object({ task: z.int() }).parse(JSON.parse(line)).task);
    expect(rows).toEqual(wanted.flatMap(({ task }) => [task.index, task.index]));
    expect(exported.err.trimEnd()).toMatch(told);
    const document = await cairn(['export', folder, '--what', 'chat', '--json']);
    expect(JSON.parse(document.out)).toMatchObject({
      episodes: 14,
      unread: 0,
      notes: [expect.stringMatching(told)],
    });

    const group = await cairn(['inspect', folder, '--iteration', '1', '--group', '0', '--json']);
    expect(JSON.parse(group.out)).toMatchObject({
      notes: [expect.stringContaining(`byte ${second.offset}: no group begins here`)],
    });

    const lacking = await cairn(['inspect', folder, '--iteration', '1', '--group', '2']);
    expect(lacking).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^error: group 2 of iteration 1 of \S+: there are 2 groups that can be read\. \S+, byte \d+: no group begins here\. .* Count from 0\.\n$/,
      ) as string,
    });
  });

  it('name file and byte when an iteration lies in the damage or nothing can be read', async () => {
    const [first, , , fourth] = (await groups()) as readonly [
      StoredGroup,
      StoredGroup,
      StoredGroup,
      StoredGroup,
    ];
    const { folder } = await notesOf((at) => {
      const bytes = readFileSync(at(file));
      writeFileSync(at(file), bytes.fill(0, first.offset, fourth.offset));
    });
    expect(await cairn(['inspect', folder, '--iteration', '1'])).toMatchObject({
      code: 2,
      err: `error: iteration 1: its episodes were written down, and none of them can be read. ${join(folder, file)}, byte 0: no group begins here. ${fourth.offset} bytes from there are left out; all other groups are read. The file is damaged or was not written by cairn-gym: restore it from a copy. There are those of 2 and 3.\n`,
    });
    expect((await cairn(['inspect', folder])).out).toContain(
      '\n  lost: iteration 1, of which nothing can be read any more\n',
    );
    writeFileSync(join(folder, file), Buffer.alloc(5_000));
    for (const words of [
      ['inspect', folder, '--iteration', '1'],
      ['inspect', join(folder, file)],
      ['export', folder, '--what', 'steps'],
    ]) {
      expect(await cairn(words)).toMatchObject({
        code: 2,
        out: '',
        err: `error: ${join(folder, file)}, byte 0: no group begins here. The file is damaged or was not written by cairn-gym: restore it from a copy.\n`,
      });
    }
  });

  it('say when groups were not read through because it would take too long', async () => {
    const [first] = (await groups()) as readonly [StoredGroup];
    expect(
      await findDamagedGroups([{ ...first, bytes: mostBytesRead }], new AbortController().signal),
    ).toEqual([]);
    expect(
      await findDamagedGroups([first, { ...first, bytes: mostBytesRead }], new AbortController().signal),
    ).toBeUndefined();
    const survey = {
      store: 'train',
      groups: [first],
      stored: new Map(),
      rotatedAway: [],
      lost: [],
      groupsEach: 1,
      kept: undefined,
    };
    expect(describeStored({ ...survey, isReadThrough: false }, 'runs/one')).toContain(
      'not read through for damage, being more than 64 MiB: npx cairn-gym export runs/one --store train --what episodes reads all of it',
    );
    expect(describeStored({ ...survey, isReadThrough: true }, 'runs/one')).toHaveLength(1);
  });

  it.each([
    [
      'at the end of their file',
      'train-00001.jsonl.gz',
      (from: string) => appendFileSync(from, readFileSync(from)),
    ],
    [
      'in a second file',
      'train-00002.jsonl.gz',
      (from: string) => cpSync(from, from.replace('00001', '00002')),
    ],
  ])('report groups stored twice %s, and count them the same in either place', async (_, name, copy) => {
    const [first] = (await groups()) as readonly [StoredGroup];
    const { folder, notes } = await notesOf((at) => copy(at(file)));
    const byte = name.includes('00001') ? readFileSync(join(whole, file)).length : 0;
    expect(notes).toEqual([
      `${join(folder, 'trajectories', name)}, byte ${byte}: the group of train/${first.task.index} in iteration 1 is there again, and 8 more groups are there again. Take the copy away; npx cairn-gym train --resume cuts off what lies behind the newest checkpoint.`,
    ]);
    expect((await cairn(['inspect', folder])).out).toContain('train: 36 episodes in 18 groups');
    expect((await cairn(['inspect', folder, '--iteration', '3'])).out).toContain('6 groups');
    expect((await cairn(['export', folder, '--what', 'episodes'])).out.trimEnd().split('\n')).toHaveLength(
      36,
    );
  });
});

describe('notes on final results', () => {
  const at = (folder: string, name: string): string => join(folder, 'results', `${name}.json`);
  const again = 'Bring it back from a copy, or let npx cairn-gym train --resume play it again.';

  it.each([
    [
      'was cut',
      (file: string) => truncateSync(file, 500),
      /: it is not JSON\. It is left out: .*plays a final result again\.$/,
    ],
    [
      'has another rate',
      (file: string) =>
        writeFileSync(file, readFileSync(file, 'utf8').replace(/"rate":[\d.]+/, '"rate":0.987')),
      /: it is not the result of an evaluation: success\.rate is 0\.987, and the episodes give .*plays a final result again\.$/,
    ],
  ])(
    'report a result file that %s, which inspect and report leave out and export refuses',
    async (_, harm, words) => {
      const { folder, notes } = await notesOf((name) => harm(name('results', 'unseen-gigpo.json')));
      expect(notes).toEqual([expect.stringMatching(words)]);
      expect(notes[0]?.startsWith(at(folder, 'unseen-gigpo'))).toBe(true);
      const { out } = await cairn(['inspect', folder]);
      expect(out).toMatch(/unseen +cloned/);
      expect(out).not.toMatch(/unseen +GiGPO +sampled/);
      expect((await cairn(['report', folder])).code).toBe(0);
      expect(readFileSync(join(folder, 'report.html'), 'utf8')).toMatch(
        /class="notice"><b>Warning:<\/b> [^<]*unseen-gigpo\.json: it is not/,
      );
      expect((await cairn(['export', folder, '--what', 'results'])).code).toBe(2);
      expect((await cairn(['export', folder, '--what', 'metrics'])).code).toBe(0);
    },
  );

  it('report one or all missing result files', async () => {
    const one = await notesOf((name) => rmSync(name('results', 'unseen-gigpo.json')));
    expect(one.notes).toEqual([
      `${at(one.folder, 'unseen-gigpo')}: it is gone, and the run had this result. ${again}`,
    ]);
    const all = await notesOf((name) => rmSync(name('results'), { recursive: true }));
    expect(all.notes).toHaveLength(5);
    expect((await cairn(['report', all.folder])).code).toBe(0);
    expect(readFileSync(join(all.folder, 'report.html'), 'utf8')).toContain('unseen-cloned.json: it is gone');
  });

  it('report a changed result file that still adds up, and show it', async () => {
    const { folder, notes } = await notesOf((name) =>
      appendFileSync(name('results', 'unseen-gigpo.json'), ' '),
    );
    expect(notes).toEqual([`${at(folder, 'unseen-gigpo')}: it was changed since the run wrote it. ${again}`]);
    expect((await cairn(['inspect', folder])).out).toMatch(/unseen +GiGPO +sampled/);
  });
});
