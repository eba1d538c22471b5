/** Columns of fractions, which may happen to be whole. */
const fractions: ReadonlySet<string> = new Set([
  'return',
  'score',
  'old_log_probs',
  'advantages',
  'returns',
  'token_level_scores',
  'token_level_rewards',
  'step_rewards',
]);

/**
 * Writes the row as a line of JSON. Values of fraction columns have a decimal point even if they are whole:
 * `1.0`. Readers of tables infer the type of a column from its first lines, and a fraction would not fit a
 * column of whole numbers.
 */
export const trainingLine = (row: object): string => `${write(row, false)}\n`;

function write(value: unknown, isFraction: boolean): string {
  if (typeof value === 'number' && isFraction) return withPoint(JSON.stringify(value));
  if (Array.isArray(value)) return `[${value.map((item) => write(item, isFraction)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}:${write(item, fractions.has(name))}`,
  );
  return `{${entries.join(',')}}`;
}

const withPoint = (number: string): string => (/^-?\d+$/.test(number) ? `${number}.0` : number);
