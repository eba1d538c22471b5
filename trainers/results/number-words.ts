/** `1234567` as `1,234,567`. */
export const grouped = (whole: number): string => String(whole).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** The noun as it stands behind a number: `task` behind 1, else `tasks`. */
export const plural = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many);

/** A share from 0 to 1 in percent, without the sign: `2.3`. */
export const percentDigits = (share: number): string => (100 * share).toFixed(1);

/** The same with the sign: `2.3 %`. */
export const percentOf = (share: number): string => `${percentDigits(share)} %`;

/** Rising whole numbers in words: `1 to 150`, `5 to 145 in steps of 5 and 148`. */
export function describeNumbers(numbers: readonly number[]): string {
  const runs: string[] = [];
  for (let start = 0; start < numbers.length;) {
    const end = endOfRun(numbers, start);
    const [first, last, step] = [
      numbers[start] as number,
      numbers[end] as number,
      (numbers[start + 1] ?? 0) - (numbers[start] as number),
    ];
    if (end - start >= 2) runs.push(`${first} to ${last}${step === 1 ? '' : ` in steps of ${step}`}`);
    else runs.push(...numbers.slice(start, end + 1).map(String));
    start = end + 1;
  }
  return runs.length < 3 ? runs.join(' and ') : `${runs.slice(0, -1).join(', ')} and ${runs.at(-1)}`;
}

/** How far the numbers go on from `start` in equal steps; two alone make no run. */
function endOfRun(numbers: readonly number[], start: number): number {
  const at = (index: number): number => numbers[index] ?? Number.NaN;
  const step = at(start + 1) - at(start);
  let end = start;
  while (at(end + 1) - at(end) === step) end += 1;
  return end - start >= 2 ? end : start;
}
