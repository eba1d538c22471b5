import { canonicalJson } from '../../envs/core/json.ts';
import type { TaskPanel } from '../../envs/core/task.ts';
import { evaluate, expertContestant, policyContestant, randomContestant, type Contestant } from '../evaluate/evaluate.ts';
import type { EvaluationResult } from '../evaluate/result.ts';
import { FinalResults } from '../run-folder/final-results.ts';
import { finalName, warmStartName } from './checkpoint-names.ts';
import { decodingOf } from './dev-evaluation.ts';
import type { Preparation, Session } from './session.ts';

/**
 * The held-out panels, each played once by the final policy, sampled and greedy, and by what its numbers are read beside: random
 * actions, the policy before training by reward, and the env's searcher as the ceiling. Results go into the run folder; those that are
 * there already, of the same checkpoint and panel, are not played again.
 */
export async function runFinalEvaluation(
  session: Session,
  onProgress: (label: string, done: number) => void,
): Promise<readonly EvaluationResult[]> {
  const { config, bench, run, context, versions } = session;
  const kept = await FinalResults.open(run, finalName(config.iterations));
  const results: EvaluationResult[] = [];
  const rows = session.panels.final.flatMap((panel) => contestants(session).map((contestant) => ({ panel, contestant })));
  for (const [index, { panel, contestant }] of rows.entries()) {
    const label = `${contestant.name} on ${panel.name}`;
    const name = `${panel.name}-${fileWords(contestant.name)}`;
    const before = await kept.find(name);
    if (before !== undefined && isOf(before, panel, contestant)) {
      results.push(before);
      continue;
    }
    const result = await evaluate({
      bench,
      contestant,
      panel,
      seed: config.seed,
      episodesPerTask: 1,
      versions,
      onProgress: ({ episodesDone, episodesPlanned }) => onProgress(label, (index + episodesDone / episodesPlanned) / rows.length),
      context,
    });
    await kept.save(name, result);
    results.push(result);
  }
  return results;
}

/** Whether a result that was kept is the one wanted, and good: one that faults have spoilt is played again. */
function isOf({ panel, agent, shown, faults }: EvaluationResult, wanted: TaskPanel, contestant: Contestant): boolean {
  const same = panel.fingerprint === wanted.fingerprint && agent === contestant.name && canonicalJson(shown) === canonicalJson(contestant.shown);
  return same && !faults.excessive;
}

/** The final policy comes as the run evaluates it on `dev`, to be read beside the start, and decoded the other way. */
export function contestants(session: Preparation): readonly Contestant[] {
  const { bench, config, warmPolicy } = session;
  const { decoding } = config.evaluation;
  const start = { name: config.warmStart.episodes > 0 ? 'cloned' : 'untrained', policy: warmPolicy, checkpoint: warmStartName };
  const trained = { name: config.credit.kind === 'gigpo' ? 'GiGPO' : 'GRPO', policy: session.policy, checkpoint: finalName(config.iterations) };
  const end = config.iterations === 0 ? start : trained;
  const other = decoding === 'greedy' ? 'sampled' : 'greedy';
  const rows = [
    ...(end === start ? [] : [{ ...start, kind: decoding }]),
    { ...end, kind: decoding },
    { ...end, kind: other, name: `${end.name} ${other}` },
  ] as const;
  return [
    randomContestant(),
    ...rows.map(({ name, policy, checkpoint, kind }) => policyContestant(bench, policy, { name, checkpoint, decoding: decodingOf(config, kind) })),
    ...(bench.host.experts?.searcher === undefined ? [] : [expertContestant(bench, 'searcher')]),
  ];
}

const fileWords = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
