import type { FindingPlace, ReportWriter } from './report.ts';
import { difference, look, observedCharacters, placeOfDifference, textOf } from './turn-view.ts';

interface Kept {
  readonly what: string;
  readonly where: FindingPlace;
  /** What has changed, in words; undefined where nothing has. */
  readonly change: () => string | undefined;
}

const mostCharacters = 50_000_000;

/** Remembers values that were returned or passed in, to detect later changes. */
export class Keeper {
  readonly #kept: Kept[] = [];
  #characters = 0;

  /** Keeps an opening or a step result. */
  keepTurn(turn: object, what: string, where: FindingPlace): void {
    const then = look(turn);
    this.#characters += observedCharacters(then);
    this.#kept.push({ what, where, change: () => difference(then, look(turn)) });
  }

  /** Keeps any other value. */
  keep(value: unknown, what: string, where: FindingPlace): void {
    const then = textOf(value);
    const change = (): string | undefined => {
      const now = textOf(value);
      return now === then ? undefined : `it differs${placeOfDifference(then, now)}`;
    };
    this.#kept.push({ what, where, change });
  }

  /** Verifies early where the kept observations have many characters, so that they do not all stay in memory. */
  endEpisode(report: ReportWriter): void {
    if (this.#characters > mostCharacters) this.verify(report);
  }

  /** Reports what has changed since it was kept, and forgets all values. */
  verify(report: ReportWriter): void {
    this.#characters = 0;
    for (const { what, where, change } of this.#kept.splice(0)) {
      report.checked('mutation');
      const changed = change();
      if (changed === undefined) continue;
      report.found({
        law: 'mutation',
        where,
        what: `${what} was changed after the call: ${changed}.`,
        fix: 'Return a new value from each call, and do not change values that were returned or passed in.',
      });
    }
  }
}
