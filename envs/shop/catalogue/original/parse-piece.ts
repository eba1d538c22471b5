import { isUtf8 } from 'node:buffer';
import { messageOf } from '../../../core/errors.ts';
import { fileError, type FilePlace } from './file-error.ts';

/**
 * Parses one item of a list.
 *
 * @throws UsageError that names the item when it is not JSON
 */
export function parseItem(bytes: Buffer, place: FilePlace): unknown {
  return parse(textOf(bytes, place), place);
}

/** A prefix for names that are integers, which makes them ordinary names. */
const mark = '\uE000';
const marked = new RegExp(`^${mark}(?=\\d+$)`);

/**
 * The names in an object that is a field of an item, in the order of the file. A JavaScript object lists
 * integer names before all others. So the item is parsed once more, for the few that have such names.
 */
export function namesInOrder(bytes: Buffer, field: string, place: FilePlace): readonly string[] {
  // a quote after a backslash is inside a text
  const text = textOf(bytes, place).replaceAll(/(?<!\\)"(?=\d+"\s*:)/g, `"${mark}`);
  const item = parse(text, place) as Readonly<Record<string, object>>;
  return Object.keys(item[field] ?? {}).map((name) => name.replace(marked, ''));
}

/** Parses the name and value of one entry of an object. */
export function parseEntry(bytes: Buffer, place: FilePlace): readonly [name: string, value: unknown] {
  // in braces it is either an object or invalid JSON
  const object = parse(`{${textOf(bytes, place)}}`, place) as object;
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

/**
 * Replaces Python's `NaN` and `Infinity`, which JSON does not have. No used field contains a number, except
 * prices, which are texts.
 */
function withoutPythonNumbers(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/gs, (found) =>
    found.startsWith('"') ? found : 'null',
  );
}
