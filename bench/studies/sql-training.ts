/**
 * Measures the gain from training on questions about databases, and from the partial rewards of Reasoning-SQL
 * over execution alone. It trains every variant with the same seeds and tasks through the command line, as
 * users do. See README.md in this folder.
 *
 * usage: node dist/bench/studies/sql-training.js [--seeds 5] [--first-seed 0] [--jobs 2] [--folder runs/study-sql] [--variants a,b]
 *        [--out FILE]
 */
import { runStudy } from './run-study.ts';
import { poolAgents, type StoredRun, successCurves } from './stored-run.ts';

const panels = ['test', 'unseen-schemas', 'unseen-forms'];

/** The runs with what was played on one panel alone. */
const onPanel = (runs: readonly StoredRun[], name: string): readonly StoredRun[] =>
  runs.map((run) => ({ ...run, results: run.results.filter(({ panel }) => panel.name === name) }));

await runStudy({
  recipe: 'sql',
  variants: {
    recipe: [],
    'execution-only': ['linking', 'ngrams', 'syntax', 'format'].flatMap((term) => [
      '--with',
      `envConfig.weights.${term}=0`,
    ]),
  },
  flags: [],
  wholeFirst: 'variants', // the recipe is what the study is about
  head: ({ date, commit, node, cores, words }) => ({
    what: 'cairn train sql: success by family of questions on held-out panels, with 95 % intervals over seeds and tasks',
    date,
    commit,
    command: `node dist/bench/studies/sql-training.js ${words}`,
    node,
    cores,
  }),
  summarise: (runs) => ({
    seeds: runs.map(({ seed }) => seed),
    usage: runs.map(({ usage }) => usage),
    final: Object.fromEntries(
      panels.map((name) => [
        name,
        poolAgents(onPanel(runs, name), ({ panel, success, byFamily, meanTurns }, bySeed) => ({
          panel,
          success,
          byFamily,
          meanTurns,
          bySeed: bySeed.map((result) => result.success.rate),
        })),
      ]),
    ),
    ...successCurves(runs),
  }),
});
