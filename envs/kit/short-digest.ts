import { createHash } from 'node:crypto';

/** Characters of a short digest: 132 bits, so that different texts have different ones. */
const fullLength = 22;

/** The first characters of a text's SHA-256 in base64url, for keys of worlds and of what was shown. */
export function shortDigest(text: string, length = fullLength): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, length);
}
