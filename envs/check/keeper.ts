import type { FindingPlace, ReportWriter } from './report.ts';
import { difference, look, observedCharacters, placeOfDifference, textOf } from './turn-view.ts';

interface Kept {
  readonly what: string;
  readonly where: FindingPlace;
  /** What has changed by now, in words; undefined when nothing has. */
  readonly change: () => string | undefined;
}

const mostCharacters = 50_000_000;

/** Remembers what was returned or passed in and what it looked like, to see later whether it was changed. */
export class Keeper {
  readonly #kept: Kept[] = [];
  #characters = 0;

  /** An opening or a step result. */
  keepTurn(turn: object, what: string, where: FindingPlace): void {
    const then = look(turn);
    this.#characters += observedCharacters(then);
    this.#kept.push({ what, where, change: () => difference(then, look(turn)) });
  }

  /** Any other value. */
  keep(value: unknown, what: string, where: FindingPlace): void {
    const then = textOf(value);
    const change = (): string | undefined => {
      const now = textOf(value);
      return now === then ? undefined : `it differs${placeOfDifference(then, now)}`;
    };
    this.#kept.push({ what, where, change });
  }

  /** Verifies early where the observations that are kept have many characters, so that they are not all in memory to the end. */
  endEpisode(report: ReportWriter): void {
    if (this.#characters > mostCharacters) this.verify(report);
  }

  /** Reports what has changed since it was kept, and forgets all. */
  verify(report: ReportWriter): void {
    this.#characters = 0;
    for (const { what, where, change } of this.#kept.splice(0)) {
      report.checked('mutation');
      const changed = change();
      if (changed === undefined) continue;
      report.found({
        law: 'mutation',
        where,
        what: `${what} was changed after it had been handed over: ${changed}.`,
        fix: 'Build a new value for each call instead of returning or changing one that lives on.',
      });
    }
  }
}
