/** Numbers the keys of one task group from 0, in the order of appearance. Create a new one for each group. */
export type KeyNumbering = (key: string) => number;

/** Equal keys get equal numbers. */
export function numberExactly(): KeyNumbering {
  const numbers = new Map<string, number>();
  return (key) => {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, numbers.size);
    return numbers.size - 1;
  };
}
