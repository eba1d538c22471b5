import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { canonicalJson } from '../../envs/core/json.ts';
import { readStoredRun, type StoredRun, type StudyRun } from './stored-run.ts';
import { trainRun } from './train-run.ts';

/** What is compared, and how it is summed up. */
export interface Study {
  readonly recipe: string;
  /** Recipes that `--recipe` may name in its place. */
  readonly otherRecipes?: readonly string[];
  /** What each variant adds to `cairn train RECIPE`. */
  readonly variants: Readonly<Record<string, readonly string[]>>;
  /** What all of them add. */
  readonly flags: readonly string[];
  /** What is done before a training, and what that adds to it. */
  readonly begin?: (run: StudyRun, recipe: string) => Promise<readonly string[]>;
  /** What is done first whole, so that a study that is cut short has all variants of some seeds, or all seeds of some variants. */
  readonly wholeFirst: 'seeds' | 'variants';
  /** What the summary says before its variants. */
  readonly head: (made: StudyMade) => Readonly<Record<string, unknown>>;
  /** What the runs of one variant come to, in the order of their seeds. */
  readonly summarise: (runs: readonly StoredRun[]) => unknown;
}

/** When, where and how a study was made. */
export interface StudyMade {
  readonly date: string;
  /** Of the trainings, which may have been made earlier. */
  readonly commit: string;
  readonly node: string;
  readonly cores: number;
  readonly recipe: string;
  /** The words of its command line, including defaults. */
  readonly words: string;
}

/**
 * Trains every variant with every seed, several at once, and prints the summary, which goes into a file as well where `--out` names one.
 * Runs that are there already, whole, are read and not done again.
 */
export async function runStudy(study: Study): Promise<void> {
  const { variants } = study;
  const { values } = parseArgs({
    options: {
      recipe: { type: 'string', default: study.recipe },
      seeds: { type: 'string', default: '5' },
      'first-seed': { type: 'string', default: '0' },
      jobs: { type: 'string', default: '2' },
      folder: { type: 'string' },
      variants: { type: 'string', default: Object.keys(variants).join(',') },
      set: { type: 'string', multiple: true, default: [] },
      out: { type: 'string' },
    },
  });
  const { recipe, folder = path.join('runs', `study-${recipe}`) } = values;
  const recipes = [study.recipe, ...(study.otherRecipes ?? [])];
  if (!recipes.includes(recipe)) throw new Error(`no recipe ${recipe}; there are ${recipes.join(', ')}`);
  const chosen = values.variants.split(',');
  const unknown = chosen.filter((variant) => variants[variant] === undefined);
  if (unknown.length > 0)
    throw new Error(`no variant ${unknown.join(', ')}; there are ${Object.keys(variants).join(', ')}`);
  const seeds = Array.from({ length: Number(values.seeds) }, (_, at) => Number(values['first-seed']) + at);
  await mkdir(folder, { recursive: true });
  const runOf = (variant: string, seed: number): StudyRun => ({
    variant,
    seed,
    folder: path.join(folder, `${variant}-${seed}`),
  });
  const queue =
    study.wholeFirst === 'seeds'
      ? seeds.flatMap((seed) => chosen.map((variant) => runOf(variant, seed)))
      : chosen.flatMap((variant) => seeds.map((seed) => runOf(variant, seed)));
  const flags = [...study.flags, ...values.set.flatMap((pair) => ['--set', pair])];
  const runs = await doRuns({ ...study, recipe, flags }, queue, Number(values.jobs));
  const made: StudyMade = {
    date: new Date().toISOString().slice(0, 10),
    commit: [...new Set(runs.map(({ usage }) => usage?.commit ?? 'unknown'))].join(', '),
    node: process.version,
    cores: availableParallelism(),
    recipe,
    words: `${recipe === study.recipe ? '' : `--recipe ${recipe} `}${values.set.map((pair) => `--set ${pair} `).join('')}--seeds ${values.seeds} --first-seed ${values['first-seed']} --jobs ${values.jobs} --variants ${values.variants}`,
  };
  const summed = chosen.map(
    (name) => [name, study.summarise(runs.filter(({ variant }) => variant === name))] as const,
  );
  for (const name of chosen) assertAlike(runs.filter(({ variant }) => variant === name));
  const settings = runs.find(({ variant }) => variant === chosen[0])?.settings; // a test detects a changed recipe
  const summary = `${JSON.stringify({ ...study.head(made), settings, variants: Object.fromEntries(summed) }, undefined, 2)}\n`;
  if (values.out !== undefined) await writeFile(values.out, summary);
  process.stdout.write(summary);
}

/** Runs that were there already may have been made with other settings: they are another study's. */
function assertAlike([first, ...others]: readonly StoredRun[]): void {
  const other = others.find(({ settings }) => canonicalJson(settings) !== canonicalJson(first?.settings));
  if (other !== undefined)
    throw new Error(
      `${other.folder} was trained with other settings than ${first?.folder}: remove the older one and run the study again`,
    );
}

/** Whether a training has ended: it removes its lock after its last result. */
async function isWhole(folder: string): Promise<boolean> {
  const results = await readdir(path.join(folder, 'results')).catch(() => []);
  return results.length > 0 && !existsSync(path.join(folder, 'lock'));
}

/** Does what is not done yet, so many at once. */
async function doRuns(
  { recipe, variants, flags, begin = async () => [] }: Study,
  queue: readonly StudyRun[],
  atOnce: number,
): Promise<readonly StoredRun[]> {
  const left = [...queue];
  const done: StoredRun[] = [];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      if (!(await isWhole(next.folder)))
        await trainRun(recipe, next, [
          ...flags,
          ...(variants[next.variant] ?? []),
          ...(await begin(next, recipe)),
        ]);
      const run = await readStoredRun(next);
      done.push(run);
      process.stderr.write(
        `${run.variant} seed ${run.seed}: ${run.results.map(({ agent, success }) => `${agent} ${success.rate}`).join(', ')}\n`,
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return done.toSorted((a, b) => a.seed - b.seed);
}
