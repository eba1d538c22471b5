/** Lines that are shown, and characters of each, at most. */
const mostLines = 10;
const mostCharacters = 500;

/** The sentences or lines of a page that have the text, without regard to case, each with the number of its part. */
export function findLines(parts: readonly string[], text: string): readonly string[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const found: string[] = [];
  for (const [index, part] of parts.entries()) {
    if (!part.toLowerCase().includes(wanted)) continue;
    for (const line of part.split(/(?<=[.!?])\s+|\n+/)) {
      const at = line.toLowerCase().indexOf(wanted);
      if (at < 0) continue;
      const start = Math.max(0, at - mostCharacters / 2);
      found.push(`part ${index + 1}: ${line.slice(start, start + mostCharacters).trim()}`);
      if (found.length === mostLines) return found;
    }
  }
  return found;
}
