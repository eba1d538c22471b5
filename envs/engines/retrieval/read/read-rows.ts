import { UsageError } from '../../../core/errors.ts';
import { readCsvRows } from './read-csv-rows.ts';
import { readJsonRows } from './read-json-rows.ts';
import { readParquetRows } from './read-parquet-rows.ts';
import type { ReadRows, Row } from './row.ts';

/**
 * Reads the rows of a file, in batches, by the end of its name: `.jsonl`, `.ndjson`, `.json`, `.csv`, `.tsv`, each
 * also with `.gz`, and `.parquet`.
 *
 * @throws UsageError for another name, and for a file that cannot be read
 */
export function readRows(file: string, options: ReadRows): AsyncGenerator<readonly Row[], void> {
  const name = file.toLowerCase().replace(/\.gz$/, '');
  if (/\.(?:jsonl|ndjson|json)$/.test(name)) return readJsonRows(file, options);
  if (/\.(?:csv|tsv)$/.test(name)) return readCsvRows(file, options);
  if (name.endsWith('.parquet') && name === file.toLowerCase()) return readParquetRows(file, options);
  throw new UsageError({
    where: file,
    what: 'the end of its name is not that of a supported file.',
    fix: 'Name it .jsonl, .csv, .tsv or .parquet; text files also with .gz.',
  });
}
