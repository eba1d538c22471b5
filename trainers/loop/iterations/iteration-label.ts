/** The label of an iteration's episodes. It is part of their paths and therefore of their random streams. */
export const iterationLabel = (iteration: number): string => `iteration-${iteration}`;

/** The iteration of a label; undefined for other labels. */
export function iterationOf(label: string | undefined): number | undefined {
  const digits = /^iteration-(\d+)$/.exec(label ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}
