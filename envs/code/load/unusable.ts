import { UsageError } from '../../core/errors.ts';

/** Reasons why problems of files cannot be used, in the order of reports. */
const reasons = ['malformed', 'untested', 'held-out', 'failing', 'too-long'] as const;
type Reason = (typeof reasons)[number];

/** A problem that cannot be used. */
export interface Unusable {
  readonly because: Reason;
  /** Its name or its place, and what is wrong. */
  readonly what: string;
}

export const isUnusable = (tried: object): tried is Unusable => 'because' in tried;

/** The words for each reason: for counts of omitted problems, and as the heading of a list of names. */
const words: Readonly<Record<Reason, { readonly leftOut: string; readonly heading: string }>> = {
  malformed: { leftOut: 'left out, which are malformed', heading: 'problems are malformed' },
  untested: { leftOut: 'left out, without tests', heading: 'problems have no tests' },
  'held-out': {
    leftOut: 'left out of training, as they are held out too',
    heading: 'problems to learn from are held out too',
  },
  failing: {
    leftOut: 'left out, whose solution fails its own tests',
    heading: 'solutions fail their own tests',
  },
  'too-long': {
    leftOut: 'left out, whose solution is longer than longestProgram',
    heading: 'solutions are longer than a program may be',
  },
};

/** The most problems that an error names for each reason. */
const named = 5;

/** Counts omitted problems by the words for each reason, with the first names. Reasons without problems are missing. */
export function countLeftOut(
  unusable: readonly Unusable[],
): readonly (readonly [name: string, count: number])[] {
  return reasons
    .map((because) => {
      const all = unusable.filter((each) => each.because === because).map(({ what }) => what);
      const names = all.map((what) => what.replace(/(?: \(|: )[\s\S]*$/, ''));
      return [`${words[because].leftOut} (${firstOf(names)})`, all.length] as const;
    })
    .filter(([, count]) => count > 0);
}

/** The error that names the problems, where the config does not say to leave them out. */
export function refusalOf(unusable: readonly Unusable[]): UsageError {
  const has = (...of: readonly Reason[]): boolean => unusable.some(({ because }) => of.includes(because));
  const others = [
    ...(has('too-long') ? ['raise longestProgram'] : []),
    ...(has('failing', 'too-long') ? ['set checkSolutions=false to take their solutions as they are'] : []),
  ];
  return new UsageError({
    where: 'problems of files',
    what: `${describeUnusable(unusable)}.`,
    fix: `Skip these problems with problems.failing=leave-out, ${others.length === 0 ? 'or ' : ''}fix them${others.map((other, at) => `, ${at === others.length - 1 ? 'or ' : ''}${other}`).join('')}.`,
  });
}

/** The first problems by name, and how many more there are. */
function firstOf(all: readonly string[]): string {
  const more = all.length > named ? ` and ${all.length - named} more` : '';
  return `${all.toSorted().slice(0, named).join('; ')}${more}`;
}

/** Describes the first problems of each reason. */
export function describeUnusable(unusable: readonly Unusable[]): string {
  const parts = reasons.map((because): string => {
    const all = unusable.filter((each) => each.because === because).map(({ what }) => what);
    return all.length === 0 ? '' : `${words[because].heading}: ${firstOf(all)}`;
  });
  return parts.filter((part) => part !== '').join('. Other ');
}
