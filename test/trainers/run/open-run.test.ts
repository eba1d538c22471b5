import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RunError, UsageError } from '../../../envs/core/errors.ts';
import { findCheckpoint, markBest, readBest } from '../../../trainers/run/checkpoint-store.ts';
import type { MetricsLine } from '../../../trainers/run/metrics-schema.ts';
import { createRun, resumeRun, type RunFolder } from '../../../trainers/run/open-run.ts';
import { readCheckpoint } from '../../../trainers/run/read-checkpoint.ts';
import { readRunDocument } from '../../../trainers/run/run-document.ts';
import { fingerprint, makeRunFacts, temporaryFolder } from './make-run.ts';

const lineOf = (iteration: number): MetricsLine => ({
  kind: 'iteration',
  iteration,
  environmentSteps: iteration,
  episodes: iteration,
  figures: { 'update/kl': 1 / iteration },
});

async function play(run: RunFolder, from: number, to: number): Promise<void> {
  for (let iteration = from; iteration <= to; iteration += 1) {
    await run.metrics.append(lineOf(iteration));
    await run.timings.append({ kind: 'iteration', iteration, seconds: 1, phases: { rollout: 0.5 } });
    if (iteration % 2 === 0) {
      await run.saveCheckpoint(`iteration-${iteration}`, {
        facts: { iteration, seed: 3, counters: { episodes: iteration }, states: {}, trajectories: {} },
        fill: async (folder) => writeFileSync(join(folder, 'weights'), String(iteration)),
      });
    }
  }
}

describe('createRun', () => {
  it('makes the folder with its config and locks it', async () => {
    using root = temporaryFolder();
    const folder = join(root.path, 'runs', 'first');
    const run = await createRun(folder, makeRunFacts());
    expect(readdirSync(folder).toSorted()).toEqual([
      'checkpoints',
      'config.json',
      'lock',
      'metrics.jsonl',
      'results',
      'timings.jsonl',
      'trajectories',
    ]);
    expect(await readRunDocument(folder)).toEqual({ format: 'cairn-run', schema: 1, ...makeRunFacts() });
    await expect(resumeRun(folder)).rejects.toThrow(/is writing there/);
    await run.close();
    await run.close();
    await (await resumeRun(folder)).close();
    expect(readdirSync(folder)).not.toContain('lock');
  });

  it('leaves nothing when the disk is full', async () => {
    using root = temporaryFolder();
    symlinkSync('/dev/full', join(root.path, '.config.json.part')); // a real disk that is always full
    const error: unknown = await createRun(root.path, makeRunFacts()).catch((thrown: unknown) => thrown);
    expect(RunError.is(error)).toBe(true);
    expect(String(error)).toContain('is full. Free some space');
    expect(readdirSync(root.path)).toEqual([]);
  });

  it('removes the folders it made when the run cannot start', async () => {
    using root = temporaryFolder();
    mkdirSync(join(root.path, 'there'));
    await expect(createRun(join(root.path, 'there', 'a', 'b'.repeat(300)), makeRunFacts())).rejects.toThrow(
      /no folder can be created there \(ENAMETOOLONG/,
    );
    expect(readdirSync(join(root.path, 'there'))).toEqual([]);
  });

  it('overwrites nothing', async () => {
    using root = temporaryFolder();
    await (await createRun(join(root.path, 'run'), makeRunFacts())).close();
    await expect(createRun(join(root.path, 'run'), makeRunFacts())).rejects.toThrow(
      /it contains a run already\. Resume that run/,
    );
    mkdirSync(join(root.path, 'notes'));
    writeFileSync(join(root.path, 'notes', 'mine.txt'), 'mine');
    writeFileSync(join(root.path, 'notes', '.mine.part'), 'mine too');
    await expect(createRun(join(root.path, 'notes'), makeRunFacts())).rejects.toThrow(
      /it is not empty: it contains \.mine\.part, mine\.txt/,
    );
    expect(readdirSync(join(root.path, 'notes'))).toEqual(['.mine.part', 'mine.txt']);
  });

  it('ignores a leftover of a run that died before it started', async () => {
    using root = temporaryFolder();
    writeFileSync(join(root.path, '.config.json.part'), '{"form');
    await (await createRun(root.path, makeRunFacts())).close();
    expect(readdirSync(root.path)).not.toContain('.config.json.part');
  });
});

describe('resumeRun', () => {
  it('writes from a checkpoint the same bytes as an uninterrupted run', async () => {
    using root = temporaryFolder();
    const [straight, stopped] = [join(root.path, 'straight'), join(root.path, 'stopped')];
    {
      await using run = await createRun(straight, makeRunFacts());
      await play(run, 1, 6);
    }
    {
      await using run = await createRun(stopped, makeRunFacts());
      await play(run, 1, 5); // the last checkpoint is that of iteration 4
    }
    {
      await using run = await resumeRun(stopped);
      const last = await findCheckpoint(run.paths.checkpoints, 'last');
      const manifest = await readCheckpoint(last.folder, {
        configDigest: run.configDigest,
        panels: { dev: fingerprint },
      });
      await run.rewindTo(manifest);
      await play(run, manifest.iteration + 1, 6);
    }
    for (const name of [
      'config.json',
      'metrics.jsonl',
      'timings.jsonl',
      'checkpoints/iteration-6/checkpoint.json',
    ]) {
      expect(readFileSync(join(stopped, name), 'utf8'), name).toBe(
        readFileSync(join(straight, name), 'utf8'),
      );
    }
  });

  it('discards later checkpoints when it resumes from an earlier one', async () => {
    using root = temporaryFolder();
    await using run = await createRun(join(root.path, 'run'), makeRunFacts());
    await play(run, 1, 6);
    const { checkpoints } = run.paths;
    await markBest(checkpoints, { name: 'iteration-6', panel: 'dev', fingerprint, rate: 1 });
    await run.rewindTo((await findCheckpoint(checkpoints, 'iteration-2')).manifest);
    expect((await findCheckpoint(checkpoints, 'last')).name).toBe('iteration-2');
    expect(await readBest(checkpoints)).toBeUndefined();
    await play(run, 3, 4);
    expect((await findCheckpoint(checkpoints, 'last')).manifest.logs.metrics).toBe(run.metrics.offset);
  });

  it('starts the logs again without a checkpoint', async () => {
    using root = temporaryFolder();
    const folder = join(root.path, 'run');
    {
      await using run = await createRun(folder, makeRunFacts());
      await play(run, 1, 1);
    }
    await using run = await resumeRun(folder);
    await run.rewindTo();
    expect(run.metrics.offset).toBe(0);
    expect(readFileSync(run.paths.metrics, 'utf8')).toBe('');
  });

  it('cleans up what a killed writer left', async () => {
    using root = temporaryFolder();
    const folder = join(root.path, 'run');
    await (await createRun(folder, makeRunFacts())).close();
    mkdirSync(join(folder, 'checkpoints', '.iteration-2.part'));
    writeFileSync(join(folder, '.report.html.part'), '<html>');
    writeFileSync(join(folder, 'results', '.final.json.part'), '{');
    writeFileSync(join(folder, 'metrics.jsonl'), `${JSON.stringify(lineOf(1))}\n{"kind":"iter`);
    await using run = await resumeRun(folder);
    expect(run.metrics.offset).toBe(`${JSON.stringify(lineOf(1))}\n`.length);
    expect(readdirSync(run.paths.checkpoints)).toEqual([]);
    expect(readdirSync(run.paths.results)).toEqual([]);
    expect(readdirSync(folder)).not.toContain('.report.html.part');
  });

  it.each([
    ['an empty folder', undefined, /there is no run here/],
    ['a broken config', '{', /it is damaged: /],
    ['a config of another program', '{"learningRate":1}', /it is not that of a run/],
    [
      'a run of a newer version',
      '{"format":"cairn-run","schema":7}',
      /the run has format 7; this version reads up to 1/,
    ],
    ['a damaged config', '{"format":"cairn-run","schema":1}', /it is damaged: versions/],
  ])('refuses %s', async (_, content, message) => {
    using root = temporaryFolder();
    if (content !== undefined) writeFileSync(join(root.path, 'config.json'), content);
    const error: unknown = await resumeRun(root.path).catch((thrown: unknown) => thrown);
    expect(UsageError.is(error)).toBe(true);
    expect(String(error)).toMatch(message);
    expect(readdirSync(root.path)).not.toContain('lock');
  });
});
