const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/gsu;

/**
 * The first key that an object within a JSON text has twice, of which `JSON.parse` silently keeps the last; undefined where there is none.
 * @param text valid JSON
 */
export function findDuplicateKey(text: string): string | undefined {
  /** The keys of each object that is open, and undefined for each list. */
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const key = String(JSON.parse(last));
      const keys = open.at(-1);
      if (keys?.has(key) === true) return key;
      keys?.add(key);
    }
    last = token;
  }
  return undefined;
}
