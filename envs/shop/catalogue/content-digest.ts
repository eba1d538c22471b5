import { createHash } from 'node:crypto';
import { canonicalJson } from '../../core/json.ts';
import type { Product } from './product.ts';

/** Digest of the products of a catalogue in order: of their canonical JSON, a line each. */
export class ContentDigest {
  readonly #hash = createHash('sha256');

  add(product: Product): void {
    this.#hash.update(`${canonicalJson(product)}\n`);
  }

  /** As `sha256:` and 64 hexadecimal digits; the digest takes no more products then. */
  finish(): string {
    return `sha256:${this.#hash.digest('hex')}`;
  }
}
