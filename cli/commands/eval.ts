import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import type { Outcome, Session } from '../command.ts';
import { defineCommand } from '../program/define-command.ts';
import { agentWords, parseAgentSpec } from '../evaluation/agent-spec.ts';
import { defaultPanel } from '../evaluation/default-panel.ts';
import type { EvaluationRequest } from '../evaluation/evaluation.ts';
import { evaluationFlags, evaluationOptions } from '../evaluation/options.ts';
import { envArgument } from '../options/named-env.ts';
import { assertNew, writeNew } from '../options/new-file.ts';

const options = z.strictObject({
  ...evaluationOptions,
  agent: z.string().optional(),
  run: z.string().optional(),
  out: z.string().min(1, 'a file is wanted').optional(),
});

export const evalCommand = defineCommand({
  name: 'eval',
  summary: 'play a panel with one agent and sum it up',
  arguments: [{ ...envArgument, required: false }],
  flags: [
    { flags: '--agent <name>', says: `${agentWords}` },
    { flags: '--run <folder>', says: 'the policy of a run; its env and config are those of the run' },
    { flags: '--out <file>', says: 'write the whole result there, for `cairn compare`' },
    ...evaluationFlags,
  ],
  examples: [
    { line: 'cairn eval household --agent searcher', says: 'the ceiling on the dev panel' },
    { line: 'cairn eval --run runs/first --checkpoint best --out first.json', says: 'a trained policy' },
    { line: 'cairn eval household --agent random --tasks 32 --json', says: 'for a program to read' },
    {
      line: 'cairn eval household --agent openai:Qwen/Qwen3-8B@http://localhost:8000/v1 --keep qwen',
      says: 'a language model behind any OpenAI-compatible server',
    },
  ],
  options,
  run: evaluateOne,
});

async function evaluateOne(chosen: z.output<typeof options>, session: Session): Promise<Outcome> {
  const { agent, run, out } = chosen;
  if ((agent === undefined) === (run === undefined)) {
    const what = agent === undefined ? 'it is not said who plays.' : 'two players are named.';
    throw new UsageError({
      where: 'cairn eval',
      what,
      mend: `Give --agent (${agentWords}), or --run FOLDER.`,
    });
  }
  if (out !== undefined) await assertNew(out);
  const { withEvaluation } = await import('../evaluation/evaluation.ts');
  const { refuseResults } = await import('../evaluation/unmeasured.ts');
  const { renderTable } = await import('../../trainers/results/table.ts');
  const spec =
    run === undefined
      ? parseAgentSpec(agent ?? '', {
          where: 'cairn eval, --agent',
          say: (line) => session.progress.say(line),
        })
      : ({ kind: 'run', folder: run } as const);
  const request: EvaluationRequest = {
    agents: [spec],
    presetPanel: (panels, preset) =>
      defaultPanel(panels, {
        usual: 'dev',
        names: preset.panels,
        purposes: ['dev', 'held-out'],
        say: (line) => session.progress.say(line),
      }),
  };
  return withEvaluation(request, chosen, session, async ({ entrants: [entrant], play, plan }) => {
    if (chosen.dryRun || entrant === undefined)
      return { document: plan, lines: [JSON.stringify(plan, undefined, 2)] };
    const { result, mishap: unkept } = await play(entrant);
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
