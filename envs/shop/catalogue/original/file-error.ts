import { UsageError } from '../../../core/errors.ts';

/** The fixes for a kind of file. Other errors have fixes of their own. */
export interface FileFixes {
  /** For invalid content. */
  readonly damaged: string;
  /** For a file that cannot be read, or is no file. */
  readonly absent: string;
}

const publishedFile: FileFixes = {
  damaged: 'Fetch the file again as WebShop publishes it.',
  absent: 'Give the folder with the data files of WebShop.',
};

/** A file that the user named, or in a folder that the user named. */
export interface DataFile {
  readonly file: string;
  /** Default: those of the files that WebShop publishes. */
  readonly fixes?: FileFixes | undefined;
}

/** A place in a data file, for errors. */
export interface FilePlace extends DataFile {
  /** The number of the list's item or the object's entry, from 1. */
  readonly item?: number;
  /** Its start, in bytes of the decompressed file, from 0. */
  readonly byte?: number;
  /** The end of an incomplete file, in the same bytes. */
  readonly end?: number;
  /** Id or name of the item, where it is known. */
  readonly name?: string | undefined;
}

/** The parts of an error, for adding more to it. */
interface Made {
  readonly place: FilePlace;
  readonly what: string;
}
const made = new WeakMap<Error, Made>();

/**
 * The error for a flaw in a file that the user named. Its byte is known at once. {@link lineSought} and
 * {@link withLine} add the line.
 */
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

/** The fixes for that file. */
export const fixesOf = ({ fixes = publishedFile }: DataFile): FileFixes => fixes;

/** The byte of a file whose line an error lacks; undefined for other errors. */
export function lineSought(thrown: unknown): { readonly file: string; readonly byte: number } | undefined {
  const place = thrown instanceof Error ? made.get(thrown)?.place : undefined;
  const byte = place?.byte ?? place?.end;
  return place === undefined || byte === undefined ? undefined : { file: place.file, byte };
}

/** The same error with the line, counted from 1, on which its item starts or its file ends. */
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

/** Shortens and escapes a text of a file for a message. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text).replaceAll(
    /[\u007F-\u009F\u2028\u2029]/g,
    '?',
  );
}
