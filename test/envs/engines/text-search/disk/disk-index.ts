import { open } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import { PagedFile } from '../../../../../envs/engines/paged-file/paged-file.ts';
import type { FileKind } from '../../../../../envs/engines/paged-file/layout.ts';
import { PagedWriter } from '../../../../../envs/engines/paged-file/paged-writer.ts';
import { diskHeaderSchema } from '../../../../../envs/engines/text-search/disk/disk-format.ts';
import {
  DiskIndexBuilder,
  type DiskIndexOptions,
} from '../../../../../envs/engines/text-search/disk/disk-index-builder.ts';
import { DiskTextIndex } from '../../../../../envs/engines/text-search/disk/disk-text-index.ts';

export const testKind: FileKind = {
  magic: 'CAIRNTST',
  version: 1,
  name: 'test index',
  fix: 'Make it again.',
};

/** Writes an index of documents into a file, and opens it until the test ends. */
export async function diskIndexOf(
  file: string,
  documents: readonly string[],
  options: Omit<DiskIndexOptions, 'runFile'> = {},
): Promise<DiskTextIndex> {
  const builder = new DiskIndexBuilder({ ...options, runFile: `${file}.runs` });
  try {
    for (const text of documents) builder.add(text);
    await using handle = await open(file, 'w+');
    const writer = new PagedWriter(handle);
    const { header, parts } = await builder.finish(writer, new AbortController().signal);
    await writer.finish(testKind, { content: header, parts });
  } finally {
    builder.close();
  }
  const paged = new PagedFile(file, testKind, 1 << 18);
  onTestFinished(() => paged.close());
  return new DiskTextIndex(paged, diskHeaderSchema.parse(paged.content), options.analyzer);
}
