import { merge } from '../../envs/core/config-tree.ts';
import { retryAnyEnv } from '../../envs/retry/retry.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { openaiExample, openaiKind } from '../../lab/players/kinds/openai.ts';
import type { ChosenEnv } from '../../lab/evaluate/choose-env.ts';
import { summariseAttempts } from '../../trainers/results/attempts.ts';
import { attemptLines } from '../../trainers/results/attempts-table.ts';
import type { EvaluationResult } from '../../trainers/results/result.ts';
import { renderTable } from '../../trainers/results/table.ts';
import type { CommandContext, Outcome } from '../command.ts';
import { writeNew } from '../options/new-file.ts';
import type { AttemptOptions } from './attempt-options.ts';
import { prepareEvaluation, type EvaluationCommand, type PreparedEvaluation } from './evaluation.ts';
import type { EvaluationOptions } from './options.ts';

/** Plays the tasks without feedback, then with it where it is asked for, and prints success over turns. */
export async function evaluateAttempts(
  command: EvaluationCommand,
  chosen: EvaluationOptions & AttemptOptions & { readonly out?: string | undefined },
  session: CommandContext,
): Promise<Outcome> {
  const { attempts: turns = 1, proposals = turns, feedback, feedbackKeyEnv } = chosen;
  const prepared = await prepareEvaluation(command, chosen, session);
  const variant = (name: string, retry: object) => ({
    change: (env: ChosenEnv) => retried(env, { turns, attempts: Math.min(turns, proposals), ...retry }),
    keep: name,
  });
  const without = variant('without-feedback', {});
  const withIt =
    feedback === undefined
      ? undefined
      : variant('with-feedback', {
          feedback: feedbackFrom(feedback, feedbackKeyEnv),
        });
  const variants = [without, ...(withIt === undefined ? [] : [withIt])];
  if (chosen.dryRun) {
    const plans = await inTurn(variants, (each) => prepared.open(({ plan }) => Promise.resolve(plan), each));
    const plan = { dryRun: true, attempts: turns, variants: plans };
    return { document: plan, lines: [JSON.stringify(plan, undefined, 2)] };
  }
  const played = await inTurn(variants, (each) => playOne(prepared, each));
  const [first, second] = played;
  if (first === undefined) throw new RangeError('an evaluation plays at least once');
  const report = summariseAttempts({
    turns,
    attempts: Math.min(turns, proposals),
    without: first.result,
    withFeedback:
      second === undefined || feedback === undefined ? undefined : { feedback, result: second.result },
  });
  const document = {
    results: [first.result],
    ...(second === undefined ? {} : { resultsWithFeedback: [second.result] }),
    attempts: report,
  };
  const written =
    chosen.out === undefined
      ? undefined
      : await writeNew(chosen.out, `${JSON.stringify(document)}\n`).catch((thrown: unknown) => thrown);
  const { refuseResults } = await import('../../lab/evaluate/unmeasured.ts');
  const mishap =
    written ?? first.mishap ?? second?.mishap ?? refuseResults(played.map(({ result }) => result));
  const bold = session.terminal.out.decorated;
  return {
    document,
    lines: [
      ...played.map(({ result }) => renderTable([result], { bold, explained: true })),
      ...attemptLines(report, first.result.agent, bold),
    ],
    ...(mishap === undefined ? {} : { mishap }),
  };
}

/** The env as one whose tasks may be tried again, without discount and penalty. */
function retried({ definition, envConfig }: ChosenEnv, retry: object): ChosenEnv {
  return {
    definition: retryAnyEnv(definition),
    envConfig: merge(envConfig, { retry: { discount: 1, repeatPenalty: 0, ...retry } }),
  };
}

/** `--feedback` as the config has it. */
function feedbackFrom(feedback: string, keyName: string | undefined): object | string {
  if (feedback === 'scripted') return feedback;
  const spec = openaiKind.parse(feedback, `--feedback ${feedback}`);
  if (spec === undefined)
    throw new UsageError({
      where: `--feedback ${feedback}`,
      what: 'nobody has that name.',
      fix: `It is scripted, or a model, such as ${openaiExample}.`,
    });
  return { url: spec.url, model: spec.model, ...(keyName === undefined ? {} : { keyName }) };
}

async function inTurn<T, Result>(
  items: readonly T[],
  use: (item: T) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await use(item));
  return results;
}

const playOne = (
  prepared: PreparedEvaluation,
  variant: Parameters<PreparedEvaluation['open']>[1],
): Promise<{ readonly result: EvaluationResult; readonly mishap: unknown }> =>
  prepared.open(async ({ players: [player], play }) => {
    if (player === undefined) throw new RangeError('an evaluation has a player');
    return play(player);
  }, variant);
