import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasEventLog, openEventLog, type EventLogOptions } from '../../../lab/watch/event-log.ts';
import { flattenConfig } from '../../../lab/watch/hyper-parameters.ts';
import type { RecordedMetrics } from '../../../trainers/loop/progress.ts';
import { createRun, resumeRun, type RunFolder } from '../../../trainers/run/open-run.ts';
import { makeRunFacts, temporaryFolder } from '../../trainers/run/make-run.ts';
import { liveConfig, liveRecords } from './live-run.ts';

const golden = new URL('../../golden/report/live/', import.meta.url);

/** A clock that starts in 2027 and advances by a second a look. */
function clock(start: number): () => number {
  let looks = 0;
  return () => 1_800_000_000_000 + 1000 * (start + looks++);
}

const quiet = (wallClock: () => number): EventLogOptions => ({
  config: liveConfig,
  wallClock,
  onFailure: (error) => {
    throw error;
  },
});

async function append(run: RunFolder, records: readonly RecordedMetrics[]): Promise<void> {
  for (const { line, timing } of records) {
    await run.metrics.append(line);
    if (timing !== undefined) await run.timings.append(timing);
  }
}

/** A run that was stopped after iteration 5, and resumed from the checkpoint of iteration 3. */
async function writeInterruptedRun(folder: string): Promise<void> {
  const records = liveRecords(6);
  {
    await using run = await createRun(folder, makeRunFacts());
    const log = await openEventLog(folder, quiet(clock(0)));
    for (const recorded of records.slice(0, 5)) log.record(recorded);
    await append(run, records.slice(0, 5));
    await run.saveCheckpoint('iteration-00003', {
      facts: { iteration: 3, seed: 3, counters: {}, states: {}, trajectories: {} },
      fill: async (into) => mkdirSync(join(into, 'policy')),
    });
    for (const recorded of records.slice(5, 8)) log.record(recorded);
    await append(run, records.slice(5, 8));
    await log.close('interrupted');
  }
  await using run = await resumeRun(folder);
  const log = await openEventLog(folder, quiet(clock(100)));
  for (const recorded of records.slice(5)) log.record(recorded);
  await append(run, records.slice(5));
  await log.close('finished');
}

describe('event files of a running training', () => {
  it('match what TensorBoard read', async () => {
    using root = temporaryFolder();
    const folder = join(root.path, 'run');
    await writeInterruptedRun(folder);
    const names = readdirSync(folder).filter((name) => name.includes('tfevents'));
    expect(names).toEqual(readdirSync(golden).filter((name) => name.includes('tfevents')));
    for (const name of names)
      expect(readFileSync(join(folder, name)).equals(readFileSync(new URL(name, golden))), name).toBe(true);
  });

  it('gave TensorBoard each step once, with its wall time, the config as text and its values', () => {
    const read = JSON.parse(readFileSync(new URL('read.json', golden), 'utf8')) as {
      success: { step: number; wallTime: number }[];
      config: string;
      hparams: Record<string, unknown>;
      status: string;
    };
    expect(read.success.map(({ step }) => step)).toEqual([100, 200, 300, 400, 500, 600]);
    expect(read.success.map(({ wallTime }) => wallTime > 1_800_000_099)).toEqual([
      ...Array.from({ length: 3 }, () => false),
      ...Array.from({ length: 3 }, () => true),
    ]);
    expect(read.config).toContain('"learningRate": 0.001');
    expect(read.hparams).toEqual(flattenConfig(liveConfig));
    expect(read.status).toBe('STATUS_SUCCESS');
  });

  it('appear with the first line only', async () => {
    using root = temporaryFolder();
    const log = await openEventLog(root.path, quiet(clock(0)));
    expect(await hasEventLog(root.path)).toBe(false);
    await log.close('finished');
    expect(readdirSync(root.path)).toEqual([]);
  });

  it('take the next free name where two begin in one second', async () => {
    using root = temporaryFolder();
    for (let index = 0; index < 2; index += 1) {
      const log = await openEventLog(
        root.path,
        quiet(() => 1_800_000_000_500),
      );
      for (const recorded of liveRecords(1)) log.record(recorded);
      await log.close('failed');
    }
    expect(readdirSync(root.path)).toEqual([
      'events.out.tfevents.1800000000.cairn',
      'events.out.tfevents.1800000001.cairn',
    ]);
  });

  it('report a failure once and let the training go on', async () => {
    const failures: unknown[] = [];
    const log = await openEventLog('/nowhere/at/all', {
      config: {},
      wallClock: () => 0,
      onFailure: (error) => void failures.push(error),
    });
    for (const recorded of liveRecords(3)) log.record(recorded);
    await log.close('finished');
    expect(failures.map(String)).toEqual([expect.stringMatching(/\/nowhere\/at\/all/)]);
  });
});

describe('hyperparameters', () => {
  it('list the values of the config by their paths', () => {
    expect(flattenConfig({ a: { b: 1, c: [1, 'x'] }, d: true, e: null, f: undefined, g: 'text' })).toEqual({
      'a.b': 1,
      'a.c': '[1,"x"]',
      d: true,
      g: 'text',
    });
  });
});
