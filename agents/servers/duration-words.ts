const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/**
 * A duration in the largest unit of which it has at least two, rounded, such as `36 hours`. Below two minutes
 * it is in seconds.
 */
export function durationWords(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  const [unit, size] = units.find(([, length]) => seconds >= 2 * length) ?? ['second', 1];
  const count = size === 1 ? Number(seconds.toPrecision(3)) : Math.round(seconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
