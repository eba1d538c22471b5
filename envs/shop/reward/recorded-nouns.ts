import { z } from 'zod';
import { UsageError } from '../../core/errors.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { fileError, quoted, type FileFixes, type FilePlace } from '../catalogue/original/file-error.ts';
import type { FileLimits } from '../catalogue/original/limits.ts';
import { parseItem } from '../catalogue/original/parse-piece.ts';
import { piecesOf } from '../catalogue/original/pieces.ts';
import type { NounSource } from './score.ts';

const headSchema = z.strictObject({ tagger: z.string().min(1).max(200) });
const titleSchema = z.strictObject({ title: z.string(), nouns: z.array(z.string().min(1)) });

/** A catalogue of 1.18 million titles has about 300 MB of nouns. */
const limits: FileLimits = { itemBytes: 1 << 16, depth: 4, fileBytes: 2 ** 31 };

/** The fixes for a file of recorded nouns. */
export const nounFileFixes: FileFixes = {
  damaged:
    'Record the nouns of all titles of the catalogue again: a JSON list of {"tagger": …} and then {"title": …, "nouns": […]} for each.',
  absent: 'Set nouns.file to the file with the recorded nouns.',
};

/**
 * How the head of a file names the model that the original's reward loads. The original pins spaCy 3.3.0, whose model has that
 * version. The models of 3.6 and 3.8 give other nouns in the original's own unit cases.
 */
const originalModel = 'spaCy en_core_web_sm 3.3.0';

/**
 * Reads nouns that a tagger produced elsewhere: a JSON list, plain or gzipped. The first item is `{"tagger":
 * "spaCy en_core_web_sm 3.3.0"}`. The others are `{"title": …, "nouns": […]}` with the nouns and proper nouns
 * of the title in order. A missing title is refused when its nouns are requested.
 *
 * @throws UsageError that names file and item where the content is invalid
 */
export async function readRecordedNouns(file: string, signal: AbortSignal): Promise<NounSource> {
  const byTitle = new Map<string, readonly string[]>();
  let tagger: string | undefined;
  for await (const { number, start, bytes } of piecesOf(file, {
    shape: 'list',
    limits,
    signal,
    fixes: nounFileFixes,
  })) {
    const place: FilePlace = { file, fixes: nounFileFixes, item: number, byte: start };
    if (tagger === undefined) {
      tagger = read(headSchema, bytes, place, '{"tagger": …}').tagger;
      continue;
    }
    const { title, nouns } = read(titleSchema, bytes, place, '{"title": …, "nouns": […]}');
    const lower = nouns.map((noun) => noun.toLowerCase());
    const before = byTitle.get(title);
    if (before !== undefined && before.join('\n') !== lower.join('\n')) {
      throw fileError({ ...place, name: title }, 'the title stands here a second time with other nouns.');
    }
    byTitle.set(title, lower);
  }
  if (tagger === undefined) throw fileError({ file, fixes: nounFileFixes }, 'the list is empty.');
  return {
    origin: { name: tagger, recorded: true, originalModel: tagger === originalModel },
    nounsOf: (title) => byTitle.get(title) ?? refuseTitle(file, title),
  };
}

/** The number of titles that are looked up before scoring. For a larger catalogue they are evenly spread. */
const titlesChecked = 10_000;

/** @throws UsageError that names the file and a title where the nouns belong to another catalogue */
export function checkTitles(nouns: NounSource, catalogue: Pick<Catalogue, 'size' | 'product'>): void {
  const checked = Math.min(catalogue.size, titlesChecked);
  for (let index = 0; index < checked; index += 1)
    nouns.nounsOf(catalogue.product(Math.floor((index * catalogue.size) / checked)).name);
}

function read<Value>(schema: z.ZodType<Value>, bytes: Buffer, place: FilePlace, wanted: string): Value {
  const parsed = schema.safeParse(parseItem(bytes, place));
  if (parsed.success) return parsed.data;
  throw fileError(place, `it is not ${wanted}.`);
}

function refuseTitle(file: string, title: string): never {
  throw new UsageError({
    where: file,
    what: `no nouns are recorded for the title ${quoted(title)}.`,
    fix: nounFileFixes.damaged,
  });
}
