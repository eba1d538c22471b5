import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import { merge, type Tree } from '../../envs/core/config-tree.ts';
import { readUserFile } from '../../envs/core/user-file.ts';

const settings = z.record(z.string(), z.json());

const studySchema = z.strictObject({
  $schema: z.string().optional(),
  env: z.string().min(1).describe('the environment that every run trains on'),
  complete: z
    .boolean()
    .default(false)
    .describe('the settings are a complete config, as of a run, and no recipe is laid under them'),
  settings: settings.default({}).describe('training config of every run'),
  variants: z
    .record(
      z.string().regex(/^[\w.+-]{1,60}$/, 'a name of letters, digits and . _ + - is expected'),
      settings,
    )
    .describe('what each method adds to the settings, by its name'),
  seeds: z.array(z.int().min(0)).min(1).default([0, 1, 2, 3, 4]).describe('a run for each variant and seed'),
});

/** What is trained and compared: variants of one training config, each with the same seeds. */
export type StudyPlan = Readonly<Omit<z.output<typeof studySchema>, '$schema'>>;

/** One training of a study. */
export interface StudyRun {
  readonly variant: string;
  readonly seed: number;
  /** The training config as `cairn-gym train --config` takes it. */
  readonly config: Tree;
}

/**
 * Reads a study: a JSON file with `env`, `settings`, `variants` and `seeds`.
 * @throws UsageError for a file that cannot be read, and for one with fewer than one variant or a seed that comes twice
 */
export async function readStudy(file: string): Promise<StudyPlan> {
  const refusal = (what: string): UsageError =>
    new UsageError({
      where: `study ${file}`,
      what: `${what}.`,
      fix: 'Write {"env": "household", "variants": {"gigpo": {}, "grpo": {"credit": {"kind": "grpo"}}}, "seeds": [0, 1, 2]}.',
    });
  const text = await readUserFile(file, { where: `study ${file}`, fix: 'Name a JSON file.' });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal('it is not JSON');
  }
  const parsed = studySchema.safeParse(value);
  if (!parsed.success) throw refusal(describeIssues(parsed.error));
  const { $schema: _schema, ...plan } = parsed.data;
  if (Object.keys(plan.variants).length === 0) throw refusal('variants: it names none');
  if (new Set(plan.seeds).size < plan.seeds.length) throw refusal('seeds: one comes twice');
  return plan;
}

/** All runs of a study, seed by seed, so that a study that is cut short has every variant of some seeds. */
export const runsOf = ({ settings: shared, variants, seeds }: StudyPlan): readonly StudyRun[] =>
  seeds.flatMap((seed) =>
    Object.entries(variants).map(([variant, own]) => ({
      variant,
      seed,
      config: merge(merge(shared, own), { seed }),
    })),
  );
