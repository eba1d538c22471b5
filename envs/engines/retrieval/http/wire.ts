import { z } from 'zod';
import { titleOf, textOf } from '../document.ts';
import type { Hit } from '../retriever.ts';

/*
 * The messages of retrieval servers, as Search-R1 (a14dc3a) and ASearcher (813e804) have them:
 *
 *   POST /retrieve {"queries": [text], "topk": 3, "return_scores": true}
 *     -> {"result": [[{"document": {"id", "contents"}, "score": 1.5}]]}, without scores the bare documents
 *   POST /access {"urls": [id]} -> {"result": [page or null]}
 */

const id = z.union([z.string(), z.number(), z.null()]).optional();

const documentSchema = z.looseObject({
  id,
  url: z.string().optional(),
  title: z.string().optional(),
  text: z.string().optional(),
  contents: z.string().optional(),
});
type WireDocument = z.output<typeof documentSchema>;

const foundSchema = z.union([z.looseObject({ document: documentSchema, score: z.number() }), documentSchema]);

/** The answer of `/retrieve` to one query. */
export const retrieveSchema = z.looseObject({ result: z.tuple([z.array(foundSchema)]) });

/** The answer of `/access` to one address. */
export const accessSchema = z.looseObject({
  result: z.tuple([
    z.union([
      z.null(),
      z.string(),
      z.looseObject({
        title: z.string().optional(),
        contents: z.string().optional(),
        page: z.string().optional(),
        text: z.string().optional(),
      }),
    ]),
  ]),
});

/** The hits of an answer, or undefined where a document has no text. */
export function hitsOf({ result: [found] }: z.output<typeof retrieveSchema>): readonly Hit[] | undefined {
  const hits: Hit[] = [];
  for (const [rank, entry] of found.entries()) {
    const isScored = 'document' in entry && 'score' in entry && typeof entry['score'] === 'number';
    const hit = hitOf(
      isScored ? documentSchema.parse(entry['document']) : documentSchema.parse(entry),
      isScored ? Number(entry['score']) : found.length - rank,
    );
    if (hit === undefined) return undefined;
    hits.push(hit);
  }
  return hits;
}

function hitOf({ id: given, url, title, text, contents }: WireDocument, score: number): Hit | undefined {
  if (contents === undefined) {
    if (title === undefined || text === undefined) return undefined;
    return { id: String(url ?? given ?? title), title, text, score };
  }
  const document = { id: '', contents };
  const heading = titleOf(document);
  return { id: String(url ?? given ?? heading), title: heading, text: textOf(document), score };
}

/** Title and text of a page, or undefined where it has none. */
export function pageTextOf(
  page: NonNullable<z.output<typeof accessSchema>['result'][0]>,
): { readonly title: string | undefined; readonly text: string } | undefined {
  if (typeof page === 'string') return { title: undefined, text: page };
  const { contents } = page;
  if (contents !== undefined)
    return { title: titleOf({ id: '', contents }), text: textOf({ id: '', contents }) };
  const text = page.page ?? page.text;
  return text === undefined ? undefined : { title: page.title, text };
}
