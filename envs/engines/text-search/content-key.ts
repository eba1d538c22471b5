import { createHash } from 'node:crypto';

/** A key of a sequence of documents: SHA-256 in hexadecimal digits. */
export async function contentKeyOf(documents: AsyncIterable<string> | Iterable<string>): Promise<string> {
  const hash = createHash('sha256').update('documents 1\n');
  for await (const text of documents) hash.update(`${text.length}:${text}`);
  return hash.digest('hex');
}
