import { isUtf8 } from 'node:buffer';
import { messageOf } from '../../../core/errors.ts';
import { fileError, type FilePlace } from './file-error.ts';

/** The value of one item of a list. Throws a `UsageError` that names the item when it is no JSON. */
export function parseItem(bytes: Buffer, place: FilePlace): unknown {
  return parse(textOf(bytes, place), place);
}

/** Stands before a name in JSON that is a whole number, which makes it any other name. */
const mark = '\uE000';
const marked = new RegExp(`^${mark}(?=\\d+$)`);

/**
 * The names in an object that is a field of an item, in the order of the file: an object of JavaScript has those that are whole
 * numbers before all others. The item is parsed once more, for those few that have such names.
 */
export function namesInOrder(bytes: Buffer, field: string, place: FilePlace): readonly string[] {
  const text = textOf(bytes, place).replaceAll(/(?<!\\)"(?=\d+"\s*:)/g, `"${mark}`); // behind a backslash a quote is within a text
  const item = parse(text, place) as Readonly<Record<string, object>>;
  return Object.keys(item[field] ?? {}).map((name) => name.replace(marked, ''));
}

/** Name and value of one entry of an object. */
export function parseEntry(bytes: Buffer, place: FilePlace): readonly [name: string, value: unknown] {
  const object = parse(`{${textOf(bytes, place)}}`, place) as object; // braces make an object or no JSON at all
  const [entry] = Object.entries(object) as [string, unknown][];
  if (entry === undefined) throw fileError(place, 'it is no entry of an object.');
  return entry;
}

function textOf(bytes: Buffer, place: FilePlace): string {
  if (!isUtf8(bytes)) throw fileError(place, 'it is not UTF-8 text.');
  return bytes.toString('utf8');
}

function parse(text: string, place: FilePlace): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    const plain = withoutPythonNumbers(text);
    if (plain !== text) return parse(plain, place);
    throw fileError(
      place,
      `it is not JSON: ${messageOf(thrown)
        .replaceAll(/[^\x20-\x7E]/g, '?')
        .slice(0, 160)}.`,
      undefined,
      { cause: thrown },
    );
  }
}

/** Python writes and reads `NaN` and `Infinity`, which JSON has not; no field that is used holds a number but prices, which are texts. */
function withoutPythonNumbers(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/gs, (found) =>
    found.startsWith('"') ? found : 'null',
  );
}
