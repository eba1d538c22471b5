import { describeDecoding, type RateEstimate } from '../../trainers/results/estimate.ts';
import { percentDigits, percentOf } from '../../trainers/results/percent.ts';
import { plural } from '../../trainers/results/number-words.ts';
import { readSettings, type TrainingSettings } from '../../trainers/run/lineage.ts';
import { readRun } from '../../lab/read/read-run.ts';
import type { WarmStartLine } from '../../trainers/run/metrics-schema.ts';
import { runPaths } from '../../trainers/run/open-run.ts';
import type { Outcome } from '../command.ts';
import { layOut } from '../terminal/table.ts';
import { flawsOfMetrics } from '../../lab/inspect/flaws-of-metrics.ts';
import { flawsOfStores, metricsBehind } from '../../lab/inspect/flaws-of-stores.ts';
import { describeStored, storeDocument } from '../../lab/inspect/describe-stored.ts';
import type { EpisodeSource } from '../../lab/inspect/stored-episodes.ts';
import { surveyCheckpoints } from '../../lab/inspect/survey-checkpoints.ts';
import { surveyStores } from '../../lab/inspect/survey-stores.ts';

const rate = ({ rate: share, low, high }: RateEstimate): string =>
  `${percentOf(share)} [${percentDigits(low)}, ${percentDigits(high)}]`;

/** A heading over rows; nothing where there are none. */
const section = (heading: string, rows: readonly (readonly string[])[]): readonly string[] =>
  rows.length === 0 ? [] : ['', heading, ...layOut(rows, { indent: 2 })];

const describePasses = ({ length }: readonly WarmStartLine[]): string =>
  length === 0 ? '' : `; ${length} ${length === 1 ? 'pass' : 'passes'} of cloning`;

/** The passes of the warm start after which `dev` was played. */
const passRows = (lines: readonly WarmStartLine[]): readonly (readonly string[])[] =>
  lines.flatMap(({ epoch, loss, devSuccess }) =>
    devSuccess === undefined ? [] : [[`after pass ${epoch}`, `loss ${loss.toFixed(3)}`, rate(devSuccess)]],
  );

/** Of a run that began from weights of another. */
const describeBeginning = ({
  begins: { folders, digest },
}: Pick<TrainingSettings, 'begins'>): readonly string[] =>
  folders.length === 0
    ? []
    : [`began from ${folders.join(', ')}${digest === undefined ? '' : `  ${digest}`}`];

/** What a run folder holds, in short. */
export async function describeRun(source: EpisodeSource): Promise<Outcome> {
  const folder = source.path;
  const run = await readRun(folder);
  const paths = runPaths(folder);
  const last = run.metrics.findLast((line) => line.kind === 'iteration');
  const evaluations = run.metrics.filter((line) => line.kind === 'evaluation');
  const warmStart = run.metrics.filter((line) => line.kind === 'warm-start');
  const recorded = last?.iteration ?? 0;
  const { listed, best, notes: ofCheckpoints } = await surveyCheckpoints(paths.checkpoints, recorded);
  const newest = listed.at(-1);
  const checkpoints = listed.map(({ name, manifest, damage }) => ({
    name,
    iteration: manifest.iteration,
    best: name === best,
    ...(damage === undefined ? {} : { damage }),
  }));
  const { versions, panels, config } = run.document;
  const { stores, notes: ofStores } = await surveyStores(source, {
    folder: paths.trajectories,
    config,
    recorded,
  });
  const notes = [
    ...ofCheckpoints,
    ...(await flawsOfMetrics(paths, run.metrics, newest)),
    ...(await flawsOfStores(paths.trajectories, newest)),
    ...ofStores,
    ...metricsBehind(paths.metrics, recorded, { stores, config }),
    ...[...run.leftOut, ...run.notAsWritten].map(({ message }) => message),
  ];
  const results = run.results.map(({ agent, panel, shown, success }) => ({
    agent,
    panel,
    decoding: shown.decoding,
    checkpoint: shown.checkpoint,
    success,
  }));
  const lines = [
    `${folder}  a run of cairn-gym ${versions['cairn-gym']}`,
    '',
    ...describeBeginning(readSettings({ config, versions }, `config of ${folder}`)),
    ...Object.entries(panels).map(
      ([name, { tasks, fingerprint }]) => `panel ${name}  ${tasks} ${plural(tasks, 'task')}  ${fingerprint}`,
    ),
    last === undefined
      ? `no iteration is done yet${describePasses(warmStart)}`
      : `iteration ${last.iteration}: ${last.environmentSteps} ${plural(last.environmentSteps, 'step')}, ${last.episodes} ${plural(last.episodes, 'episode')}${last.success === undefined ? '' : `, success ${percentOf(last.success)}`}`,
    ...notes.map((note) => `note: ${note}`),
    ...section('Cloning, loss and success on dev with 95 % intervals:', passRows(warmStart)),
    ...section(
      'Evaluations, success with 95 % intervals:',
      evaluations.map(({ iteration, panel, agent, decoding, success }) => [
        `after iteration ${iteration}`,
        panel,
        agent,
        describeDecoding(decoding),
        rate(success),
      ]),
    ),
    ...section(
      'Final results:',
      results.map(({ agent, panel, decoding, success }) => [
        panel.name,
        agent,
        describeDecoding(decoding),
        rate(success),
      ]),
    ),
    ...section(
      'Checkpoints:',
      checkpoints.map(({ name, iteration, best: isBest, damage }) => [
        name,
        `iteration ${iteration}`,
        [...(isBest ? ['the best'] : []), ...(damage === undefined ? [] : ['damaged'])].join(', '),
      ]),
    ),
    '',
    'Stored episodes:',
    ...(stores.length === 0 ? ['none'] : stores.flatMap((store) => describeStored(store, folder))).map(
      (line) => `  ${line}`,
    ),
  ];
  const document = {
    folder,
    versions,
    panels,
    config,
    warmStart,
    lastIteration: last,
    evaluations,
    checkpoints,
    notes,
    stores: stores.map(storeDocument),
    results,
  };
  return { document, lines };
}
