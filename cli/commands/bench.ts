import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import type { PanelInfo } from '../../envs/core/task.ts';
import type { EvaluationResult } from '../../trainers/results/result.ts';
import type { BenchPreset } from '../../trainers/recipes/bench-preset.ts';
import type { Outcome, CommandContext } from '../command.ts';
import { defineCommand } from '../program/define-command.ts';
import { defaultPanel } from '../../lab/evaluate/default-panel.ts';
import type { Evaluation, RequestedPlayer } from '../../lab/evaluate/evaluation.ts';
import { parsePlayer, playerWords } from '../../lab/players/parse-player.ts';
import type { NamedPlayer } from '../../lab/players/resolve-players.ts';
import { evaluationFlags, evaluationOptions } from '../evaluation/options.ts';
import { envArgument } from '../options/named-env.ts';
import { assertNew, writeNew } from '../options/new-file.ts';

const options = z.strictObject({
  ...evaluationOptions,
  agent: z.array(z.string()).optional(),
  run: z.array(z.string()).default([]),
  pool: z.string().optional(),
  out: z.string().min(1, 'must be a file').optional(),
});

export const benchCommand = defineCommand({
  arguments: [{ ...envArgument, required: false }],
  flags: [
    {
      flags: '--agent <name>',
      says: `${playerWords} (repeatable; default: random, and expert if the environment has one)`,
      repeatable: true,
    },
    { flags: '--run <folder>', says: 'the policy of a run (repeatable)', repeatable: true },
    {
      flags: '--pool <name>',
      says: 'pool all runs, which may differ only in their seeds, into one row with this name',
    },
    { flags: '--out <file>', says: 'write all results to this file, for `cairn-gym compare`' },
    ...evaluationFlags,
  ],
  examples: [
    { line: 'npx cairn-gym bench household', says: 'floor and ceiling on the panel of unseen rooms' },
    {
      line: 'npx cairn-gym bench household --agent openai:Qwen/Qwen3-8B@http://localhost:8000/v1 --keep qwen',
      says: 'a language model; its episodes are stored as they end',
    },
    {
      line: 'npx cairn-gym bench --run runs/s0 --run runs/s1 --run runs/s2 --pool GiGPO',
      says: 'three seeds of a method in one row, with floor and ceiling',
    },
  ],
  options,
  run: bench,
});

/** Players if none is named. */
const floorAndCeiling: readonly RequestedPlayer[] = [
  { spec: { kind: 'random' } },
  { spec: { kind: 'expert' }, ifThere: true },
];

async function bench(chosen: z.output<typeof options>, session: CommandContext): Promise<Outcome> {
  const { agent, run, pool, out } = chosen;
  const say = (line: string): void => session.progress.say(line);
  const players: readonly RequestedPlayer[] = [
    ...(agent?.map((text) => ({
      spec: parsePlayer(text, { where: 'cairn-gym bench, --agent', log: say }),
    })) ?? floorAndCeiling),
    ...run.map((folder) => ({ spec: { kind: 'run', folder } as const })),
  ];
  if (pool !== undefined && players.filter(({ spec }) => spec.kind === 'run').length < 2) {
    throw new UsageError({
      where: 'cairn-gym bench, --pool',
      what: 'there are fewer than two runs to pool.',
      fix: 'Give --run twice or more, or remove --pool.',
    });
  }
  if (out !== undefined) await assertNew(out);
  const { withNamedEvaluation } = await import('../evaluation/evaluation.ts');
  const { distinctNames } = await import('../../lab/players/distinct-names.ts');
  const { poolSeeds } = await import('../../trainers/results/summarise.ts');
  const { renderTable } = await import('../../trainers/results/table.ts');
  const { refuseResults } = await import('../../lab/evaluate/unmeasured.ts');
  return withNamedEvaluation(
    { players, baselines: true, presetPanel: (panels, preset) => presetPanel(panels, preset, say) },
    chosen,
    session,
    async ({ players: named, play, plan, preset }) => {
      if (pool !== undefined) await assertPoolable(pool, named, say);
      if (chosen.dryRun) return { document: plan, lines: [JSON.stringify(plan, undefined, 2)] };
      const { played, ended } = await playAll(named, play);
      if (ended !== undefined && played.length === 0) throw ended.thrown;
      const ofRuns = played.flatMap(({ player: { run: stored }, result }) =>
        stored === undefined ? [] : [{ seed: stored.seed, result }],
      );
      const others = played.flatMap(({ player, result }) => (player.run === undefined ? [result] : []));
      const unfinished = ended?.unfinished ?? [];
      const isPooled = pool !== undefined && unfinished.length === 0;
      const [pooled = ''] = isPooled
        ? distinctNames([[pool, `${pool} (pooled)`], ...others.map(({ agent: other }) => [other])])
        : [];
      const rows = isPooled ? [poolSeeds(ofRuns, { agent: pooled })] : ofRuns.map(({ result }) => result);
      const results = [...others, ...rows];
      const document = { results, ...(unfinished.length === 0 ? {} : { unfinished }) };
      const unwritten =
        out === undefined
          ? undefined
          : await writeNew(out, `${JSON.stringify(document)}\n`).catch((thrown: unknown) => thrown);
      const mishap: unknown =
        ended === undefined
          ? (unwritten ?? refuseResults(results))
          : session.signal.aborted
            ? session.signal.reason
            : ended.thrown;
      return {
        document,
        lines: [
          renderTable(results, {
            bold: session.terminal.out.decorated,
            explained: true,
            columns: preset.columns,
          }),
        ],
        ...(mishap === undefined ? {} : { mishap }),
      };
    },
  );
}

/**
 * Refuses, before anything is played, runs that are not seeds of one method. Reports if they started from
 * different weights.
 */
async function assertPoolable(
  pool: string,
  players: readonly NamedPlayer[],
  say: (line: string) => void,
): Promise<void> {
  const { assertOneMethod, beginningNotes } = await import('../../lab/compare/side.ts');
  const trainings = players.flatMap(({ name, run }) =>
    run === undefined ? [] : [{ where: name, ...run.settings }],
  );
  assertOneMethod(pool, trainings);
  for (const note of beginningNotes(pool, trainings)) say(`note: ${note}`);
}

interface Played {
  readonly player: NamedPlayer;
  readonly result: EvaluationResult;
}

/** Why a bench ended early or could not store its last row, and which agents have no row. */
interface EarlyEnd {
  readonly unfinished: readonly string[];
  readonly thrown: unknown;
}

/** Plays one agent after the other. An error ends the bench, but finished rows are kept. */
async function playAll(
  players: readonly NamedPlayer[],
  play: Evaluation['play'],
): Promise<{ readonly played: readonly Played[]; readonly ended?: EarlyEnd }> {
  const played: Played[] = [];
  const namesFrom = (index: number): readonly string[] =>
    players.slice(index).map((player) => player.entry(player.name));
  for (const [index, player] of players.entries()) {
    try {
      const { result, mishap } = await play(player);
      played.push({ player, result });
      if (mishap !== undefined)
        return { played, ended: { unfinished: namesFrom(index + 1), thrown: mishap } };
    } catch (thrown) {
      return { played, ended: { unfinished: namesFrom(index), thrown } };
    }
  }
  return { played };
}

/**
 * The panel of a benchmark: the preset's, or else `unseen`, or else the first held-out one, or else `dev`.
 */
function presetPanel(
  panels: readonly PanelInfo[],
  { panels: names }: BenchPreset,
  say: (line: string) => void,
): string {
  return defaultPanel(panels, {
    usual: names[0],
    names: [...names, 'unseen'],
    purposes: ['held-out', 'dev'],
    say,
  });
}
