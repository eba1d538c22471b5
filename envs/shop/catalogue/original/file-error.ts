import { UsageError } from '../../../core/errors.ts';

/** What helps with a file of some kind: what else is wrong has a fix of its own. */
export interface FileFixes {
  /** Where its content is not what it should be. */
  readonly damaged: string;
  /** Where it cannot be read, or is no file. */
  readonly absent: string;
}

const publishedFile: FileFixes = {
  damaged: 'Fetch the file again as WebShop publishes it.',
  absent: 'Give the folder with the data files of WebShop.',
};

/** A file that the user named, or that lies in a folder that they named. */
export interface DataFile {
  readonly file: string;
  /** Those of the files that WebShop publishes when left out. */
  readonly fixes?: FileFixes | undefined;
}

/** A place in a data file, for errors. */
export interface FilePlace extends DataFile {
  /** Of the list's items or the object's entries, from 1. */
  readonly item?: number;
  /** Where it begins, in bytes of the file as it is decompressed, from 0. */
  readonly byte?: number;
  /** Where the file ends before it should, in the same bytes. */
  readonly end?: number;
  /** Id or name of the item, where it is known. */
  readonly name?: string | undefined;
}

/** What an error was made of, for whoever adds to it. */
interface Made {
  readonly place: FilePlace;
  readonly what: string;
}
const made = new WeakMap<Error, Made>();

/** What is wrong with a file that the user named. Its byte is known at once, its line when {@link lineSought} and {@link withLine} are asked. */
export function fileError(
  place: FilePlace,
  what: string,
  fix = fixesOf(place).damaged,
  options?: ErrorOptions,
): UsageError {
  const at = place.byte === undefined ? '' : ` It begins at byte ${place.byte}.`;
  const error = new UsageError({ where: placeWords(place), what: what + at, fix }, options);
  made.set(error, { place, what });
  return error;
}

/** What helps with that file. */
export const fixesOf = ({ fixes = publishedFile }: DataFile): FileFixes => fixes;

/** The byte of a file whose line an error lacks; undefined for what is no error of a place in a file. */
export function lineSought(thrown: unknown): { readonly file: string; readonly byte: number } | undefined {
  const place = thrown instanceof Error ? made.get(thrown)?.place : undefined;
  const byte = place?.byte ?? place?.end;
  return place === undefined || byte === undefined ? undefined : { file: place.file, byte };
}

/** The same error with the line, counted from 1, on which its item begins or its file ends. */
export function withLine(error: Error, line: number): Error {
  const of = made.get(error);
  if (of === undefined || !UsageError.is(error)) return error;
  const { place, what } = of;
  const at =
    place.byte === undefined
      ? `It ends on line ${line}.`
      : `It begins at byte ${place.byte}, on line ${line}.`;
  return new UsageError({ ...error.parts, what: `${what} ${at}` }, { cause: error.cause });
}

function placeWords({ file, item, name }: FilePlace): string {
  if (item === undefined) return file;
  return name === undefined ? `${file}, item ${item}` : `${file}, item ${item} (${quoted(name)})`;
}

/** Text of a file, cut and escaped so that it is safe in a message. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text).replaceAll(
    /[\u007F-\u009F\u2028\u2029]/g,
    '?',
  );
}
