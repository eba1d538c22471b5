/**
 * GiGPO beside GRPO on one environment, with its own recipe: both with the same seeds and tasks, through the command line as users have it.
 * See README.md in this folder.
 *
 * usage: node dist/bench/studies/credit-methods.js [--recipe tools] [--set world=bank] [--seeds 5] [--first-seed 0] [--jobs 2]
 *        [--folder runs/study-tools] [--variants gigpo,grpo] [--out FILE]
 */
import { studentInterval } from '../../trainers/results/intervals.ts';
import { runStudy } from './run-study.ts';
import { poolAgents, type StoredRun, successCurves } from './stored-run.ts';

const percent = (rate: number): number => Math.round(1_000 * rate) / 10;

/** By panel, what the training added to the policy before it: in points, with an interval over seeds. */
function gains(runs: readonly StoredRun[]): Readonly<Record<string, unknown>> {
  const panels = [...new Set(runs.flatMap(({ results }) => results.map(({ panel }) => panel.name)))];
  const entries = panels.map((panel) => {
    const bySeed = runs.flatMap(({ results }) => {
      const here = results.filter((result) => result.panel.name === panel);
      const before = here.find(({ agent }) => agent === 'cloned' || agent === 'untrained');
      const after = here.find(({ agent }) => agent === 'GiGPO' || agent === 'GRPO');
      return before === undefined || after === undefined ? [] : [after.success.rate - before.success.rate];
    });
    const { mean, low, high } = studentInterval(bySeed);
    return [panel, { points: [mean, low, high].map(percent), bySeed: bySeed.map(percent) }] as const;
  });
  return Object.fromEntries(entries);
}

/** The results of one panel alone: agents of several panels have the same names. */
const onPanel = (runs: readonly StoredRun[], panel: string): readonly StoredRun[] =>
  runs.map((run) => ({ ...run, results: run.results.filter((result) => result.panel.name === panel) }));

await runStudy({
  recipe: 'tools',
  otherRecipes: ['search', 'route'],
  variants: { gigpo: ['--credit', 'gigpo'], grpo: ['--credit', 'grpo'] },
  flags: [],
  wholeFirst: 'seeds',
  head: ({ date, commit, node, cores, recipe, words }) => ({
    what: `cairn train ${recipe}: success on held-out panels by credit method, with 95 % intervals over seeds and tasks`,
    date,
    commit,
    command: `node dist/bench/studies/credit-methods.js ${words}`,
    node,
    cores,
  }),
  summarise: (runs) => ({
    seeds: runs.map(({ seed }) => seed),
    usage: runs.map(({ usage }) => usage),
    gains: gains(runs),
    final: Object.fromEntries(
      [...new Set(runs.flatMap(({ results }) => results.map(({ panel }) => panel.name)))].map((panel) => [
        panel,
        poolAgents(onPanel(runs, panel), ({ panel: { fingerprint }, success, meanTurns }, bySeed) => ({
          fingerprint,
          success: [success.rate, success.low, success.high].map(percent),
          bySeed: bySeed.map((result) => percent(result.success.rate)),
          turns: meanTurns,
        })),
      ]),
    ),
    ...successCurves(runs),
  }),
});
