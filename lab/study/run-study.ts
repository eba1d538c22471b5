import { access, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, UsageError } from '../../envs/core/errors.ts';
import { canonicalJson } from '../../envs/core/json.ts';
import { writeFileAtomically } from '../../files/atomic-write.ts';
import { configName } from '../../trainers/run/run-document.ts';
import { readTrainedRun } from '../compare/trained-run.ts';
import { runsOf, type StudyPlan, type StudyRun } from './study-file.ts';

/** How a study trains. */
export interface StudyOptions {
  /** Holds a folder for each run, `VARIANT-SEED`. */
  readonly folder: string;
  /** Trainings at once, each in a process of its own. */
  readonly jobs: number;
  /** Runs `cairn-gym train` with these words; rejects where it fails. */
  readonly train: (words: readonly string[]) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Trains every variant with every seed. A run that is finished is not trained again, and one that was interrupted is resumed.
 * @returns the folders of each variant's runs, by seed
 * @throws UsageError where a folder holds a run with another config; what a training throws, when no other training is under way
 */
export async function runStudy(
  plan: StudyPlan,
  options: StudyOptions,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const { folder, jobs, signal, onProgress } = options;
  const runs = runsOf(plan);
  await mkdir(join(folder, 'configs'), { recursive: true });
  const left = [...runs];
  let done = 0;
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      signal.throwIfAborted();
      onProgress?.(done, runs.length);
      await trainOne(plan, next, options);
      done += 1;
    }
  };
  const guarded = (): Promise<void> =>
    work().catch((error: unknown) => {
      failures.push(error);
      left.splice(0);
    });
  await Promise.all(Array.from({ length: Math.min(jobs, runs.length) }, guarded));
  if (failures.length > 0) throw failures[0];
  onProgress?.(done, runs.length);
  return Object.fromEntries(
    Object.keys(plan.variants).map((variant) => [
      variant,
      plan.seeds.map((seed) => folderOf(folder, { variant, seed })),
    ]),
  );
}

const folderOf = (folder: string, { variant, seed }: Pick<StudyRun, 'variant' | 'seed'>): string =>
  join(folder, `${variant}-${seed}`);

async function trainOne(
  { env, complete }: StudyPlan,
  run: StudyRun,
  { folder, train }: StudyOptions,
): Promise<void> {
  const place = folderOf(folder, run);
  const config = join(folder, 'configs', `${run.variant}-${run.seed}.json`);
  const isStarted = await exists(join(place, configName));
  const settings = { env, ...run.config };
  await keepConfig(config, complete ? { format: 'cairn-run', config: settings } : settings, isStarted);
  if (!isStarted) return train(['train', env, '--config', config, '--run', place]);
  if (!(await isFinished(place))) await train(['train', '--resume', place]);
}

/** The config that a run is trained with is written once: a study that was changed since goes into another folder. */
async function keepConfig(file: string, config: StudyRun['config'], isStarted: boolean): Promise<void> {
  const text = `${canonicalJson(JSON.parse(JSON.stringify(config)))}\n`;
  const before = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (before === text) return;
  if (before === undefined || !isStarted) return writeFileAtomically(file, text);
  throw new UsageError({
    where: file,
    what: 'the study has other settings for this run than those it was started with.',
    fix: 'Name another folder with --folder, or delete this one.',
  });
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

const isFinished = (folder: string): Promise<boolean> =>
  readTrainedRun(folder).then(
    () => true,
    (error: unknown) => {
      if (UsageError.is(error)) return false;
      throw error;
    },
  );
