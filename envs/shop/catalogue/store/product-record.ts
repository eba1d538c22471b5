import type { Product, ProductOption, Review } from '../product.ts';

/**
 * Increased whenever the bytes of an equal product change. Stored catalogues of another version are rebuilt.
 */
export const recordVersion = 1;

/**
 * Encodes products as bytes, one record after the other in one buffer. Texts are UTF-8 after their length. A
 * lone surrogate becomes U+FFFD, as in any UTF-8.
 */
export class ProductWriter {
  #bytes = Buffer.allocUnsafe(1 << 16);
  #length = 0;

  /** The record of a product. Valid until the next one is requested. */
  record(product: Product): Buffer {
    this.#length = 0;
    for (const text of [
      product.asin,
      product.name,
      product.query,
      product.category,
      product.productCategory,
      product.description,
      product.priceText,
      product.rating,
    ]) {
      this.#text(text);
    }
    this.#texts(product.bulletPoints);
    this.#texts(product.attributes);
    this.#count(product.options.length);
    for (const { name, values } of product.options) {
      this.#text(name);
      this.#texts(values);
    }
    this.#count(product.pricing.length);
    for (const price of product.pricing) this.#number(price);
    this.#count(product.reviews.length);
    for (const { title, body, score } of product.reviews)
      for (const text of [title, body, score]) this.#text(text);
    return this.#bytes.subarray(0, this.#length);
  }

  #texts(texts: readonly string[]): void {
    this.#count(texts.length);
    for (const text of texts) this.#text(text);
  }

  #text(text: string): void {
    const bytes = Buffer.byteLength(text);
    this.#count(bytes);
    this.#reserve(bytes);
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
  }

  #number(value: number): void {
    this.#reserve(8);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
  }

  /** Writes seven bits per byte, low bits first. The high bit marks that more bytes follow. */
  #count(value: number): void {
    this.#reserve(5);
    let left = value;
    for (; left >= 0x80; left >>>= 7) this.#bytes[this.#length++] = (left & 0x7f) | 0x80;
    this.#bytes[this.#length++] = left;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#length + more));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/**
 * Decodes a record.
 *
 * @throws RangeError when the bytes are no record
 */
export function readRecord(bytes: Buffer): Product {
  const reader = new RecordReader(bytes);
  const asin = reader.text();
  const name = reader.text();
  const query = reader.text();
  const category = reader.text();
  const productCategory = reader.text();
  const description = reader.text();
  const priceText = reader.text();
  const rating = reader.text();
  const bulletPoints = reader.texts();
  const attributes = reader.texts();
  const options = reader.list((): ProductOption => ({ name: reader.text(), values: reader.texts() }));
  const pricing = reader.list(() => reader.number());
  const reviews = reader.list((): Review => ({
    title: reader.text(),
    body: reader.text(),
    score: reader.text(),
  }));
  reader.end();
  return {
    asin,
    name,
    query,
    category,
    productCategory,
    description,
    bulletPoints,
    attributes,
    options,
    pricing,
    priceText,
    reviews,
    rating,
  };
}

class RecordReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  text(): string {
    const end = this.#end(this.#count());
    const text = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end;
    return text;
  }

  texts(): readonly string[] {
    return this.list(() => this.text());
  }

  number(): number {
    const end = this.#end(8);
    const value = this.#bytes.readDoubleLE(this.#at);
    this.#at = end;
    return value;
  }

  list<T>(read: () => T): readonly T[] {
    const count = this.#count();
    // every item has at least one byte, so damaged counts cannot allocate more than there is
    this.#end(count);
    const items: T[] = [];
    for (let index = 0; index < count; index += 1) items.push(read());
    return items;
  }

  end(): void {
    if (this.#at !== this.#bytes.length)
      throw new RangeError(`the record is ${this.#bytes.length} bytes long and ends after ${this.#at}`);
  }

  #count(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      this.#at = this.#end(1);
      const byte = this.#bytes[this.#at - 1] as number;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('the record holds a count that is too long');
  }

  /** The end of the next `bytes` bytes. */
  #end(bytes: number): number {
    const end = this.#at + bytes;
    if (end > this.#bytes.length)
      throw new RangeError(`the record is ${this.#bytes.length} bytes long and asks for ${end}`);
    return end;
  }
}
