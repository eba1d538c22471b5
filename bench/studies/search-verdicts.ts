/**
 * Verdicts on misleading documents in `search-v1`: the share of those shown that an agent judges misleading, before and after a training
 * that pays for verdicts, and after one that does not. See README.md in this folder.
 *
 * usage: node dist/bench/studies/search-verdicts.js [--seeds 3] [--first-seed 0] [--jobs 2] [--folder runs/study-verdicts]
 *        [--variants paid,unpaid] [--out FILE]
 */
import { studentInterval } from '../../trainers/results/intervals.ts';
import type { EvaluationResult } from '../../trainers/results/result.ts';
import { runStudy } from './run-study.ts';
import { poolAgents, successCurves, type StoredRun } from './stored-run.ts';

const percent = (rate: number): number => Math.round(1_000 * rate) / 10;

const total = ({ episodes }: EvaluationResult, name: string): number =>
  episodes.reduce((sum, { metrics }) => sum + (metrics?.[name] ?? 0), 0);

/** The share of the misleading documents shown that were judged misleading. */
const shareCaught = (result: EvaluationResult): number =>
  total(result, 'misleadingCaught') / Math.max(1, total(result, 'misleadingShown'));

/** How an agent judged, by seed. */
function verdicts(bySeed: readonly EvaluationResult[]) {
  const shares = bySeed.map(shareCaught);
  const { mean, low, high } = studentInterval(shares);
  const sums = (name: string): readonly number[] => bySeed.map((result) => total(result, name));
  return {
    sharePercent: [mean, low, high].map(percent),
    shareBySeed: shares.map(percent),
    misleadingShown: sums('misleadingShown'),
    misleadingCaught: sums('misleadingCaught'),
    judgedRight: sums('judgedRight'),
    judgedWrong: sums('judgedWrong'),
  };
}

/** What the training added to the share, in points, with an interval over seeds. */
function gain(runs: readonly StoredRun[]) {
  const bySeed = runs.flatMap(({ results }) => {
    const before = results.find(({ agent }) => agent === 'cloned' || agent === 'untrained');
    const after = results.find(({ agent }) => agent === 'GiGPO');
    return before === undefined || after === undefined ? [] : [shareCaught(after) - shareCaught(before)];
  });
  const { mean, low, high } = studentInterval(bySeed);
  return { points: [mean, low, high].map(percent), bySeed: bySeed.map(percent) };
}

await runStudy({
  recipe: 'search',
  variants: {
    paid: ['--set', 'weights.judge=0.1'],
    unpaid: [],
  },
  // divided by the deviation of a group that solves nothing, the small rewards of verdicts would count as much as an answer
  flags: ['--set', 'judging=true', '--with', 'credit.normalise=mean', '--iterations', '60'],
  wholeFirst: 'seeds',
  head: ({ date, commit, node, cores, words }) => ({
    what: 'cairn train search with verdicts: the share of the misleading documents shown that were judged misleading on the panel test, with 95 % intervals over seeds',
    date,
    commit,
    command: `node dist/bench/studies/search-verdicts.js ${words}`,
    node,
    cores,
  }),
  summarise: (runs) => ({
    seeds: runs.map(({ seed }) => seed),
    usage: runs.map(({ usage }) => usage),
    gain: gain(runs),
    final: poolAgents(runs, ({ panel: { fingerprint }, success, meanTurns }, bySeed) => ({
      fingerprint,
      success: [success.rate, success.low, success.high].map(percent),
      successBySeed: bySeed.map((result) => percent(result.success.rate)),
      turns: meanTurns,
      verdicts: verdicts(bySeed),
    })),
    ...successCurves(runs),
  }),
});
