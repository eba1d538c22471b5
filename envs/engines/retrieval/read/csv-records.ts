/** Lines and characters in which a quote must close. */
export interface QuoteLimits {
  readonly lines: number;
  readonly characters: number;
}

export const usualQuoteLimits: QuoteLimits = { lines: 10_000, characters: 16 * 2 ** 20 };

/** Why a line is no record. */
export const unclosedQuote = 'its quote does not close';

/**
 * Joins the lines of a CSV file to records. A line break in quotes is a part of its field. A quote that was opened on an earlier
 * line closes only before a delimiter or at the end of a line, and within the limits. Where it does not, its line is
 * no record, and reading goes on at the next line.
 */
export class CsvRecords {
  readonly #delimiter: string;
  readonly #limits: QuoteLimits;
  readonly #onBad: (line: number) => void;
  #open: { readonly number: number; readonly text: string }[] = [];
  #characters = 0;
  #isQuoted = false;

  /** @param onBad receives the number of a line that is no record */
  constructor(delimiter: string, limits: QuoteLimits, onBad: (line: number) => void) {
    this.#delimiter = delimiter;
    this.#limits = limits;
    this.#onBad = onBad;
  }

  /** Adds a line without its line break. Returns the text of the records that are complete; a bad line becomes an empty one. */
  push(number: number, text: string): string {
    if (this.#open.length === 0 && !text.includes('"')) return `${text}\n`;
    let done = '';
    const waiting = [{ number, text }];
    for (let line = waiting.pop(); line !== undefined; line = waiting.pop()) {
      const state = this.#stateAfter(line.text);
      this.#open.push(line);
      this.#characters += line.text.length + 1;
      if (state === 'complete') done += this.#take();
      else if (
        state === 'flawed' ||
        this.#open.length >= this.#limits.lines ||
        this.#characters > this.#limits.characters
      ) {
        done += '\n';
        waiting.push(...this.#giveUp());
      } else this.#isQuoted = true;
    }
    return done;
  }

  /** The records that are left at the end of the file. */
  end(): string {
    let done = '';
    while (this.#open.length > 0) {
      const rest = this.#giveUp();
      done += '\n';
      for (let line = rest.pop(); line !== undefined; line = rest.pop())
        done += this.push(line.number, line.text);
    }
    return done;
  }

  #take(): string {
    const text = this.#open.map((line) => `${line.text}\n`).join('');
    this.#clear();
    return text;
  }

  /** Drops the first line. Returns the others, last first. */
  #giveUp(): { readonly number: number; readonly text: string }[] {
    const [first, ...others] = this.#open;
    if (first !== undefined) this.#onBad(first.number);
    this.#clear();
    return others.toReversed();
  }

  #clear(): void {
    this.#open = [];
    this.#characters = 0;
    this.#isQuoted = false;
  }

  /** `complete` outside of quotes, `open` in quotes; `flawed` where text follows the quote that closes an earlier line's. */
  #stateAfter(text: string): 'complete' | 'open' | 'flawed' {
    let at = 0;
    let isQuoted = this.#isQuoted;
    let isEarlier = isQuoted;
    for (;;) {
      if (isQuoted) {
        const quote = text.indexOf('"', at);
        if (quote < 0) return 'open';
        at = quote + 1;
        if (text[at] === '"') at += 1;
        else {
          isQuoted = false;
          if (isEarlier && at < text.length && !text.startsWith(this.#delimiter, at)) return 'flawed';
          isEarlier = false;
        }
      } else if (text[at] === '"' && (at === 0 || text.startsWith(this.#delimiter, at - 1))) {
        isQuoted = true;
        at += 1;
      } else {
        const next = text.indexOf(`${this.#delimiter}"`, at);
        if (next < 0) return 'complete';
        at = next + 1;
      }
    }
  }
}
