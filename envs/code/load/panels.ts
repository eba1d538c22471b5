import { createHash } from 'node:crypto';
import type { UnavailablePanel, PanelInfo } from '../../core/task.ts';
import type { Problem } from '../problems/problem.ts';
import type { FileSource } from './read-problems.ts';
import type { Unusable } from './unusable.ts';

/** A panel with its problems. */
export interface FilePanel extends PanelInfo {
  readonly problems: readonly Problem[];
}

/** Problems of files by their purpose: for training, for choosing settings, and held out. */
export interface DealtProblems {
  readonly panels: readonly FilePanel[];
  /** Panels without any problem. */
  readonly unavailablePanels: readonly UnavailablePanel[];
}

/** The identity of problems that learners may see. White space does not change a statement. */
const statementOf = ({ statement }: Problem): string => statement.replace(/\s+/g, ' ').trim();

/**
 * One in this many training problems is for choosing settings. Where no other problems are held out, the same
 * share is held out.
 */
const share = 8;

type Part = 'train' | 'dev' | 'held-out';

/**
 * The part of a problem, by its statement alone. It does not depend on other problems, and equal statements
 * are in the same panel.
 */
function partOf(problem: Problem, isAlone: boolean): Part {
  const lot = (createHash('sha256').update(statementOf(problem)).digest()[0] ?? 0) % share;
  if (lot === 0) return 'dev';
  return lot === 1 && isAlone ? 'held-out' : 'train';
}

/** Divides training problems into those that are not held out, by statement, and those that are. */
export function apartFrom(
  heldOut: readonly Problem[],
  toLearn: readonly Problem[],
): { readonly problems: readonly Problem[]; readonly unusable: readonly Unusable[] } {
  const known = new Map(heldOut.map((problem) => [statementOf(problem), problem.name]));
  const isKnown = (problem: Problem): boolean => known.has(statementOf(problem));
  const unusable = toLearn.filter(isKnown).map((problem): Unusable => ({
    because: 'held-out',
    what: `${problem.name} (it is stated as ${known.get(statementOf(problem))})`,
  }));
  return { problems: toLearn.filter((problem) => !isKnown(problem)), unusable };
}

/**
 * Makes panels of problems. `undefined` means that no file is configured. A training file that is alone has
 * some of its own problems held out.
 */
export function dealProblems(
  { split }: Pick<FileSource, 'split'>,
  toLearn: readonly Problem[] | undefined,
  heldOut: readonly Problem[] | undefined,
): DealtProblems {
  const dealt = (part: Part): readonly Problem[] =>
    (toLearn ?? []).filter((problem) => partOf(problem, heldOut === undefined) === part);
  const panels: readonly FilePanel[] = [
    ...(toLearn === undefined
      ? []
      : [
          panel(
            { name: 'train', purpose: 'train', summary: 'problems of the file to learn from' },
            dealt('train'),
          ),
          panel(
            {
              name: 'dev',
              purpose: 'dev',
              summary: 'of that file one problem in eight, by lot, to choose settings by',
            },
            dealt('dev'),
          ),
        ]),
    heldOut === undefined
      ? panel(
          {
            name: split,
            purpose: 'held-out',
            summary: 'of the file to learn from one problem in eight, by lot, that no learner sees',
          },
          dealt('held-out'),
        )
      : panel({ name: split, purpose: 'held-out', summary: 'problems of the files' }, heldOut),
  ];
  const none = panels
    .filter(({ size }) => size === 0)
    .map(({ name }): UnavailablePanel => ({
      name,
      why: `of ${toLearn?.length ?? 0} problems that could be used none fell to it by lot`,
      fix: 'Name files with more problems',
    }));
  return {
    panels: panels.filter(({ size }) => size > 0),
    unavailablePanels: [...none, ...(toLearn === undefined ? unnamed : [])],
  };
}

const unnamed: readonly UnavailablePanel[] = ['train', 'dev'].map((name) => ({
  name,
  why: 'no file to learn from is named (problems.train)',
  fix: 'Name one',
}));

const panel = (info: Omit<PanelInfo, 'size'>, problems: readonly Problem[]): FilePanel => ({
  ...info,
  size: problems.length,
  problems,
});
