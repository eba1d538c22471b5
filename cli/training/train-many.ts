import { existsSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { isTree } from '../../envs/core/config-tree.ts';
import type { Registry } from '../../envs/core/registry.ts';
import { writeStudy } from '../../lab/study/keep-study.ts';
import { runStudy } from '../../lab/study/run-study.ts';
import { readStudy, type StudyPlan } from '../../lab/study/study-file.ts';
import { studyName } from '../../lab/read/study-name.ts';
import { assertRunCanBegin } from '../../trainers/run/open-run.ts';
import type { CommandContext, Outcome } from '../command.ts';
import type { TrainOptions } from './options.ts';
import { ownSettings, resolveTraining } from './resolve-config.ts';
import { readSeeds, readSweep } from './sweep.ts';
import { trainInChild } from './train-child.ts';

/** Several trainings, planned but not started. */
export interface ManyTrainings {
  readonly plan: StudyPlan;
  readonly folder: string;
}

/**
 * Plans a training for each variant and seed, and validates all configs before the first one starts.
 * @param folder where none is named
 */
export async function planMany(
  options: TrainOptions,
  registry: Registry<readonly AnyEnvDefinition[]>,
  folder: (env: string) => string,
): Promise<ManyTrainings> {
  if (options.resume !== undefined)
    return { plan: await readStudy(join(options.resume, studyName)), folder: options.resume };
  refuseTogether(options);
  const swept = readSweep(options.sweep ?? []);
  const given = options.seeds === undefined ? undefined : readSeeds(options.seeds);
  const variants: Record<string, StudyPlan['variants'][string]> = {};
  const seeds = new Set<number>(given);
  let [env, isComplete] = ['', false];
  for (const { name, assignments } of swept) {
    const own = { ...options, with: [...options.with, ...assignments] };
    const { definition, config } = await resolveTraining(own, registry);
    const { whole, tree } = await ownSettings(own);
    [env, isComplete] = [definition.id, whole];
    if (given === undefined) seeds.add(config.seed);
    const {
      env: _env,
      seed: _seed,
      ...settings
    } = JSON.parse(JSON.stringify(tree)) as StudyPlan['variants'][string];
    variants[name === '' ? methodOf(config.credit) : name] = settings;
  }
  const plan: StudyPlan = { env, complete: isComplete, settings: {}, variants, seeds: [...seeds] };
  return { plan, folder: options.run ?? folder(env) };
}

/** Compares the sides that words name, as `cairn-gym compare` does. */
type Compare = (words: readonly string[]) => Promise<Outcome>;

/** Trains what is missing in processes of their own, then compares the variants over their seeds. */
export async function trainMany(
  { plan, folder }: ManyTrainings,
  options: TrainOptions,
  { session, compare }: { readonly session: CommandContext; readonly compare: Compare },
): Promise<Outcome> {
  if (!existsSync(join(folder, studyName))) await assertRunCanBegin(folder);
  await writeStudy(folder, plan);
  session.progress.say(`${options.resume === undefined ? 'writing' : 'going on in'} ${folder}`);
  const others = [
    ...options.envModule.flatMap((file) => ['--env-module', file]),
    ...(options.tensorboard ? ['--tensorboard'] : []),
  ];
  try {
    const folders = await runStudy(plan, {
      folder,
      jobs: options.jobs ?? 1,
      signal: session.signal,
      train: (words) => trainInChild([...words, ...others], session),
      onProgress: (done, total) => session.progress.report({ label: 'trainings', done, total }),
    });
    return await summarise(folders, compare);
  } catch (thrown) {
    if (session.signal.aborted)
      session.progress.say(
        `what was trained is kept; resume with: npx cairn-gym train --resume ${folder}${options.envModule.map((file) => ` --env-module ${file}`).join('')}`,
      );
    throw thrown;
  }
}

async function summarise(
  folders: Readonly<Record<string, readonly string[]>>,
  compare: Compare,
): Promise<Outcome> {
  const runs = Object.values(folders).flat();
  if (runs.length < 2) return { document: { folders }, lines: runs };
  const results = Object.entries(folders).map(([variant, places]) => `${variant}=${places.join(',')}`);
  const compared = await compare(results);
  return isTree(compared.document) ? { ...compared, document: { folders, ...compared.document } } : compared;
}

/** `gigpo`, or the name of the file of the user's own estimator. */
const methodOf = (credit: { readonly kind: string; readonly file?: string | undefined }): string =>
  (credit.file === undefined ? credit.kind : basename(credit.file, extname(credit.file)))
    .replaceAll(/[^\w.+-]+/g, '-')
    .slice(0, 60);

function refuseTogether({ seed, seeds, sweep, forecast }: TrainOptions): void {
  const refuse = (where: string, what: string, fix: string): UsageError =>
    new UsageError({ where: `cairn-gym train, ${where}`, what, fix });
  if (seeds === undefined && sweep === undefined)
    throw refuse('--jobs', 'there is only one training.', 'Name several: --seeds 0..4, or --sweep KEY=A,B.');
  if (seed !== undefined && seeds !== undefined)
    throw refuse('--seed and --seeds', 'both name seeds.', 'Give one of them.');
  if (forecast)
    throw refuse(
      '--forecast',
      'it measures one training.',
      'Leave out --seeds and --sweep to measure one of them.',
    );
}
