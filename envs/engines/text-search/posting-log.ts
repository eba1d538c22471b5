const chunkSize = 1 << 22;
/** The most bytes of a number of 32 bits. */
const longestNumber = 5;

interface Chunk {
  readonly bytes: Uint8Array; // (chunkSize)
  used: number;
}

/**
 * A packed log of the terms of every document, in the order of the documents (two to three bytes per
 * posting). It exists from the reading of the documents until all postings have been counted and placed.
 */
export class PostingLog {
  readonly #chunks: Chunk[] = [];
  #last: Chunk = { bytes: new Uint8Array(0), used: 0 };

  /** Starts a document with that many distinct terms. */
  beginDocument(terms: number): void {
    this.#write(terms);
  }

  /** Adds one term of the document. Terms are numbers below 2^31. */
  write(term: number, frequency: number): void {
    this.#write(term * 2 + (frequency === 1 ? 0 : 1));
    if (frequency !== 1) this.#write(frequency);
  }

  /**
   * Calls `visit` with every posting in the order of the documents, numbered from 0. Visited parts are freed.
   */
  drain(visit: (document: number, term: number, frequency: number) => void): void {
    const read = this.#reader();
    for (let document = 0; ; document += 1) {
      let terms = read();
      if (terms === undefined) return;
      for (; terms > 0; terms -= 1) {
        const packed = read() ?? 0;
        visit(document, packed >>> 1, (packed & 1) === 0 ? 1 : (read() ?? 0));
      }
    }
  }

  /** Writes seven bits per byte, low bits first. The high bit marks that more bytes follow. */
  #write(value: number): void {
    if (this.#last.used + longestNumber > this.#last.bytes.length) {
      this.#last = { bytes: new Uint8Array(chunkSize), used: 0 };
      this.#chunks.push(this.#last);
    }
    const { bytes } = this.#last;
    let { used } = this.#last;
    let rest = value;
    while (rest > 0x7f) {
      bytes[used] = (rest & 0x7f) | 0x80;
      used += 1;
      rest >>>= 7;
    }
    bytes[used] = rest;
    this.#last.used = used + 1;
  }

  /** Reads one number per call; undefined after the last. */
  #reader(): () => number | undefined {
    let bytes: Uint8Array = new Uint8Array(0);
    let used = 0;
    let position = 0;
    return () => {
      if (position === used) {
        const chunk = this.#chunks.shift();
        if (chunk === undefined) return undefined;
        ({ bytes, used } = chunk);
        position = 0;
      }
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[position] as number;
        position += 1;
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) return value >>> 0;
      }
    };
  }
}
