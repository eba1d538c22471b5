import type { CatalogueEntry } from '../../lab/catalogue/entry.ts';
import type { CatalogueRecord, CatalogueScore } from '../../lab/catalogue/record.ts';
import { grouped, percentDigits } from '../../trainers/results/number-words.ts';

/** What the catalogue says of an env, a fact on a line. */
export function catalogueLines(
  { family, tags, licence, needs }: CatalogueEntry,
  measured: CatalogueRecord['result'] | undefined,
): readonly string[] {
  return [
    `  family    ${[family, ...tags].join(', ')}`,
    ...(licence === undefined ? [] : [`  licence   ${licence}`]),
    ...(needs.length === 0 ? [] : [`  requires  ${needs.join(', ')}`]),
    ...(measured === undefined ? [] : measuredLines(measured)),
  ];
}

function measuredLines(measured: CatalogueRecord['result']): readonly string[] {
  if (measured.kind === 'unmeasured') return [`  measured  no: ${measured.why}`];
  const { keys, random, expert, stepsPerSecond, snapshots, experts } = measured;
  const named = [...(keys.state ? ['state'] : []), ...(keys.anchor ? ['anchor'] : [])];
  const has = [
    `keys ${named.join(' and ') || 'none'}`,
    `snapshots ${snapshots ? 'yes' : 'no'}`,
    `experts ${experts.join(' and ') || 'none'}`,
  ];
  const scores = [
    ...(random === undefined ? [] : [`random ${scoreWords(random)}`]),
    ...(expert === undefined ? [] : [`${expert.kind} ${scoreWords(expert)}`]),
    ...(stepsPerSecond === undefined ? [] : [`${grouped(stepsPerSecond)} steps/s`]),
  ];
  return [
    `  has       ${has.join(', ')}`,
    ...(scores.length === 0 ? [] : [`  measured  ${scores.join('; ')}`]),
  ];
}

/** `12.0 % [5.6, 23.8] of 50, score 0.12` */
const scoreWords = ({ success, low, high, episodes, score }: CatalogueScore): string =>
  `${percentDigits(success)} % [${percentDigits(low)}, ${percentDigits(high)}] of ${episodes}, score ${score.toFixed(2)}`;
