import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { z } from 'zod';
import { messageOf, UsageError } from '../../../core/errors.ts';
import { decodeLoosely } from '../../../core/user-file.ts';
import { readLines } from './read-lines.ts';
import { longestRow, type ReadRows, type Row } from './row.ts';

const recordSchema = z.record(z.string(), z.string());
const batchRows = 256;

/**
 * Reads the records of a CSV or TSV file with a header line, in batches. A record may have line breaks in quotes.
 * Records of another number of fields are bad rows.
 *
 * @throws UsageError where the file has no header
 */
export async function* readCsvRows(file: string, options: ReadRows): AsyncGenerator<readonly Row[], void> {
  const bad: Row[] = [];
  const parser = parse({
    columns: (header: string[]) => header.map((name) => name.trim()),
    delimiter: /\.tsv(?:\.gz)?$/.test(file) ? '\t' : ',',
    info: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: options.mostBytes ?? longestRow,
    on_skip: (error) => {
      bad.push({
        kind: 'bad',
        place: `line ${error === undefined || !('lines' in error) ? '?' : String(error['lines'])}`,
        why: messageOf(error).slice(0, 200),
      });
      return undefined;
    },
  });
  const source = Readable.from(decodedLines(file, options));
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
  }
  yield [...batch, ...bad];
}

async function* decodedLines(file: string, options: ReadRows): AsyncGenerator<string, void> {
  const { mostBytes = longestRow, onOddEncoding, ...rest } = options;
  for await (const lines of readLines(file, { ...rest, mostBytes })) {
    let text = '';
    for (const { number, bytes } of lines) {
      if (bytes === undefined) continue; // the record that it belongs to becomes a bad row, or a shorter one
      if (isUtf8(bytes)) text += `${bytes.toString()}\n`;
      else {
        onOddEncoding?.(`line ${number}`);
        text += `${decodeLoosely(bytes)}\n`;
      }
    }
    yield text;
  }
}
