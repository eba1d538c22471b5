import { isUtf8 } from 'node:buffer';
import { messageOf } from '../../../core/errors.ts';
import { fileError, type FilePlace } from './file-error.ts';

/** The value of one item of a list. Throws a `UsageError` that names the item when it is no JSON. */
export function parseItem(bytes: Buffer, place: FilePlace): unknown {
  return parse(textOf(bytes, place), place);
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
    throw fileError(place, `it is not JSON: ${messageOf(thrown).replaceAll(/[^\x20-\x7E]/g, '?').slice(0, 160)}.`, undefined, { cause: thrown });
  }
}

/** Python writes and reads `NaN` and `Infinity`, which JSON has not; no field that is used holds a number but prices, which are texts. */
function withoutPythonNumbers(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/gs, (found) => (found.startsWith('"') ? found : 'null'));
}
