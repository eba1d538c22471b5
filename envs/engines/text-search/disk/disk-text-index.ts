import { UsageError } from '../../../core/errors.ts';
import type { PagedFile } from '../../paged-file/paged-file.ts';
import type { Analyzer } from '../analyzer.ts';
import { englishAnalyzer } from '../english-analyzer.ts';
import { QueryReader } from '../query-reader.ts';
import { assertLimit, defaultLimit, type SearchableIndex } from '../text-index.ts';
import { TopDocuments, type Hit } from '../top-documents.ts';
import { diskParts, type DiskHeader } from './disk-format.ts';
import { DiskSearch } from './disk-search.ts';
import { TermBlocks, type DiskTerm } from './term-blocks.ts';

/**
 * Full text search over an index on disk. Documents, scores and order are those of the `TextIndex` of the same documents, bit for
 * bit. Memory holds a byte per document, and pages of the file.
 */
export class DiskTextIndex implements SearchableIndex {
  readonly #header: DiskHeader;
  readonly #reader: QueryReader<DiskTerm>;
  readonly #search: DiskSearch;
  readonly #top = new TopDocuments();

  /** @throws UsageError where the terms are from another analyzer */
  constructor(file: PagedFile, header: DiskHeader, analyzer: Analyzer = englishAnalyzer) {
    if (header.analyzer !== analyzer.id)
      throw new UsageError({
        where: file.path,
        what: `its terms are from the analyzer ${header.analyzer}, but queries use ${analyzer.id}.`,
        fix: 'Pass the analyzer of the index, or index the documents again.',
      });
    const lengths = file.part(diskParts.lengths);
    if (lengths.length !== header.documents) throw file.damaged('its lengths are not those of its documents');
    const terms = new TermBlocks(file);
    this.#header = header;
    this.#reader = new QueryReader(
      { documentsWithTerms: header.documentsWithTerms, find: (term) => terms.find(term) },
      analyzer,
    );
    this.#search = new DiskSearch(file, header, lengths);
  }

  get size(): number {
    return this.#header.documents;
  }

  /**
   * As `TextIndex.search`.
   *
   * @throws RunError where the disk fails, or the file is damaged
   */
  search(query: string, limit = defaultLimit): readonly Hit[] {
    assertLimit(limit);
    this.#top.begin(Math.min(limit, this.size));
    this.#search.run(this.#reader.read(query), this.#top);
    return this.#top.drain();
  }
}
