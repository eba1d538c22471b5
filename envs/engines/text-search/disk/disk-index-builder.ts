import { UsageError } from '../../../core/errors.ts';
import type { PagedWriter } from '../../paged-file/paged-writer.ts';
import type { Analyzer } from '../analyzer.ts';
import { anseriniParameters, inverseNorms, type Bm25Parameters } from '../bm25.ts';
import { englishAnalyzer } from '../english-analyzer.ts';
import { Grower } from '../grower.ts';
import { assertParameters, type TextIndexOptions } from '../index-builder.ts';
import { encodeLength } from '../length-code.ts';
import { TermLog } from '../term-log.ts';
import { diskFormat, diskParts, type DiskHeader } from './disk-format.ts';
import { mergeRuns } from './merge-runs.ts';
import { PostingWriter } from './posting-writer.ts';
import { RunFile } from './run-file.ts';
import { TermBlocksWriter } from './term-blocks.ts';

export interface DiskIndexOptions extends TextIndexOptions {
  /** A temporary file in an existing folder. */
  readonly runFile: string;
  /** Postings of a run; memory holds about ten bytes for each. Default: 2^24. */
  readonly runPostings?: number;
}

const usualRunPostings = 2 ** 24;
/** Distinct tokens of a run, at most. Memory holds some 60 bytes for each. */
const mostRunTokens = 2 ** 21;

/** What a reader of the index needs. */
export interface WrittenIndex {
  readonly header: DiskHeader;
  readonly parts: Readonly<Record<string, Uint8Array>>;
}

/**
 * Builds an index on disk of documents that are added one by one. Memory holds one run of postings and a byte per document; other
 * runs are in a temporary file, and are merged in the end (external inversion by sorted runs: Heinz and Zobel 2003). Results of the
 * index equal those of one in memory. Close the builder in any case.
 */
export class DiskIndexBuilder {
  readonly #analyzer: Analyzer;
  readonly #parameters: Bm25Parameters;
  readonly #runPostings: number;
  readonly #runs: RunFile;
  readonly #lengths = new Grower(Uint8Array);
  #log: TermLog;
  /** The first document of the log. */
  #first = 0;
  #occurrences = 0;
  #postings = 0;
  #documentsWithTerms = 0;
  #isClosed = false;

  constructor({
    runFile,
    runPostings = usualRunPostings,
    analyzer = englishAnalyzer,
    parameters = anseriniParameters,
  }: DiskIndexOptions) {
    assertParameters(parameters);
    this.#analyzer = analyzer;
    this.#parameters = parameters;
    this.#runPostings = runPostings;
    this.#log = new TermLog(analyzer);
    this.#runs = new RunFile(runFile);
  }

  /** Indexes the next document. A full run is written to the disk, which takes some seconds. */
  add(text: string): void {
    const length = this.#log.add(text);
    this.#occurrences += length;
    this.#lengths.push(encodeLength(length));
    if (length > 0) this.#documentsWithTerms += 1;
    if (this.#log.postings >= this.#runPostings || this.#log.tokens >= mostRunTokens) this.#writeRun();
  }

  /** Writes the index. Call it once. */
  async finish(
    out: PagedWriter,
    signal: AbortSignal,
    advance: (done: number, total: number) => void = () => undefined,
  ): Promise<WrittenIndex> {
    if (this.#isClosed)
      throw new UsageError({
        where: 'disk index builder',
        what: 'it was used after close().',
        fix: 'Create a new builder for every index.',
      });
    if (this.#log.postings > 0) this.#writeRun();
    const lengths = this.#lengths.array.subarray(0, this.#lengths.length);
    const norms = inverseNorms(this.#parameters, this.#occurrences / this.#documentsWithTerms);
    const terms = new TermBlocksWriter(out);
    const count = await mergeRuns(this.#runs.readers(), {
      out,
      postings: new PostingWriter(out, { lengths, norms }),
      terms,
      signal,
      advance: (done) => advance(done, this.#postings),
    });
    return {
      header: {
        format: diskFormat,
        analyzer: this.#analyzer.id,
        parameters: { ...this.#parameters },
        documents: lengths.length,
        documentsWithTerms: this.#documentsWithTerms,
        occurrences: this.#occurrences,
        terms: count,
        postings: this.#postings,
      },
      parts: { [diskParts.lengths]: lengths, ...terms.finish() },
    };
  }

  /** Removes the temporary file. A second call does nothing. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#runs.remove();
  }

  #writeRun(): void {
    this.#runs.add(this.#log, this.#first);
    this.#postings += this.#log.postings;
    this.#first = this.#lengths.length;
    this.#log = new TermLog(this.#analyzer);
  }
}
