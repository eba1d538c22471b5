import { z } from 'zod';
import type { StoredDocument } from '../../envs/engines/retrieval/document.ts';
import type { StoredRetriever } from '../../envs/engines/retrieval/stored-retriever.ts';
import { PythonFloat, writePythonJson, type PythonJson } from './python-json.ts';

const retrieveSchema = z.object({
  queries: z.array(z.string()),
  topk: z.int().nullish(),
  return_scores: z.boolean().default(false),
});
const accessSchema = z.object({ urls: z.array(z.string()) });

/** An answer of the API: an HTTP status and JSON. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: string;
}

export interface SearchApiOptions {
  readonly retriever: StoredRetriever;
  /** Results of a query that asks for no number. */
  readonly topk: number;
  /** Whether the ids are addresses: documents then have a `url` too, as ASearcher expects. */
  readonly hasUrls: boolean;
}

/** Results of a query, at most; a corpus that is dumped by one query would block all others. */
export const mostResults = 1_000;

/**
 * The API of the retrieval servers of Search-R1 and ASearcher: `POST /retrieve` and `POST /access`. Its answers are
 * equal to theirs byte by byte, given equal documents and scores.
 */
export class SearchApi {
  readonly #options: SearchApiOptions;

  constructor(options: SearchApiOptions) {
    this.#options = options;
  }

  /** Answers `/retrieve`. Other requests get a turn between two queries. */
  async retrieve(body: unknown, signal: AbortSignal): Promise<ApiAnswer> {
    const read = retrieveSchema.safeParse(body);
    if (!read.success) return unprocessable(read.error);
    const { queries, topk, return_scores: hasScores } = read.data;
    const limit = topk === undefined || topk === null || topk === 0 ? this.#options.topk : topk;
    if (limit < 1 || limit > mostResults)
      return refused(422, `topk must be from 1 to ${mostResults}, not ${limit}`);
    const all = await this.#options.retriever.found(queries, limit, signal);
    const result = all.map((found) =>
      found.map(([document, score]) =>
        hasScores ? { document: this.#row(document), score: new PythonFloat(score) } : this.#row(document),
      ),
    );
    return { status: 200, body: writePythonJson({ result }) };
  }

  /** Answers `/access`: a page for each address, null where there is none. */
  access(body: unknown): ApiAnswer {
    const read = accessSchema.safeParse(body);
    if (!read.success) return unprocessable(read.error);
    const result = read.data.urls.map((url) => this.#page(url));
    return { status: 200, body: writePythonJson({ result }) };
  }

  #page(url: string): PythonJson {
    // MediaWiki has two forms of address, and ASearcher's pages are stored under one
    const found =
      this.#options.retriever.documentNow(url) ??
      this.#options.retriever.documentNow(url.replaceAll('index.php/', 'index.php?title='));
    return found === undefined ? null : { url: found.id, contents: found.contents };
  }

  #row({ id, contents }: StoredDocument): PythonJson {
    return this.#options.hasUrls ? { id, url: id, contents } : { id, contents };
  }
}

/** An error as FastAPI writes it. */
export const refused = (status: number, detail: string): ApiAnswer => ({
  status,
  body: writePythonJson({ detail }),
});

function unprocessable(error: z.ZodError): ApiAnswer {
  const detail = error.issues.slice(0, 10).map(({ path, message }) => ({
    type: 'value_error',
    loc: ['body', ...path.map((part) => (typeof part === 'number' ? part : String(part)))],
    msg: message,
  }));
  return { status: 422, body: writePythonJson({ detail }) };
}
