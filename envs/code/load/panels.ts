import { createHash } from 'node:crypto';
import type { UnavailablePanel, PanelInfo } from '../../core/task.ts';
import type { Problem } from '../problems/problem.ts';
import type { FileSource } from './read-problems.ts';
import type { Unusable } from './unusable.ts';

/** A panel with its problems. */
export interface FilePanel extends PanelInfo {
  readonly problems: readonly Problem[];
}

/** Problems of files by what they are for: to learn from, to choose settings by, and held out. */
export interface DealtProblems {
  readonly panels: readonly FilePanel[];
  /** Panels to which no problem fell. */
  readonly unavailablePanels: readonly UnavailablePanel[];
}

/** What problems that learners may see are told apart by: white space changes no statement. */
const statementOf = ({ statement }: Problem): string => statement.replace(/\s+/g, ' ').trim();

/** Of problems to learn from, one in so many is to choose settings by; and where nothing else is held out, so many are. */
const share = 8;

type Part = 'train' | 'dev' | 'held-out';

/** By its statement, so that no other problem has a say in it, and those with the same statement are in the same panel. */
function partOf(problem: Problem, isAlone: boolean): Part {
  const lot = (createHash('sha256').update(statementOf(problem)).digest()[0] ?? 0) % share;
  if (lot === 0) return 'dev';
  return lot === 1 && isAlone ? 'held-out' : 'train';
}

/** Problems to learn from that are none of the held-out ones, by their statements, and those that are. */
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

/** Makes panels of problems: undefined is what no file was named for. A file to learn from that is alone has its own problems held out. */
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
