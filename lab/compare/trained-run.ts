import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import { isPolicy, type EvaluationResult } from '../../trainers/results/result.ts';
import { finalName } from '../../trainers/run/checkpoint-names.ts';
import { findChangedFiles, userFilesOf } from '../../trainers/run/user-files.ts';
import { lineageOf, readSettings } from '../../trainers/run/lineage.ts';
import { damageOf, readRun, type RunContent } from '../read/read-run.ts';
import type { Member } from './side.ts';

/** Which of a run's results is meant. */
export interface ResultChoice {
  /** The first of its final panels unless named. */
  readonly panel?: string | undefined;
  /** As the run evaluates on `dev` unless named. */
  readonly decoding?: 'sampled' | 'greedy' | undefined;
}

const configSchema = z.looseObject({
  seed: z.int(),
  iterations: z.int().min(0),
  finalPanels: z.array(z.string()).default([]),
  evaluation: z.looseObject({ decoding: z.enum(['sampled', 'greedy']) }),
});

/** A run whose final checkpoint has played a held-out panel, with the result that its folder holds: nothing is played again. */
export async function readTrainedRun(folder: string, wanted: ResultChoice = {}): Promise<Member> {
  const run = await readRun(folder);
  const parsed = configSchema.safeParse(run.document.config);
  if (!parsed.success) {
    throw new UsageError({
      where: `config of ${folder}`,
      what: `it is not that of a training run: ${describeIssues(parsed.error)}.`,
      fix: 'Give the folder of a run that `cairn-gym train` made.',
    });
  }
  const { seed, iterations } = parsed.data;
  const checkpoint = finalName(iterations);
  const result = chooseResult(folder, run, { ...wanted, checkpoint, config: parsed.data });
  const training = lineageOf(run.document, { name: run.name, seed, checkpoint, iteration: iterations });
  return {
    where: folder,
    name: run.name,
    result: { ...result, training },
    settings: readSettings(run.document, `config of ${folder}`),
    versions: run.document.versions,
    evaluations: run.metrics.filter((line) => line.kind === 'evaluation'),
    notes: [
      ...damageOf(run),
      ...(await findChangedFiles(userFilesOf(run.document))).map(({ what }) => `${folder}: ${what}`),
    ],
  };
}

interface Choice extends ResultChoice {
  readonly checkpoint: string;
  readonly config: z.output<typeof configSchema>;
}

function chooseResult(
  folder: string,
  { results }: Pick<RunContent, 'results'>,
  { panel, decoding, checkpoint, config }: Choice,
): EvaluationResult {
  const final = results.filter(({ shown }) => shown.checkpoint === checkpoint && isPolicy(shown));
  const panels = [...config.finalPanels, ...final.map((result) => result.panel.name)];
  const name = panel ?? panels.find((each) => final.some((result) => result.panel.name === each));
  const kind = decoding ?? config.evaluation.decoding;
  const chosen = final.find((result) => result.panel.name === name && result.shown.decoding.kind === kind);
  if (chosen !== undefined) return chosen;
  const there = final.map((result) => `${result.panel.name} ${result.shown.decoding.kind}`);
  throw new UsageError({
    where: folder,
    what: `it holds no result of its final checkpoint, ${checkpoint},${name === undefined ? '' : ` on ${name},`} ${kind}${there.length === 0 ? '' : `; it holds ${there.join(', ')}`}.`,
    fix:
      there.length > 0
        ? 'Name a --panel and a --decoding that it holds.'
        : `Let it come to its end (\`npx cairn-gym train --resume ${folder}\`), or evaluate it (\`npx cairn-gym eval --run ${folder} --out FILE\`) and name that file.`,
  });
}
