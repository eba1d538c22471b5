import { readSettings } from '../../trainers/run/lineage.ts';
import { runPaths } from '../../trainers/run/open-run.ts';
import { findChangedFiles, userFilesOf } from '../../trainers/run/user-files.ts';
import { damageOf, readRun } from '../read/read-run.ts';
import type { UsageError } from '../../envs/core/errors.ts';
import { findStrayLine } from './order-of-metrics.ts';
import { flawsOfMetrics } from './flaws-of-metrics.ts';
import { flawsOfStores, metricsBehind } from './flaws-of-stores.ts';
import type { EpisodeSource } from './stored-episodes.ts';
import { surveyCheckpoints } from './survey-checkpoints.ts';
import { surveyStores } from './survey-stores.ts';

export type RunSurvey = Awaited<ReturnType<typeof surveyRun>>;

/** Reads what a run folder holds: progress, evaluations, checkpoints, stored episodes and results, and notes on what is damaged or missing. */
export async function surveyRun(source: EpisodeSource) {
  const folder = source.path;
  const run = await readRun(folder);
  const paths = runPaths(folder);
  const lastIteration = run.metrics.findLast((line) => line.kind === 'iteration');
  const recorded = lastIteration?.iteration ?? 0;
  const { listed, best, notes: ofCheckpoints } = await surveyCheckpoints(paths.checkpoints, recorded);
  const newest = listed.at(-1);
  const { versions, panels, config } = run.document;
  const { stores, notes: ofStores } = await surveyStores(source, {
    folder: paths.trajectories,
    config,
    recorded,
  });
  const flaws = await flawsOfMetrics(paths, run.metrics);
  /** A stray line explains why the metrics are not as the run wrote them. */
  const isNews = ({ parts }: UsageError): boolean =>
    parts.where !== paths.metrics || findStrayLine(run.metrics) === undefined;
  return {
    folder,
    versions,
    panels,
    config,
    /** Weights of other runs from which it began. */
    begins: readSettings({ config, versions }, `config of ${folder}`).begins,
    warmStart: run.metrics.filter((line) => line.kind === 'warm-start'),
    lastIteration,
    evaluations: run.metrics.filter((line) => line.kind === 'evaluation'),
    checkpoints: listed.map(({ name, manifest, damage }) => ({
      name,
      iteration: manifest.iteration,
      best: name === best,
      ...(damage === undefined ? {} : { damage }),
    })),
    notes: [
      ...ofCheckpoints,
      ...flaws,
      ...(await flawsOfStores(paths.trajectories, newest)),
      ...ofStores,
      ...metricsBehind(paths.metrics, recorded, { stores, config }),
      ...(await findChangedFiles(userFilesOf(run.document))).map(({ what }) => what),
      ...damageOf({ ...run, damagedLogs: run.damagedLogs.filter(isNews) }),
    ],
    stores,
    results: run.results.map(({ agent, panel, shown, success }) => ({
      agent,
      panel,
      decoding: shown.decoding,
      checkpoint: shown.checkpoint,
      success,
    })),
  };
}
