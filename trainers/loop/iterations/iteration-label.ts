/** What the episodes of an iteration are labelled with: part of their names, and by that of their luck. */
export const iterationLabel = (iteration: number): string => `iteration-${iteration}`;

/** The iteration that a label names; undefined when it names none. */
export function iterationOf(label: string | undefined): number | undefined {
  const digits = /^iteration-(\d+)$/.exec(label ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}
