import { terminalLine } from '../../envs/core/terminal-text.ts';
import { isPolicy } from '../../trainers/results/result.ts';
import {
  describeComparison,
  describeScopes,
  describeSeveral,
} from '../../trainers/results/describe-comparison.ts';
import { grouped, percentDigits, percentOf, plural } from '../../trainers/results/number-words.ts';
import { isGraded } from '../../trainers/results/table-columns.ts';
import type { NotCompared, SidesComparison } from './compare-sides.ts';
import type { ThresholdSteps } from './learning-curve.ts';
import { describeDifferences, figuresBySeed, type Side } from './side.ts';

/** The paragraphs below the table: seeds, differences, limits of the comparison, settings and steps. */
export function describeSides(comparison: SidesComparison): readonly string[] {
  const { sides, comparisons, settings, steps, notes } = comparison;
  const several = describeSeveral(comparisons.filter((one) => 'pairs' in one));
  return [
    ...(sides.some(isPooled)
      ? [
          paragraph([
            'Each seed, success in %:',
            ...sides.filter(isTrained).map((side) => `  ${describeSeeds(side)}`),
          ]),
        ]
      : []),
    ...(comparisons.length === 0
      ? []
      : [
          paragraph([
            ...comparisons.map((one) =>
              'pairs' in one ? describeComparison(one) : describeNotCompared(one),
            ),
            ...describeScopes(comparisons.filter((one) => 'pairs' in one)),
            ...(several === undefined ? [] : [several]),
          ]),
        ]),
    ...(settings.length === 0 ? [] : [paragraph(settings.map(describeSettingsApart))]),
    ...(steps === undefined
      ? []
      : [
          paragraph([
            `${stepsHead(steps)}:`,
            ...steps.sides.map((side) => `  ${terminalLine(side.name)}: ${describeSteps(side)}`),
          ]),
        ]),
    ...(notes.length === 0 ? [] : [paragraph(notes.map(terminalLine))]),
  ];
}

const paragraph = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** Of several trainings. */
export const isPooled = ({ result }: Side): boolean => result.seeds.length > 1;

const isTrained = ({ result }: Side): boolean => isPolicy(result.shown) && result.shown.remote === undefined;

/** `gigpo: seed 0 95.1, seed 1 96.0`. */
function describeSeeds({ name, result }: Side): string {
  const graded = isGraded([result]);
  const told = figuresBySeed(result).map(
    ({ seed, success, score }) =>
      `seed ${seed} ${percentDigits(success)}${graded ? ` (score ${percentDigits(score)})` : ''}`,
  );
  return `${terminalLine(name)}: ${told.join(', ')}`;
}

export const describeNotCompared = ({ first, second, notCompared: why }: NotCompared): string =>
  terminalLine(`${first} against ${second}: not compared: ${why}.`);

/** In what the trainings of two sides differ, in a sentence. */
export function describeSettingsApart({
  first,
  second,
  differences,
  otherSeeds,
}: SidesComparison['settings'][number]): string {
  const names = terminalLine(`${first} and ${second}`);
  return differences.length === 0
    ? `${names} were trained with the same settings${otherSeeds ? ' but for their seeds' : ' and seeds'}.`
    : terminalLine(`${names} were trained with settings that differ in ${describeDifferences(differences)}.`);
}

/** `Environment steps to a success of 85.0 % on dev[0..128)`. */
export const stepsHead = ({ threshold, panel }: NonNullable<SidesComparison['steps']>): string =>
  `Environment steps to a success of ${percentOf(threshold)} on ${terminalLine(panel)}`;

/** The median with its interval and the seeds, in words. */
export function describeSteps({
  median,
  low,
  high,
  coverage,
  reached,
  runs,
  bySeed,
}: ThresholdSteps): string {
  const words = (steps: number | undefined): string =>
    steps === undefined ? 'never' : grouped(Math.round(steps));
  const seeds = bySeed.map(({ seed, steps }) => `seed ${seed} ${words(steps)}`).join(', ');
  if (runs === 1) return seeds;
  return `median ${words(median)} [${words(low)}, ${words(high)}], which holds it with ${Math.round(100 * coverage)} %; ${reached} of ${runs} ${plural(runs, 'seed')} came there: ${seeds}`;
}
