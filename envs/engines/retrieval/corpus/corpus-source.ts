import { createHash } from 'node:crypto';
import { UsageError } from '../../../core/errors.ts';
import { readRows } from '../read/read-rows.ts';
import {
  chooseFields,
  documentOf,
  type ChosenFields,
  type CorpusDocument,
  type CorpusFields,
} from './corpus-fields.ts';

/** What was skipped or changed, by name. */
export interface CorpusReport {
  /** Rows that are no documents. */
  readonly badRows: number;
  /** The first bad rows, each with its reason. */
  readonly firstBad: readonly string[];
  /** Documents whose id an earlier one has. Their ids got `#2`, `#3` and so on. */
  readonly repeatedIds: number;
  readonly firstRepeated: readonly string[];
  /** Texts that were cut at the limit. */
  readonly cutTexts: number;
  /** Rows that are not UTF-8; they were read as Windows-1252. */
  readonly oddEncodings: number;
}

/** Limits of a corpus. */
export interface CorpusLimits {
  /** Bytes of a row in a text file; a longer one is a bad row. */
  readonly rowBytes: number;
  /** Characters of a document; the rest is cut. */
  readonly textCharacters: number;
  /** Bad rows after which the file is refused, as a share of the rows read. */
  readonly badShare: number;
}

export const usualLimits: CorpusLimits = {
  rowBytes: 128 * 2 ** 20,
  textCharacters: 2 ** 20,
  badShare: 0.5,
};

const namedAtMost = 5;
const rememberedAtMost = 10_000;
/** Rows after which a file of bad rows is refused. */
const judgedAfter = 1_000;

/** Reads the documents of a corpus file once, in order. */
export class CorpusSource {
  readonly #file: string;
  readonly #fields: CorpusFields;
  readonly #limits: CorpusLimits;
  readonly #hash = createHash('sha256');
  #bad = 0;
  readonly #firstBad: string[] = [];
  #repeated = 0;
  readonly #firstRepeated: string[] = [];
  /** The last number of recent repeated ids: a million rows of one id are not counted from 2 each time. */
  readonly #lastNumber = new Map<string, number>();
  #cut = 0;
  #odd = 0;
  #rows = 0;
  #dimensions: number | undefined;
  #chosen: ChosenFields | undefined;
  /** Bytes of the file that were read. */
  bytes = 0;

  constructor(file: string, fields: CorpusFields, limits: CorpusLimits) {
    this.#file = file;
    this.#fields = fields;
    this.#limits = limits;
  }

  /**
   * The documents in batches. `isNew` says whether an id has not been added yet, and adds it.
   *
   * @throws UsageError where the file cannot be read, has no document, or most of its rows are bad
   */
  async *documents(
    signal: AbortSignal,
    isNew: (id: string) => boolean,
  ): AsyncGenerator<readonly CorpusDocument[], void> {
    let documents = 0;
    const reading = readRows(this.#file, {
      signal,
      mostBytes: this.#limits.rowBytes,
      onBytes: (chunk) => {
        this.#hash.update(chunk);
        this.bytes += chunk.length;
      },
      onOddEncoding: () => void (this.#odd += 1),
    });
    for await (const rows of reading) {
      const batch: CorpusDocument[] = [];
      for (const row of rows) {
        this.#rows += 1;
        if (row.kind === 'bad') {
          this.#addBad(row.place, row.why);
          continue;
        }
        const chosen = (this.#chosen ??= chooseFields(this.#file, Object.keys(row.value), this.#fields));
        const document = documentOf(row.value, chosen, this.#rows - 1);
        const flaw = typeof document === 'string' ? document : this.#flawOfVector(document, chosen);
        if (typeof document === 'string' || flaw !== undefined) this.#addBad(row.place, flaw ?? '');
        else
          batch.push(
            this.#admitted(row.span === undefined ? document : { ...document, span: row.span }, isNew),
          );
      }
      documents += batch.length;
      this.#assertMostlyGood(false);
      if (batch.length > 0) yield batch;
    }
    this.#assertMostlyGood(true);
    if (documents === 0) throw this.#refused('it has no documents');
  }

  /** The columns that are read, after the first document. */
  get chosen(): ChosenFields | undefined {
    return this.#chosen;
  }

  /** The digest of the file's bytes, after the last document. */
  digest(): string {
    return this.#hash.digest('hex');
  }

  report(): CorpusReport {
    return {
      badRows: this.#bad,
      firstBad: [...this.#firstBad],
      repeatedIds: this.#repeated,
      firstRepeated: [...this.#firstRepeated],
      cutTexts: this.#cut,
      oddEncodings: this.#odd,
    };
  }

  /** Why a vector cannot stand beside the first one. */
  #flawOfVector({ vector }: CorpusDocument, fields: ChosenFields): string | undefined {
    if (vector === undefined) return undefined;
    this.#dimensions ??= vector.length;
    return vector.length === this.#dimensions
      ? undefined
      : `its ${fields.vector} has ${vector.length} numbers, and the first one has ${this.#dimensions}`;
  }

  #admitted(document: CorpusDocument, isNew: (id: string) => boolean): CorpusDocument {
    const { id: given, contents: whole } = document;
    let id = given;
    if (!isNew(given)) {
      let number = this.#lastNumber.get(given) ?? 1;
      do id = `${given}#${(number += 1)}`;
      while (!isNew(id));
      if (this.#lastNumber.size >= rememberedAtMost) this.#lastNumber.clear();
      this.#lastNumber.set(given, number);
      this.#repeated += 1;
      if (this.#firstRepeated.length < namedAtMost) this.#firstRepeated.push(given.slice(0, 100));
    }
    const most = this.#limits.textCharacters;
    if (whole.length <= most) return { ...document, id };
    this.#cut += 1;
    return { ...document, id, contents: cutText(whole, most) };
  }

  #addBad(place: string, why: string): void {
    this.#bad += 1;
    if (this.#firstBad.length < namedAtMost) this.#firstBad.push(`${place}: ${why}`);
  }

  #assertMostlyGood(isEnd: boolean): void {
    if (this.#bad <= this.#limits.badShare * this.#rows || (!isEnd && this.#rows < judgedAfter)) return;
    throw this.#refused(`${this.#bad} of its first ${this.#rows} rows are no documents`);
  }

  #refused(what: string): UsageError {
    const first = this.#firstBad.length === 0 ? '' : ` ${this.#firstBad.join('; ')}.`;
    return new UsageError({
      where: this.#file,
      what: `${what}.${first}`,
      fix: 'Give a file with one document a row, and name its columns in `fields`.',
    });
  }
}

/** The first `most` characters of a text, without half of a pair at the end. */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');

/** The report in lines of name and count, without zeros. */
export function talliesOf(report: CorpusReport): readonly (readonly [name: string, count: number])[] {
  const named = (what: string, first: readonly string[]): string =>
    first.length === 0 ? what : `${what} (${first.join('; ')}${first.length < namedAtMost ? '' : '; …'})`;
  const tallies: readonly (readonly [string, number])[] = [
    [named('rows that are no documents', report.firstBad), report.badRows],
    [named('repeated ids, which were numbered', report.firstRepeated), report.repeatedIds],
    ['texts that were cut at the limit', report.cutTexts],
    ['rows that are not UTF-8, read as Windows-1252', report.oddEncodings],
  ];
  return tallies.filter(([, count]) => count > 0);
}
