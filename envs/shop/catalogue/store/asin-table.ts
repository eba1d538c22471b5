/** Bytes of an id. Shorter ones are padded with zeros. */
export const asinBytes = 10;

/** Whether the table can hold the id: at most ten printable ASCII characters. */
export const isAsin = (text: string): boolean => /^[\x20-\x7E]{0,10}$/.test(text);

/**
 * Ids of products, numbered from 0 in the order in which they were added, with look-up from id to number. It
 * takes 10 bytes per id and at most 16 for the look-up; a `Map` takes about 100.
 */
export class AsinTable {
  #ids: Uint8Array; // (capacity × 10)
  // number + 1 of the id with this hash, 0 when free; the size is a power of two, at most half used
  #slots: Uint32Array;
  #size = 0;

  constructor(capacity = 1024) {
    this.#ids = new Uint8Array(capacity * asinBytes);
    this.#slots = new Uint32Array(slotsFor(capacity));
  }

  /**
   * The table of concatenated ids, as `bytes` returns them.
   *
   * @throws RangeError for a repeated id
   */
  static from(bytes: Uint8Array): AsinTable {
    const size = bytes.length / asinBytes;
    const table = new AsinTable(0);
    table.#ids = bytes;
    table.#slots = new Uint32Array(slotsFor(size));
    for (; table.#size < size; table.#size += 1) {
      const slot = table.#slotOf(bytes, table.#size * asinBytes);
      if (table.#slots[slot] !== 0) throw new RangeError(`the id at ${table.#size} was there before`);
      table.#slots[slot] = table.#size + 1;
    }
    return table;
  }

  get size(): number {
    return this.#size;
  }

  /** The concatenated ids. // (size × 10) */
  get bytes(): Uint8Array {
    return this.#ids.subarray(0, this.#size * asinBytes);
  }

  /**
   * Adds an id that satisfies {@link isAsin}. Returns its number, or undefined when it is already in the
   * table.
   */
  add(asin: string): number | undefined {
    this.#reserve();
    const at = this.#size * asinBytes;
    writeAsin(asin, this.#ids, at);
    const slot = this.#slotOf(this.#ids, at);
    if (this.#slots[slot] !== 0) return undefined;
    this.#size += 1;
    this.#slots[slot] = this.#size;
    return this.#size - 1;
  }

  find(asin: string): number | undefined {
    if (!isAsin(asin)) return undefined;
    const key = new Uint8Array(asinBytes);
    writeAsin(asin, key, 0);
    const found = this.#slots[this.#slotOf(key, 0)] as number;
    return found === 0 ? undefined : found - 1;
  }

  /** The numbers of the ids in the order of their bytes: a sort by one byte after another, from the last to the first. */
  sorted(): Uint32Array {
    let numbers = Uint32Array.from({ length: this.#size }, (_, number) => number);
    for (let byte = asinBytes - 1; byte >= 0; byte -= 1) {
      const next = new Uint32Array(257); // (values + 1) where the numbers with each value of the byte begin
      const valueOf = (number: number): number => this.#ids[number * asinBytes + byte] as number;
      for (const number of numbers) next[valueOf(number) + 1] = (next[valueOf(number) + 1] as number) + 1;
      for (let value = 1; value < next.length; value += 1)
        next[value] = (next[value] as number) + (next[value - 1] as number);
      const sorted = new Uint32Array(this.#size);
      for (const number of numbers) {
        const place = next[valueOf(number)] as number;
        sorted[place] = number;
        next[valueOf(number)] = place + 1;
      }
      numbers = sorted;
    }
    return numbers;
  }

  /** The slot of the id, or the free slot that it would get. */
  #slotOf(bytes: Uint8Array, at: number): number {
    const last = this.#slots.length - 1;
    let slot = hash(bytes, at) & last;
    for (;;) {
      const holder = this.#slots[slot] as number;
      if (holder === 0 || sameAsin(this.#ids, (holder - 1) * asinBytes, bytes, at)) return slot;
      slot = (slot + 1) & last;
    }
  }

  #reserve(): void {
    const capacity = this.#size + 1;
    if (capacity * asinBytes > this.#ids.length) {
      const larger = new Uint8Array(2 * capacity * asinBytes);
      larger.set(this.#ids);
      this.#ids = larger;
    }
    if (2 * capacity <= this.#slots.length) return;
    this.#slots = new Uint32Array(2 * this.#slots.length);
    for (let number = 0; number < this.#size; number += 1)
      this.#slots[this.#slotOf(this.#ids, number * asinBytes)] = number + 1;
  }
}

function slotsFor(size: number): number {
  let slots = 2;
  while (slots < 2 * (size + 1)) slots *= 2;
  return slots;
}

function writeAsin(asin: string, bytes: Uint8Array, at: number): void {
  for (let index = 0; index < asinBytes; index += 1)
    bytes[at + index] = index < asin.length ? asin.charCodeAt(index) : 0;
}

function sameAsin(a: Uint8Array, atA: number, b: Uint8Array, atB: number): boolean {
  for (let index = 0; index < asinBytes; index += 1) if (a[atA + index] !== b[atB + index]) return false;
  return true;
}

/** FNV-1a (Fowler, Noll and Vo), 32 bits, with its high bits mixed into the low ones that the mask uses. */
function hash(bytes: Uint8Array, at: number): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < asinBytes; index += 1)
    value = Math.imul(value ^ (bytes[at + index] as number), 0x01000193);
  return value ^ (value >>> 15);
}
