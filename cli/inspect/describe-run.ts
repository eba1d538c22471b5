import { describeStored, storeDocument } from '../../lab/inspect/describe-stored.ts';
import type { RunSurvey } from '../../lab/inspect/survey-run.ts';
import { describeDecoding, type RateEstimate } from '../../trainers/results/estimate.ts';
import { percentDigits, percentOf, plural } from '../../trainers/results/number-words.ts';
import type { Outcome } from '../command.ts';
import { layOut } from '../terminal/table.ts';

const rate = ({ rate: share, low, high }: RateEstimate): string =>
  `${percentOf(share)} [${percentDigits(low)}, ${percentDigits(high)}]`;

/** A heading over rows; nothing if there are none. */
const section = (heading: string, rows: readonly (readonly string[])[]): readonly string[] =>
  rows.length === 0 ? [] : ['', heading, ...layOut(rows, { indent: 2 })];

const describePasses = ({ length }: RunSurvey['warmStart']): string =>
  length === 0 ? '' : `; ${length} ${length === 1 ? 'pass' : 'passes'} of cloning`;

/** The warm-start passes after which `dev` was played. */
const passRows = (lines: RunSurvey['warmStart']): readonly (readonly string[])[] =>
  lines.flatMap(({ epoch, loss, devSuccess }) =>
    devSuccess === undefined ? [] : [[`after pass ${epoch}`, `loss ${loss.toFixed(3)}`, rate(devSuccess)]],
  );

/** The line of a run that started from another run's weights. */
const describeBeginning = ({ folders, digest }: RunSurvey['begins']): readonly string[] =>
  folders.length === 0
    ? []
    : [`started from ${folders.join(', ')}${digest === undefined ? '' : `  ${digest}`}`];

/** A summary of a run folder. */
export function describeRun({ begins, ...survey }: RunSurvey): Outcome {
  const { folder, versions, panels, warmStart, lastIteration: last, notes, stores } = survey;
  const lines = [
    `${folder}  a run of cairn-gym ${versions['cairn-gym']}`,
    '',
    ...describeBeginning(begins),
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
      survey.evaluations.map(({ iteration, panel, agent, decoding, success }) => [
        `after iteration ${iteration}`,
        panel,
        agent,
        describeDecoding(decoding),
        rate(success),
      ]),
    ),
    ...section(
      'Final results:',
      survey.results.map(({ agent, panel, decoding, success }) => [
        panel.name,
        agent,
        describeDecoding(decoding),
        rate(success),
      ]),
    ),
    ...section(
      'Checkpoints:',
      survey.checkpoints.map(({ name, iteration, best, damage }) => [
        name,
        `iteration ${iteration}`,
        [...(best ? ['the best'] : []), ...(damage === undefined ? [] : ['damaged'])].join(', '),
      ]),
    ),
    '',
    'Stored episodes:',
    ...(stores.length === 0 ? ['none'] : stores.flatMap((store) => describeStored(store, folder))).map(
      (line) => `  ${line}`,
    ),
  ];
  return { document: { ...survey, stores: stores.map(storeDocument) }, lines };
}
