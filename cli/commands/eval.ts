import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import type { Outcome, CommandContext } from '../command.ts';
import { defineCommand } from '../program/define-command.ts';
import { defaultPanel } from '../../lab/evaluate/default-panel.ts';
import { parsePlayer, playerWords } from '../../lab/players/parse-player.ts';
import type { EvaluationCommand } from '../evaluation/evaluation.ts';
import { assertAttemptOptions, attemptFlags, attemptOptions } from '../evaluation/attempt-options.ts';
import { evaluationFlags, evaluationOptions } from '../evaluation/options.ts';
import { envArgument } from '../options/named-env.ts';
import { assertNew, writeNew } from '../options/new-file.ts';

const options = z.strictObject({
  ...evaluationOptions,
  ...attemptOptions,
  agent: z.string().optional(),
  run: z.string().optional(),
  out: z.string().min(1, 'must be a file').optional(),
});

export const evalCommand = defineCommand({
  arguments: [{ ...envArgument, required: false }],
  flags: [
    { flags: '--agent <name>', says: playerWords },
    { flags: '--run <folder>', says: "the policy of a run, with the run's environment and config" },
    { flags: '--out <file>', says: 'write the whole result there, for `cairn-gym compare`' },
    ...attemptFlags,
    ...evaluationFlags,
  ],
  examples: [
    { line: 'npx cairn-gym eval household --agent searcher', says: 'the ceiling on the dev panel' },
    {
      line: 'npx cairn-gym eval --run runs/first --checkpoint best --out first.json',
      says: 'a trained policy',
    },
    { line: 'npx cairn-gym eval household --agent random --tasks 32 --json', says: 'output for a program' },
    {
      line: 'npx cairn-gym eval household --agent openai:Qwen/Qwen3-8B@http://localhost:8000/v1 --keep qwen',
      says: 'a language model behind any OpenAI-compatible server',
    },
    {
      line: 'npx cairn-gym eval sql --agent openai:Qwen/Qwen3-8B@http://localhost:8000/v1 --attempts 5 --feedback scripted',
      says: 'success within 1 to 5 turns, without feedback and with it',
    },
  ],
  options,
  run: evaluateOne,
});

async function evaluateOne(chosen: z.output<typeof options>, session: CommandContext): Promise<Outcome> {
  const { agent, run, out } = chosen;
  if ((agent === undefined) === (run === undefined)) {
    const what = agent === undefined ? 'no player is named.' : 'two players are named.';
    throw new UsageError({
      where: 'cairn-gym eval',
      what,
      fix: `Give --agent (${playerWords}), or --run FOLDER.`,
    });
  }
  assertAttemptOptions(chosen);
  if (out !== undefined) await assertNew(out);
  const { withNamedEvaluation } = await import('../evaluation/evaluation.ts');
  const { refuseResults } = await import('../../lab/evaluate/unmeasured.ts');
  const { renderTable } = await import('../../trainers/results/table.ts');
  const spec =
    run === undefined
      ? parsePlayer(agent ?? '', {
          where: 'cairn-gym eval, --agent',
          log: (line) => session.progress.say(line),
        })
      : ({ kind: 'run', folder: run } as const);
  const command: EvaluationCommand = {
    players: [{ spec }],
    presetPanel: (panels, preset) =>
      defaultPanel(panels, {
        usual: 'dev',
        names: preset.panels,
        purposes: ['dev', 'held-out'],
        say: (line) => session.progress.say(line),
      }),
  };
  if (chosen.attempts !== undefined) {
    const { evaluateAttempts } = await import('../evaluation/attempts.ts');
    return evaluateAttempts(command, chosen, session);
  }
  return withNamedEvaluation(command, chosen, session, async ({ players: [player], play, plan }) => {
    if (chosen.dryRun || player === undefined)
      return { document: plan, lines: [JSON.stringify(plan, undefined, 2)] };
    const { result, mishap: unkept } = await play(player);
    const written =
      out === undefined
        ? undefined
        : await writeNew(out, `${JSON.stringify(result)}\n`).catch((thrown: unknown) => thrown);
    const mishap = written ?? unkept ?? refuseResults([result]);
    return {
      document: result,
      lines: [renderTable([result], { bold: session.terminal.out.decorated, explained: true })],
      ...(mishap === undefined ? {} : { mishap }),
    };
  });
}
