/**
 * The texts of a list that is written as text, in JSON or as Python prints it: `["Aron Velk", 1911]`, `['Aron Velk']`.
 * Numbers become their text. Undefined where the text is no such list, or the list is empty.
 */
export function listInText(text: string): readonly string[] | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[') || !trimmed.endsWith(']')) return undefined;
  const list = jsonList(trimmed) ?? pythonList(trimmed);
  return list === undefined || list.length === 0 ? undefined : list;
}

function jsonList(text: string): readonly string[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) return undefined;
    const isList = list.every((entry) => typeof entry === 'string' || typeof entry === 'number');
    return isList ? list.map(String) : undefined;
  } catch {
    return undefined;
  }
}

const entry = /\s*(?:'((?:[^'\\]|\\[\s\S])*)'|"((?:[^"\\]|\\[\s\S])*)"|(-?\d+(?:\.\d+)?))\s*(,|\])/y;

function pythonList(text: string): readonly string[] | undefined {
  const list: string[] = [];
  entry.lastIndex = 1;
  for (;;) {
    const found = entry.exec(text);
    if (found === null) return undefined;
    const [, single, double, number, after] = found;
    list.push(number ?? unescaped(single ?? double ?? ''));
    if (after === ']') return entry.lastIndex === text.length ? list : undefined;
    if (/^\s*\]$/.test(text.slice(entry.lastIndex, entry.lastIndex + 20))) return list; // a comma at the end
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

const unescaped = (text: string): string =>
  text.replaceAll(
    /\\(?:x([\da-f]{2})|u([\da-f]{4})|([\s\S]))/gi,
    (_whole, byte: string | undefined, unit: string | undefined, other: string | undefined) => {
      const code = byte ?? unit;
      return code === undefined
        ? (escapes[other ?? ''] ?? other ?? '')
        : String.fromCharCode(Number.parseInt(code, 16));
    },
  );
