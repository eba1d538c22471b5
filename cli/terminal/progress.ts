import { terminalLine } from '../../envs/core/terminal-text.ts';
import type { Channel } from './terminal.ts';
import { shorten, textWidth } from './text-width.ts';

/** Progress of a piece of work. */
export interface ProgressUpdate {
  /** The current work in a word or two. */
  readonly label: string;
  /** This and the total may be fractions; they are rounded down for display. */
  readonly done: number;
  readonly total: number;
  /** Unit of both, such as `MiB`; omitted if the label says it. With `%` only the share is shown. */
  readonly unit?: string | undefined;
  /**
   * The most useful figure, such as `success 0.41`, or several, the most important first. If space is short,
   * the last are dropped first.
   */
  readonly note?: string | readonly string[];
}

/** The only output to stderr during work. */
export interface Progress {
  /** On a terminal one line that is redrawn; elsewhere a plain line every few seconds. */
  report(update: ProgressUpdate): void;
  /** Prints a line that stays. */
  say(line: string): void;
  /** Removes the redrawn line. */
  clear(): void;
}

const redrawMs = 100;
const lineMs = 5_000;
const eraseLine = '\r\u001b[2K';

export const silentProgress: Progress = {
  report: () => undefined,
  say: () => undefined,
  clear: () => undefined,
};

/**
 * @param now monotonic milliseconds; the remaining time is extrapolated from the first update of each label
 */
export function createProgress(channel: Channel, now: () => number): Progress {
  return new ProgressLine(channel, now);
}

class ProgressLine implements Progress {
  readonly #channel: Channel;
  readonly #now: () => number;
  #start: { readonly label: string; readonly at: number; readonly done: number } | undefined;
  #lastShown = Number.NEGATIVE_INFINITY;
  #drawn = false;

  constructor(channel: Channel, now: () => number) {
    this.#channel = channel;
    this.#now = now;
  }

  report(update: ProgressUpdate): void {
    const at = this.#now();
    if (this.#start?.label !== update.label || update.done < this.#start.done) {
      this.#start = { label: update.label, at, done: update.done };
      this.#lastShown = Number.NEGATIVE_INFINITY;
    }
    const finished = update.done >= update.total;
    if (!finished && at - this.#lastShown < (this.#channel.decorated ? redrawMs : lineMs)) return;
    this.#lastShown = at;
    const secondsLeft = this.#secondsLeft(update, at);
    if (this.#channel.decorated) this.#redraw(update, secondsLeft);
    else this.#channel.write(`${describe(update, secondsLeft, Number.POSITIVE_INFINITY)}\n`);
  }

  say(line: string): void {
    this.clear();
    this.#channel.write(`${line}\n`);
  }

  clear(): void {
    if (this.#drawn) this.#channel.write(eraseLine);
    this.#drawn = false;
  }

  #redraw(update: ProgressUpdate, secondsLeft: number | undefined): void {
    const columns = Math.max(1, this.#channel.columns - 1); // a terminal may wrap a full line
    this.#channel.write(`${eraseLine}${describe(update, secondsLeft, columns)}`);
    this.#drawn = true;
  }

  #secondsLeft(update: ProgressUpdate, at: number): number | undefined {
    const start = this.#start;
    if (start === undefined || update.done <= start.done || update.done >= update.total) return undefined;
    return ((at - start.at) / (update.done - start.done) / 1000) * (update.total - update.done);
  }
}

/**
 * The fullest line that fits. Parts are dropped in this order: the share, the small unit of the time, the
 * label, then figures from the last on. The count is dropped before the first figure and the remaining time,
 * which stay. Words are dropped whole.
 */
function describe(update: ProgressUpdate, secondsLeft: number | undefined, columns: number): string {
  const share = update.total > 0 ? Math.floor((100 * update.done) / update.total) : 100;
  const label = terminalLine(update.label);
  const count = countOf(update);
  const figures = notesOf(update);
  const [main] = figures;
  const left = secondsLeft === undefined ? undefined : `${describeDuration(secondsLeft)} left`;
  const roughly = secondsLeft === undefined ? undefined : `${roughDuration(secondsLeft)} left`;
  const first = (kept: number): string => figures.slice(0, kept).join(', ');
  const all = first(figures.length);
  const forms = [
    ...(update.unit === '%' ? [] : [inColumns(`${label} ${count} (${share} %)`, all, left)]),
    inColumns(`${label} ${count}`, all, left),
    inColumns(`${label} ${count}`, all, roughly),
    ...figures.flatMap((_, gone) =>
      [left, roughly].map((time) => inColumns(count, first(figures.length - gone), time)),
    ),
    ...(main === undefined ? [] : [inColumns(main, roughly)]),
  ];
  const fitting = forms.find((form) => textWidth(form) <= columns);
  if (fitting !== undefined) return fitting;
  const kept = main === undefined ? inColumns(count, roughly) : (roughly ?? '');
  const room = columns - textWidth(kept) - (kept === '' ? 0 : gap.length);
  return room > 1 ? inColumns(shorten(main ?? label, room), kept) : shorten(kept, columns);
}

/** `32/44 MiB`: what is done is rounded down, and the total is rounded up. */
function countOf({ done, total, unit }: ProgressUpdate): string {
  if (unit === '%') return `${total > 0 ? Math.floor((100 * Math.min(done, total)) / total) : 100} %`;
  const all = Math.ceil(total);
  return `${done >= total ? all : Math.floor(done)}/${all}${unit === undefined ? '' : ` ${unit}`}`;
}

const gap = '  ';
const inColumns = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(gap);

function notesOf({ note = [] }: ProgressUpdate): readonly string[] {
  return (typeof note === 'string' ? [note] : note).map(terminalLine).filter((figure) => figure !== '');
}

/** Whole seconds, minutes or hours, for people. */
export function describeDuration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** The same in its largest unit. */
function roughDuration(seconds: number): string {
  return /^\d+ \w+/.exec(describeDuration(seconds))?.[0] ?? '';
}
