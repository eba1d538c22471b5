import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { z } from 'zod';
import { messageOf, UsageError } from '../../../core/errors.ts';
import { decodeLoosely } from '../../../core/user-file.ts';
import { readLines } from './read-lines.ts';
import { CsvRecords, unclosedQuote, usualQuoteLimits } from './csv-records.ts';
import { longestRow, type ReadRows, type Row } from './row.ts';

const recordSchema = z.record(z.string(), z.string());
const batchRows = 256;

/**
 * Reads the records of a CSV or TSV file with a header line, in batches. Semicolons and tabs also separate the fields of a
 * `.csv` file whose first line has no comma. A record may have line breaks in quotes. A quote that does not close makes its line a
 * bad row, and so does another number of fields.
 *
 * @throws UsageError where the file has no header
 */
export async function* readCsvRows(file: string, options: ReadRows): AsyncGenerator<readonly Row[], void> {
  const bad: Row[] = [];
  const addBad = (line: number | string, why: string): void => {
    bad.push({ kind: 'bad', place: `line ${line}`, why });
  };
  const lines = decodedLines(file, options);
  const { value: first } = await lines.next();
  const firstLine = first?.find(({ text }) => text.trim() !== '');
  if (first === undefined || firstLine === undefined) return;
  const named = options.headerless?.(firstLine.text);
  const delimiter = named?.delimiter ?? delimiterOf(file, firstLine.text);
  const parser = parse({
    columns:
      named === undefined ? (header: string[]) => header.map((name) => name.trim()) : [...named.columns],
    delimiter,
    info: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: options.mostBytes ?? longestRow,
    on_skip: (error) => {
      addBad(
        error === undefined || !('lines' in error) ? '?' : String(error['lines']),
        messageOf(error).slice(0, 200),
      );
      return undefined;
    },
  });
  const records = new CsvRecords(delimiter, usualQuoteLimits, (line) => {
    if (line === firstLine.number && named === undefined)
      throw new UsageError({
        where: file,
        what: 'its header has a quote that does not close.',
        fix: 'Close it.',
      });
    addBad(line, unclosedQuote);
  });
  const source = Readable.from(recordTexts(records, first, lines));
  source.on('error', (thrown) => parser.destroy(thrown));
  source.pipe(parser);
  let batch: Row[] = [];
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      readonly record: unknown;
      readonly info: { readonly lines: number };
    }>) {
      const read = recordSchema.safeParse(record);
      const place = `line ${info.lines}`;
      batch.push(...bad.splice(0));
      batch.push(
        read.success
          ? { kind: 'row', place, value: read.data }
          : { kind: 'bad', place, why: 'it does not fit the header' },
      );
      if (batch.length < batchRows) continue;
      yield batch;
      batch = [];
    }
  } catch (thrown) {
    options.signal.throwIfAborted();
    if (UsageError.is(thrown)) throw thrown;
    throw new UsageError(
      { where: file, what: `it is no CSV: ${messageOf(thrown)}.`, fix: 'Give a file with a header line.' },
      { cause: thrown },
    );
  } finally {
    source.destroy();
    parser.destroy();
    await lines.return(); // closes the file where the source has read nothing yet
  }
  yield [...batch, ...bad];
}

function delimiterOf(file: string, firstLine: string): string {
  if (/\.tsv(?:\.gz)?$/i.test(file)) return '\t';
  if (firstLine.includes(',')) return ',';
  return ['\t', ';'].find((delimiter) => firstLine.includes(delimiter)) ?? ',';
}

interface TextLine {
  readonly number: number;
  readonly text: string;
}

async function* recordTexts(
  records: CsvRecords,
  first: readonly TextLine[],
  others: AsyncGenerator<readonly TextLine[], void>,
): AsyncGenerator<string, void> {
  const textsOf = (lines: readonly TextLine[]): string => {
    let text = '';
    for (const line of lines) text += records.push(line.number, line.text);
    return text;
  };
  yield textsOf(first);
  for await (const lines of others) yield textsOf(lines);
  yield records.end();
}

async function* decodedLines(file: string, options: ReadRows): AsyncGenerator<readonly TextLine[], void> {
  const { mostBytes = longestRow, onOddEncoding, signal, onBytes } = options;
  for await (const lines of readLines(file, { signal, mostBytes, ...(onBytes && { onBytes }) })) {
    yield lines.map(({ number, bytes }): TextLine => {
      if (bytes === undefined) return { number, text: '' }; // its record becomes a bad row, or a shorter one
      if (isUtf8(bytes)) return { number, text: bytes.toString() };
      onOddEncoding?.(`line ${number}`);
      return { number, text: decodeLoosely(bytes) };
    });
  }
}
