import { hash } from 'node:crypto';

/** Characters of a short digest: 132 bits, enough to make collisions negligible. */
const fullLength = 22;

/** The first characters of a text's SHA-256 in base64url. State keys and anchor keys use it. */
export function shortDigest(text: string, length = fullLength): string {
  return hash('sha256', text, 'base64url').slice(0, length);
}
