import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { UsageError } from '../../../core/errors.ts';
import { readRows } from '../read/read-rows.ts';
import {
  assertFields,
  documentOf,
  idColumnOf,
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
/** Repeated ids whose last number is remembered by name: about 10 MB. */
const rememberedAtMost = 100_000;
/** Last numbers of further ids, by a digest of 20 bits: ids that share one skip numbers. */
const furtherSlots = 2 ** 20;
/** Rows after which a file of bad rows is refused. */
const judgedAfter = 1_000;
/** The columns of a file are those of its first rows. */
const columnRows = 100;
/** Names of columns that are remembered. */
const mostColumns = 10_000;

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
  readonly #numbers = new RepeatNumbers();
  #cut = 0;
  #odd = 0;
  #rows = 0;
  #dimensions: number | undefined;
  #chosen: ChosenFields | undefined;
  readonly #columns = new Set<string>();
  #columnRows = 0;
  #hasColumns = false;
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
        this.#addColumns(row.value);
        const chosen = (this.#chosen ??= {
          ...this.#fields,
          id: this.#fields.id ?? idColumnOf(row.value),
        });
        const document = documentOf(row.value, this.#fields, this.#rows);
        const flaw = typeof document === 'string' ? document : this.#flawOfVector(document, chosen);
        if (typeof document === 'string' || flaw !== undefined) this.#addBad(row.place, flaw ?? '');
        else
          batch.push(
            this.#admitted(row.span === undefined ? document : { ...document, span: row.span }, isNew),
          );
      }
      documents += batch.length;
      if (this.#rows >= columnRows) this.#assertColumns();
      this.#assertMostlyGood(false);
      if (batch.length > 0) yield batch;
    }
    this.#assertColumns();
    this.#assertMostlyGood(true);
    if (documents === 0) throw this.#refused('it has no documents');
  }

  #addColumns(value: Readonly<Record<string, unknown>>): void {
    if (this.#columnRows >= columnRows) return;
    this.#columnRows += 1;
    for (const name of Object.keys(value)) if (this.#columns.size < mostColumns) this.#columns.add(name);
  }

  /** @throws UsageError where the first rows lack a column */
  #assertColumns(): void {
    if (this.#hasColumns || this.#columnRows === 0) return;
    assertFields(this.#file, this.#columns, this.#fields);
    this.#hasColumns = true;
  }

  /** The columns that are read, after the first document; the id is that of the first row. */
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
      do id = `${given}#${this.#numbers.next(given)}`;
      while (!isNew(id));
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

/** The numbers of repeated ids, from 2. They are remembered, so that repeats are not counted from 2 each time. */
class RepeatNumbers {
  readonly #last = new Map<string, number>();
  #further: Uint32Array | undefined;

  next(id: string): number {
    const last = this.#last.get(id);
    if (last !== undefined || this.#last.size < rememberedAtMost) {
      const number = (last ?? 1) + 1;
      this.#last.set(id, number);
      return number;
    }
    this.#further ??= new Uint32Array(furtherSlots).fill(1);
    const slot = crc32(id) % furtherSlots;
    return (this.#further[slot] = (this.#further[slot] as number) + 1);
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
