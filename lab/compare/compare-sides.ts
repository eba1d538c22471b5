import { UsageError } from '../../envs/core/errors.ts';
import type { Difference } from '../../envs/core/json-differences.ts';
import {
  assertComparable,
  compareResults,
  nothingMeasured,
  type Comparison,
} from '../../trainers/results/compare.ts';
import { adjustComparisons } from '../../trainers/results/holm.ts';
import { describeSettings, type Lineage } from '../../trainers/results/lineage.ts';
import type { EvaluationResult } from '../../trainers/results/result.ts';
import { envModulesIn } from '../../trainers/plugins/env-modules.ts';
import { tellApart } from '../../trainers/results/tell-apart.ts';
import { panelOfCurves, thresholdSteps, type ThresholdSteps } from './learning-curve.ts';
import { beginningNotes, settingsApart, tellBeginning, type Side } from './side.ts';

/** Two of which at least one measured nothing. */
export interface NotCompared extends Pick<Comparison, 'first' | 'second' | 'panel'> {
  /** Why. */
  readonly notCompared: string;
}

/** The first side against each of the others, in every respect that is known of both. */
export interface SidesComparison {
  /** With names of which none is that of another. */
  readonly sides: readonly Side[];
  readonly comparisons: readonly (Comparison | NotCompared)[];
  /** In what the trainings of the first side and another differ, where configs of both are known. */
  readonly settings: readonly {
    readonly first: string;
    readonly second: string;
    readonly differences: readonly Difference[];
    readonly otherSeeds: boolean;
  }[];
  readonly steps?: {
    readonly threshold: number;
    readonly panel: string;
    readonly sides: readonly ThresholdSteps[];
  };
  /** What else a reader must know, in sentences. */
  readonly notes: readonly string[];
  /** Results of which nothing can be said. */
  readonly unmeasured: readonly EvaluationResult[];
}

/** Refuses results of different panels, and a threshold where there are no runs to look for it in. */
export function compareSides(given: readonly Side[], threshold?: number): SidesComparison {
  assertComparable(given.map(({ result }) => result));
  const names = tellApart(given.map(({ result }) => result));
  const sides = given.map((side, index) => named(side, names[index] ?? side.name));
  const [first, ...others] = sides;
  const unmeasured = sides.map(({ result }) => result).filter(nothingMeasured);
  const compared = first === undefined ? [] : others.map((other) => compareTwo(first, other, unmeasured));
  const adjusted = [...adjustComparisons(compared.filter((one) => 'pairs' in one))];
  return {
    sides,
    comparisons: compared.map((one) => ('pairs' in one ? (adjusted.shift() ?? one) : one)),
    settings:
      first === undefined
        ? []
        : others.flatMap((other) => {
            const differences = settingsApart(first, other);
            return differences === undefined
              ? []
              : [
                  {
                    first: first.name,
                    second: other.name,
                    differences,
                    otherSeeds: seedsOf(first) !== seedsOf(other),
                  },
                ];
          }),
    ...(threshold === undefined ? {} : { steps: stepsOf(sides, threshold) }),
    notes: [
      ...others.flatMap((other) => [...lineageNotes(first, other), ...startNotes(first, other)]),
      ...sides.flatMap(notesOf),
      ...versionNotes(sides),
      ...moduleNotes(sides),
    ],
    unmeasured,
  };
}

const seedsOf = ({ result }: Side): string =>
  (result.training?.runs ?? [])
    .map(({ seed }) => seed)
    .toSorted((a, b) => a - b)
    .join(' ');

const named = (side: Side, name: string): Side => ({
  ...side,
  name,
  result: { ...side.result, agent: name },
});

function compareTwo(
  first: Side,
  other: Side,
  unmeasured: readonly EvaluationResult[],
): Comparison | NotCompared {
  const empty = [first.result, other.result].filter((result) => unmeasured.includes(result));
  if (empty.length === 0) return compareResults(first.result, other.result);
  return {
    first: first.name,
    second: other.name,
    panel: first.result.panel,
    notCompared: `nothing was measured of ${empty.map(({ agent }) => agent).join(' and ')}`,
  };
}

function stepsOf(sides: readonly Side[], threshold: number): NonNullable<SidesComparison['steps']> {
  const panel = panelOfCurves(sides);
  if (panel !== undefined) return { threshold, panel, sides: thresholdSteps(sides, threshold) };
  throw new UsageError({
    where: 'cairn-gym compare, --threshold',
    what: 'it is looked for in the evaluations of runs, and there are none.',
    fix: 'Give the folders of runs, or leave it out.',
  });
}

/** Of results in files no more is known than digests. */
function lineageNotes(first: Side | undefined, other: Side): readonly string[] {
  const [one, two] = [first?.result.training, other.result.training];
  if (
    first === undefined ||
    one === undefined ||
    two === undefined ||
    settingsApart(first, other) !== undefined
  )
    return [];
  const words = (lineage: Lineage): string => `by ${lineage.method} with ${describeSettings(lineage)}`;
  const [here, there] = [words(one), words(two)];
  return [
    here === there
      ? `${first.name} and ${other.name} were both trained ${here}.`
      : `${first.name} was trained ${here}, ${other.name} ${there}; the folders of their runs tell in which keys they differ.`,
  ];
}

/** Notes different initial weights. They are no setting, because each seed may have its own. */
function startNotes(first: Side | undefined, other: Side): readonly string[] {
  const [here = '', there = ''] = [first, other].map((side) =>
    [
      ...new Set(
        (side?.members ?? []).flatMap(({ settings }) =>
          settings?.begins.digest === undefined ? [] : tellBeginning(settings.begins),
        ),
      ),
    ]
      .toSorted()
      .join(' '),
  );
  return here === '' || there === '' || here === there
    ? []
    : [`${first?.name ?? ''} and ${other.name} began from different weights.`];
}

/** Only runs have curves and steps. */
function curveNotes({ name, members }: Pick<Side, 'name' | 'members'>): readonly string[] {
  const known = members.filter(({ evaluations }) => evaluations !== undefined).length;
  return known === 0 || known === members.length
    ? []
    : [
        `${name}: curves and steps are of ${known} of its ${members.length} seeds; the others are known by their results alone.`,
      ];
}

function notesOf({ name, members }: Side): readonly string[] {
  return [
    ...beginningNotes(
      name,
      members.flatMap(({ settings }) => settings ?? []),
    ),
    ...members.flatMap(({ notes }) => notes),
    ...curveNotes({ name, members }),
  ];
}

/** Versions that can move numbers, where runs were not all made by one. */
function versionNotes(sides: readonly Side[]): readonly string[] {
  const runs = sides.flatMap(({ members }) => members);
  return ['cairn-gym', 'backend'].flatMap((part) => {
    const versions = [...new Set(runs.flatMap((run) => run.versions?.[part] ?? []))];
    return versions.length < 2
      ? []
      : [
          `The runs were not all trained with one ${part === 'backend' ? 'tensor backend' : `version of ${part}`}: ${versions.join(', ')}.`,
        ];
  });
}

/** The code of an environment may differ although the tasks are the same. */
function moduleNotes(sides: readonly Side[]): readonly string[] {
  const contents = sides.flatMap(({ members }) =>
    members.map(({ where, result }) => ({ where, content: envModulesIn(result.versions).join(', ') })),
  );
  const [first, ...others] = contents.filter(({ content }) => content !== '');
  const other = others.find(({ content }) => content !== first?.content);
  return first === undefined || other === undefined
    ? []
    : [
        `The environment module changed between ${first.where} (${first.content}) and ${other.where} (${other.content}): their episodes may follow different rules.`,
      ];
}
