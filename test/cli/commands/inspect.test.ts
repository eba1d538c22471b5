import { copyFile, cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openTrajectoryStore } from '../../../agents/rollout/store/store.ts';
import { isSolved, returnOf, scoreOf, type TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { creditOf } from '../../../lab/inspect/credit.ts';
import { findNewestRun } from '../../../lab/inspect/newest-run.ts';
import { createCreditEstimator } from '../../../trainers/credit/create-credit-estimator.ts';
import { creditConfigSchema } from '../../../trainers/credit/credit-config.ts';
import { openCredit } from '../../../trainers/credit/open-credit.ts';
import { markBest } from '../../../trainers/run/checkpoint-store.ts';
import { readManifest } from '../../../trainers/run/read-checkpoint.ts';
import { writeCheckpoint } from '../../../trainers/run/write-checkpoint.ts';
import { cairn } from '../../support/command-line.ts';
import type { Ran } from '../../support/run-program.ts';
import { makeRunFolder } from './make-run-folder.ts';

let folder = '';
let run = '';
let groups: readonly TrajectoryGroup[] = [];
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
  run = path.join(folder, 'run');
  groups = await makeRunFolder(run);
});
afterAll(() => rm(folder, { recursive: true }));

async function document(...words: readonly string[]): Promise<unknown> {
  const { code, out, err } = await cairn([...words, '--json']);
  expect(code, err).toBe(0);
  return JSON.parse(out);
}

describe('cairn-gym inspect', () => {
  it('summarises a run', async () => {
    expect(await document('inspect', run)).toMatchObject({
      panels: { train: { tasks: 1000 } },
      lastIteration: { iteration: 2, success: 0.5 },
      checkpoints: [{ name: 'iteration-00002', iteration: 2, best: false }],
      stores: [{ store: 'train', groups: 3, episodes: 12, iterations: [], rotatedAway: [] }],
    });
    expect((await cairn(['inspect', run])).out).toContain(
      'iteration 2: 200 steps, 24 episodes, success 50.0 %',
    );
  });

  it('shows the passes of a run that is still cloning, without empty headings', async () => {
    const cloning = path.join(folder, 'cloning');
    await makeRunFolder(cloning);
    const lines = [
      { kind: 'warm-start', epoch: 1, loss: 2.5 },
      { kind: 'warm-start', epoch: 2, loss: 1.25, devSuccess: { rate: 0.25, low: 0.1, high: 0.5 } },
    ];
    await rm(path.join(cloning, 'checkpoints'), { recursive: true });
    await writeFile(
      path.join(cloning, 'metrics.jsonl'),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
    const { out } = await cairn(['inspect', cloning]);
    expect(out).toContain(
      'no iteration is done yet; 2 passes of cloning\n\nCloning, loss and success on dev with 95 % intervals:\n  after pass 2  loss 1.250  25.0 % [10.0, 50.0]\n',
    );
    expect(out).not.toContain('Evaluations');
    expect(await document('inspect', cloning)).toMatchObject({ warmStart: lines });
  });

  it('leaves out a damaged checkpoint and says so, and reports missing metrics', async () => {
    const damaged = path.join(folder, 'damaged');
    await makeRunFolder(damaged);
    const metrics = path.join(damaged, 'metrics.jsonl');
    expect(await document('inspect', damaged)).toMatchObject({ notes: [] });
    await writeFile(metrics, `${(await readFile(metrics, 'utf8')).split('\n')[0] ?? ''}\n`);
    const [whole, left] = [
      (await readManifest(path.join(damaged, 'checkpoints', 'iteration-00002'))).logs.metrics,
      (await readFile(metrics)).length,
    ];
    const missing = `${metrics}: it has ${left} bytes of complete lines, and none ends at byte ${whole}, where the checkpoint continues. The file was changed: restore it from a copy.`;
    expect((await cairn(['inspect', damaged])).out).toContain(`\nnote: ${missing}\n`);
    await cp(
      path.join(damaged, 'checkpoints', 'iteration-00002'),
      path.join(damaged, 'checkpoints', 'iteration-00003'),
      { recursive: true },
    );
    await writeFile(path.join(damaged, 'checkpoints', 'iteration-00003', 'checkpoint.json'), '{');
    expect(await document('inspect', damaged)).toMatchObject({
      checkpoints: [{ name: 'iteration-00002' }],
      notes: [
        'checkpoint iteration-00003 is left out: its checkpoint.json is damaged: it is not JSON.',
        missing,
      ],
    });
    expect((await cairn(['report', damaged])).code).toBe(0);
  });

  it('notes metrics that are gone, lost in the middle, duplicated or cut at the end, and the fix', async () => {
    const damaged = path.join(folder, 'lines');
    await makeRunFolder(damaged);
    const metrics = path.join(damaged, 'metrics.jsonl');
    const [first = '', second = ''] = (await readFile(metrics, 'utf8')).split('\n');
    const how = 'npx cairn-gym train --resume tells how to go on.';
    const notesOn = async (text: string): Promise<unknown> => {
      await writeFile(metrics, text);
      return ((await document('inspect', damaged)) as { readonly notes: unknown }).notes;
    };
    expect(await notesOn(`${second}\n`)).toEqual([
      `${metrics} has iteration 2 first: lines were lost or doubled. ${how}`,
    ]);
    expect(await notesOn(`${first}\n${second.replace('"iteration":2', '"iteration":3')}\n`)).toEqual([
      `${metrics} has iteration 3 after iteration 1: lines were lost or doubled. ${how}`,
    ]);
    expect(await notesOn(`${first}\n${second}\n${second}\n`)).toEqual([
      `${metrics} has iteration 2 after iteration 2: lines were lost or doubled. ${how}`,
    ]);
    expect(await notesOn(`${first}\n${second}\n{"kind":"eval`)).toEqual([
      `${metrics} ends in the midst of a line, which is left out: its run is writing it, or was killed there. npx cairn-gym train --resume cuts it off.`,
    ]);
    await rm(metrics);
    expect(await document('inspect', damaged)).toMatchObject({
      notes: [
        expect.stringMatching(
          /metrics\.jsonl: the file does not exist, and the checkpoint continues at its byte \d+\. .*restore it/,
        ) as string,
      ],
    });
  });

  it('notes trajectories that are cut, gone or damaged since the checkpoint, and shows the rest', async () => {
    const damaged = path.join(folder, 'shorter');
    await makeRunFolder(damaged);
    const file = path.join(damaged, 'trajectories', 'train-00001.jsonl.gz');
    const whole = await readFile(file);
    const fix =
      'Put the file back as it was; without a copy npx cairn-gym train --resume goes on all the same and keeps what is left.';
    const madeWhen = `and the checkpoint was made when it had ${whole.length}`;
    await writeFile(file, whole.subarray(0, 1000));
    expect(await document('inspect', damaged)).toMatchObject({
      notes: [
        `${file}: it has 1000 bytes, ${madeWhen}. ${fix}`,
        expect.stringContaining(`${file}: its last group was never finished`) as string,
      ],
      stores: [{ groups: 0 }],
    });
    await writeFile(file, Buffer.concat([whole.subarray(0, 100), Buffer.alloc(whole.length - 100)]));
    expect(await document('inspect', damaged)).toMatchObject({
      notes: [expect.stringContaining(`${file}, byte`) as string],
      stores: [],
      lastIteration: { iteration: 2 },
    });
    await rm(file);
    expect(await document('inspect', damaged)).toMatchObject({
      notes: [`${file}: it is missing, ${madeWhen} bytes. ${fix}`],
      stores: [],
    });
  });

  it('notes metrics that end before the stored episodes', async () => {
    const behind = path.join(folder, 'behind');
    const laterBy = async (ahead: number): Promise<unknown> => {
      await rm(behind, { recursive: true, force: true });
      await makeRunFolder(
        behind,
        groups.map((group) => ({
          ...group,
          members: group.members.map((member) => ({
            ...member,
            path: member.path.replace('/sample/', `/iteration-${2 + ahead}/`),
          })),
        })),
      );
      return ((await document('inspect', behind)) as { readonly notes: unknown }).notes;
    };
    expect(await laterBy(1)).toEqual([]); // the iteration under way
    const metrics = path.join(behind, 'metrics.jsonl');
    expect(await laterBy(2)).toEqual([
      `${metrics} ends with iteration 2, and there are episodes of iteration 4: lines of it are gone. npx cairn-gym train --resume tells how to go on.`,
    ]);
  });

  it('notes checkpoints with cut or missing files, the best among them, and a faulty best.json', async () => {
    const damaged = path.join(folder, 'cut');
    await makeRunFolder(damaged);
    const checkpoints = path.join(damaged, 'checkpoints');
    const [one, two] = [path.join(checkpoints, 'iteration-00002'), path.join(checkpoints, 'iteration-00001')];
    const fill = async (at: string): Promise<void> => writeFile(path.join(at, 'weights'), 'twelve bytes');
    const {
      digest: _digest,
      files: _files,
      format: _format,
      schema: _schema,
      ...facts
    } = await readManifest(one);
    await writeCheckpoint(checkpoints, 'iteration-00001', { facts: { ...facts, iteration: 1 }, fill });
    const note = {
      name: 'iteration-00001',
      panel: 'dev',
      fingerprint: `sha256:${'0'.repeat(64)}`,
      rate: 0.5,
    };
    await markBest(checkpoints, note);
    expect(await document('inspect', damaged)).toMatchObject({
      notes: [],
      checkpoints: [
        { name: 'iteration-00001', best: true },
        { name: 'iteration-00002', best: false },
      ],
    });
    await writeFile(path.join(two, 'weights'), 'five!');
    const cut = 'its file weights has 5 bytes and should have 12.';
    expect(await document('inspect', damaged)).toMatchObject({
      notes: [`checkpoint iteration-00001 is damaged, and it is said to be the best: ${cut}`],
      checkpoints: [{ name: 'iteration-00001', best: true, damage: cut }, { name: 'iteration-00002' }],
    });
    expect((await cairn(['inspect', damaged])).out).toMatch(
      /iteration-00001 +iteration 1 +the best, damaged\n/,
    );
    await rm(path.join(two, 'weights'));
    expect(await document('inspect', damaged)).toMatchObject({
      checkpoints: [{ damage: 'its file weights is missing.' }, {}],
    });
    await rm(two, { recursive: true });
    expect(await document('inspect', damaged)).toMatchObject({
      notes: ['checkpoint iteration-00001 is said to be the best, and is gone.'],
    });
    await writeFile(path.join(checkpoints, 'best.json'), '{"na');
    expect(await document('inspect', damaged)).toMatchObject({
      notes: [expect.stringMatching(/best\.json: it does not say which checkpoint is the best\. Delete it/)],
      checkpoints: [{ best: false }],
    });
    await rm(checkpoints, { recursive: true });
    await writeFile(checkpoints, '');
    expect(await document('inspect', damaged)).toMatchObject({
      notes: [expect.stringMatching(/checkpoints: it is not a folder\. Remove it/)],
      checkpoints: [],
    });
  });

  it('shows the episodes of iterations, even beside a store of faulted episodes', async () => {
    const faulted = path.join(run, 'trajectories', 'faulted-00001.jsonl.gz');
    await copyFile(path.join(run, 'trajectories', 'train-00001.jsonl.gz'), faulted);
    expect(await document('inspect', run, '--group', '0')).toEqual(
      await document('inspect', run, '--group', '0', '--store', 'train'),
    );
    expect(await cairn(['inspect', run, '--store', 'train'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/--store: the summary of a run shows all stores\. Add --failed, /) as string,
    });
    await rm(faulted);
  });

  it('lists the episodes that an evaluation kept, and points to those of several agents', async () => {
    const kept = path.join(folder, 'kept');
    expect(
      (await cairn(['eval', 'household', '--agent', 'searcher', '--tasks', '2', '--keep', kept, '--quiet']))
        .code,
    ).toBe(0);
    const ofSearcher = path.join(kept, 'searcher');
    expect(await document('inspect', ofSearcher)).toMatchObject({
      groups: [{ outcomes: ['solved'] }, { outcomes: ['solved'] }],
    });
    expect((await cairn(['inspect', ofSearcher, '--group', '0', '--member', '0'])).out).toContain(
      'step 1 of',
    );
    expect(await cairn(['inspect', kept])).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        `of each agent in a folder of its own. Name one: ${ofSearcher}.`,
      ) as string,
    });
  });

  it('lists failed episodes, the worst first, by family, and how to see one', async () => {
    const all = groups.flatMap(({ members }, group) =>
      members.map((member, at) => ({
        group,
        member: at,
        return: returnOf(member),
        solved: isSolved(member),
      })),
    );
    const failed = all.filter(({ solved }) => !solved);
    const listed = z.looseObject({
      of: z.int(),
      episodes: z.array(z.looseObject({ group: z.int(), member: z.int(), return: z.number() })),
    });
    const { of, episodes } = listed.parse(await document('inspect', run, '--failed'));
    expect({ of, episodes }).toMatchObject({
      of: 12,
      episodes: failed.map(({ group, member }) => ({ group, member })),
    });
    const worst = listed.parse(await document('inspect', run, '--worst')).episodes.map((each) => each.return);
    expect(worst).toEqual(all.map((each) => each.return).toSorted((a, b) => a - b));
    const family = groups[0]?.members[0]?.family ?? '';
    const { out } = await cairn(['inspect', run, '--failed', '--worst', '--family', family]);
    expect(out).toMatch(
      /failed episodes? of family .*, of 12 stored, the lowest return first\n {2}group \d member \d/,
    );
    const [, next = ''] = /to see the first: npx cairn-gym (inspect .*)\n/.exec(out) ?? [];
    expect((await cairn(next.split(' '))).out).toContain('step 1 of');
    expect((await cairn(['inspect', run, '--family', 'look'])).err).toMatch(
      /--family look: no stored episode is of that family\. There are those of/,
    );
    expect((await cairn(['inspect', run, '--failed', '--group', '0'])).err).toMatch(/--group names one/);
  });

  it('lists what the final policy failed where that is stored', async () => {
    const finished = path.join(folder, 'finished');
    await cp(run, finished, { recursive: true });
    await using store = await openTrajectoryStore({
      folder: path.join(finished, 'trajectories'),
      name: 'failed-unseen-gigpo',
    });
    const [first] = groups;
    if (first === undefined) throw new TypeError('there are groups');
    await store.append({
      ...first,
      members: first.members.filter((member) => !isSolved(member)).slice(0, 1),
    });
    await store.flush();
    const { out, err } = await cairn(['inspect', finished, '--failed']);
    expect(err).toContain('showing what the final policy failed (--store failed-unseen-gigpo)');
    expect(out).toContain('1 failed episode, of 1 stored\n');
    const [, next = ''] = /to see the first: npx cairn-gym (inspect .*)\n/.exec(out) ?? [];
    expect(next).toContain('--store failed-unseen-gigpo --group 0 --member 0');
    const shown = (await cairn(next.split(' '))).out;
    expect(shown).toContain('step 1 of');
    expect(shown).not.toContain('  credit  '); // nothing to compare it with
    expect((await cairn(['inspect', finished, '--failed', '--store', 'train'])).out).toContain(
      ', of 12 stored\n',
    );
  });

  it('shows the newest run below a folder, and says so where there is none', async () => {
    const runs = path.join(folder, 'runs');
    await expect(findNewestRun(runs)).rejects.toThrow(
      /cairn-gym inspect: no path is named, and there is no run in .*runs\. Name the folder of a run/,
    );
    await cp(run, path.join(runs, 'newer'), { recursive: true });
    await cp(run, path.join(runs, 'study', 'older-0'), { recursive: true });
    const past = new Date(1_000_000_000_000);
    for (const file of ['config.json', 'metrics.jsonl'])
      await utimes(path.join(runs, 'study', 'older-0', file), past, past);
    expect(await findNewestRun(runs)).toBe(path.join(runs, 'newer'));
    const future = new Date(4_000_000_000_000);
    await utimes(path.join(runs, 'study', 'older-0', 'metrics.jsonl'), future, future);
    expect(await findNewestRun(runs)).toBe(path.join(runs, 'study', 'older-0'));
  });

  it('refuses paths that are neither a run nor episodes, in three parts', async () => {
    const mixed = path.join(folder, 'mixed');
    await mkdir(path.join(mixed, 'config.json'), { recursive: true });
    const split = path.join(folder, 'split');
    await cp(run, split, { recursive: true });
    await rm(path.join(split, 'trajectories'), { recursive: true });
    await writeFile(path.join(split, 'trajectories'), '');
    for (const [words, message] of [
      [[mixed], /mixed: its config\.json cannot be used: it is a folder, and a file is expected\. Give/],
      [[path.join(folder, 'x'.repeat(300))], /its name is too long for the file system\. Give/],
      [[path.join(run, 'config.json', 'below')], /it is a file, and a folder .* is expected\. Give/],
      [[split], /trajectories: it is a file, and a folder of trajectories is expected\. Give/],
      [[split, '--failed'], /trajectories: it is a file, and a folder of trajectories is expected\. Give/],
    ] as const) {
      const { code, err } = await cairn(['inspect', ...words]);
      expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) as string });
    }
  });

  it('lists the groups of a file', async () => {
    const file = path.join(run, 'trajectories', 'train-00001.jsonl.gz');
    expect(await document('inspect', file)).toMatchObject({
      groups: groups.map(({ task, members }, group) => ({
        group,
        task: `${task.panel}/${task.index}`,
        steps: members.reduce((sum, member) => sum + member.steps.length, 0),
      })),
    });
  });

  it('shows the episodes of a group', async () => {
    expect(await document('inspect', run, '--group', '1')).toMatchObject({
      task: groups[1]?.task,
      episodes: groups[1]?.members.map((member, index) => ({
        member: index,
        path: member.path,
        score: scoreOf(member),
        steps: member.steps.length,
      })),
    });
  });

  it('shows an episode in the words of its env, with the credit used in training', async () => {
    const { out } = await cairn(['inspect', run, '--group', '0', '--member', '2']);
    const member = groups[0]?.members[2];
    expect(out).toContain(member?.path);
    expect(out.match(/^  did     press row \d column \d$/gm)).toHaveLength(member?.steps.length ?? -1);
    expect(out).toMatch(
      /\n {2}credit {2}[█▒·]{8} advantage [+-]\d.* \(episode .*\).*\n {2}anchor {2}\d+, (?:alone|shared by \d+ steps: return .* from step \d+ of member \d)\n {10}key \S/,
    );
  });

  it('computes the same credit for one group as among all groups', async () => {
    const { estimator } = await openCredit(creditConfigSchema.parse({ kind: 'gigpo' }));
    const among = createCreditEstimator({ kind: 'gigpo' }).assign(groups, {});
    for (const [index, group] of groups.entries()) {
      for (const member of group.members.keys()) {
        const alone = creditOf(group, member, estimator);
        expect(alone?.credit.advantage).toEqual(among.groups[index]?.[member]?.advantage);
      }
    }
  });

  it.each([
    [['--group', '3'], /there are 3 groups/],
    [['--group', '0', '--member', '4'], /the group has 4/],
    [['--member', '0'], /Add --group/],
    [['--group', '0', '--store', 'eval'], /Choose one with --store: train/],
    [['--iteration', '1'], /iteration 1: no episodes of it are stored\. No iteration has any/],
    [['--iteration', '0'], /--iteration/],
  ])('refuses %j', async (words, message) => {
    const { code, err } = await cairn(['inspect', run, ...words]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) as string });
  });
});

describe('cairn-gym export', () => {
  const exported = (...words: readonly string[]): Promise<Ran> => cairn(['export', run, ...words]);

  it('writes the learning curve as CSV', async () => {
    expect((await exported('--format', 'csv')).out).toBe(
      'kind,iteration,environmentSteps,episodes,success,update/loss\r\niteration,1,100,12,0.25,-0.5\r\niteration,2,200,24,0.5,-1\r\n',
    );
  });

  it('writes every step and every episode', async () => {
    const steps = groups.flatMap(({ members }) => members.flatMap((member) => member.steps)).length;
    expect((await exported('--what', 'steps')).out.trimEnd().split('\n')).toHaveLength(steps);
    const lines = (await exported('--what', 'episodes')).out.trimEnd().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      env: 'lights-out-v1',
      panel: 'train',
      task: 0,
      agent: 'random',
    });
    expect(lines).toHaveLength(12);
  });

  it('writes TensorBoard events, and refuses what that format cannot hold', async () => {
    const { file } = z
      .object({ file: z.string() })
      .parse(await document('export', run, '--format', 'tensorboard', '--out', path.join(folder, 'events')));
    expect((await readFile(file)).includes('update/loss')).toBe(true);
    expect((await exported('--format', 'tensorboard')).err).toMatch(/Name a folder with --out/);
    expect((await exported('--format', 'csv', '--what', 'steps')).err).toMatch(
      /steps cannot be exported in that format/,
    );
    expect((await exported('--store', 'train')).err).toMatch(/metrics are not stored as/);
    expect((await exported('--out', 'curve.csv')).err).toMatch(/the name is that of a CSV file/);
    expect((await exported('--format', 'csv', '--json')).err).toMatch(
      /stdout has one JSON document, which cannot contain CSV/,
    );
  });

  it('puts all rows into the document under --json, and overwrites no file', async () => {
    expect(z.object({ rows: z.array(z.unknown()) }).parse(await document('export', run)).rows).toHaveLength(
      2,
    );
    const file = path.join(folder, 'curve.jsonl');
    expect(await document('export', run, '--out', file)).toEqual({ file });
    expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(3);
    const again = await exported('--out', file);
    expect({ code: again.code, err: again.err }).toEqual({
      code: 2,
      err: expect.stringMatching(/curve\.jsonl: it exists already, and nothing is overwritten/) as string,
    });
  });
});

describe('cairn-gym report', () => {
  it('writes the page and prints its path', async () => {
    expect(await document('report', run)).toEqual({ report: path.join(run, 'report.html') });
    expect(await readFile(path.join(run, 'report.html'), 'utf8')).toContain('<html');
  });

  it('refuses a folder that is no run', async () => {
    await writeFile(path.join(folder, 'config.json'), '{}');
    for (const command of ['report', 'inspect', 'export']) {
      const { code, err } = await cairn([command, folder]);
      expect({ code, err }).toEqual({
        code: 2,
        err: expect.stringMatching(/that `cairn-gym train` made/) as string,
      });
    }
  });
});
