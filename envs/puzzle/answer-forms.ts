/**
 * The forms in which an answer is read, one after the other, until the puzzle can read one: the text as it is, the content of a code fence,
 * a JSON list as its items, JSON rows as lines, one pair of parentheses less, and a sentence without its final period. Every puzzle
 * reads all of them, so that none depends on how a player lays an answer out.
 */
export function* answerForms(text: string): Generator<string> {
  yield text;
  const content = /^```[a-z]*\n(.*?)\n?```$/is.exec(text)?.[1]?.trim() ?? text;
  if (content !== text) yield content;
  const rows = content.startsWith('[') ? readRows(content) : undefined;
  if (rows !== undefined) yield rows;
  const bare = /^\(([^()]*)\)$/.exec(content)?.[1]?.trim();
  if (bare !== undefined) yield bare;
  if (/[^.]\.$/.test(content)) yield content.slice(0, -1).trimEnd();
}

/** `[1, 2, 3]` becomes `1 2 3`, and `[[1, 2], [3, 4]]` or `["12", "34"]` becomes two lines. Undefined for other values. */
function readRows(text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // not JSON, such as [a, b]
    return /^\[([^[\]]*)\]$/.exec(text)?.[1]?.trim();
  }
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const items: readonly unknown[] = value;
  if (items.every((item) => typeof item === 'number')) return items.join(' ');
  if (items.every(isPlainText)) return items.join(items.every((item) => item.length > 1) ? '\n' : ' ');
  const rows = items.map((row) =>
    Array.isArray(row) && row.every((cell) => typeof cell === 'number' || isPlainText(cell))
      ? row.join(' ')
      : undefined,
  );
  return rows.includes(undefined) ? undefined : rows.join('\n');
}

const isPlainText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !value.includes('\n');
