import { UsageError } from '../../../core/errors.ts';

/** A place in a data file, for errors. */
export interface FilePlace {
  readonly file: string;
  /** Of the list's items or the object's entries, from 1. */
  readonly item?: number;
  /** Where it begins, in bytes of the file as it is decompressed, from 0. */
  readonly byte?: number;
  /** Id or name of the item, where it is known. */
  readonly name?: string | undefined;
}

export const refetch = 'Fetch the file again as WebShop publishes it.';

/** What is wrong with a file that the user named. */
export function fileError(place: FilePlace, what: string, mend = refetch, options?: ErrorOptions): UsageError {
  const at = place.byte === undefined ? '' : ` It begins at byte ${place.byte}.`;
  return new UsageError({ where: placeWords(place), what: what + at, mend }, options);
}

function placeWords({ file, item, name }: FilePlace): string {
  if (item === undefined) return file;
  return name === undefined ? `${file}, item ${item}` : `${file}, item ${item} (${quoted(name)})`;
}

/** Text of a file, cut and escaped so that it is safe in a message. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text).replaceAll(/[\u007F-\u009F\u2028\u2029]/g, '?');
}
