/** A value as JSON text, of at most a number of characters. */
export interface BoundedJson {
  readonly text: string;
  readonly isCut: boolean;
}

/** Levels of nesting, after which a value counts as one that has no end. */
const deepest = 64;

/**
 * Writes JSON, and stops at `limit` characters. So a value of any size costs no more than its first part.
 *
 * @throws TypeError for a value that JSON cannot represent, such as a cycle, in the part that is written
 */
export function boundedJson(value: unknown, limit: number): BoundedJson {
  const writer = new Writer(limit);
  writer.write(value, 0);
  return { text: writer.text.slice(0, limit), isCut: writer.isFull };
}

class Writer {
  text = '';
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.text.length > this.#limit;
  }

  write(value: unknown, depth: number): void {
    if (this.isFull) return;
    switch (typeof value) {
      case 'string':
        this.text += JSON.stringify(value.slice(0, this.#limit + 1));
        return;
      case 'boolean':
        this.text += String(value);
        return;
      case 'number':
        if (!Number.isFinite(value)) throw new TypeError(`${value} is not JSON`);
        this.text += JSON.stringify(value);
        return;
      case 'object':
        if (value === null) this.text += 'null';
        else this.#writeContainer(value, depth);
        return;
      default:
        throw new TypeError(`${value === undefined ? 'undefined' : `a ${typeof value}`} is not JSON`);
    }
  }

  #writeContainer(value: object, depth: number): void {
    if (depth === deepest) throw new TypeError(`it contains itself, or has over ${deepest} levels`);
    if (Array.isArray(value)) {
      this.text += '[';
      for (const [index, item] of (value as readonly unknown[]).entries()) {
        if (this.isFull) return;
        if (index > 0) this.text += ',';
        this.write(item, depth + 1);
      }
      this.text += ']';
      return;
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null)
      throw new TypeError('an instance of a class is not JSON');
    this.text += '{';
    let isFirst = true;
    for (const key in value) {
      if (this.isFull) return;
      this.text += `${isFirst ? '' : ','}${JSON.stringify(key.slice(0, this.#limit + 1))}:`;
      this.write((value as Readonly<Record<string, unknown>>)[key], depth + 1);
      isFirst = false;
    }
    this.text += '}';
  }
}
