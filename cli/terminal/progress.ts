import { terminalLine } from '../../envs/core/terminal-text.ts';
import type { Channel } from './terminal.ts';
import { shorten, textWidth } from './text-width.ts';

/** How far a piece of work has come. */
export interface ProgressUpdate {
  /** What is being done, in a word or two. */
  readonly label: string;
  /** This and the total may lie between two whole numbers; only whole ones are shown. */
  readonly done: number;
  readonly total: number;
  /** Of both, such as `MiB`; left out where the label says it. */
  readonly unit?: string | undefined;
  /** The figure worth watching, such as `success 0.41`, or several, the most telling first: where room is short the last go first. */
  readonly note?: string | readonly string[];
}

/** The one voice on stderr while work goes on. */
export interface Progress {
  /** On a terminal one line redrawn; elsewhere a plain line every few seconds. */
  report(update: ProgressUpdate): void;
  /** A line that stays. */
  say(line: string): void;
  /** Takes the redrawn line away. */
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

/** @param now milliseconds that never run backwards; time left is extrapolated from the first update of each label */
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
    const columns = Math.max(1, this.#channel.columns - 1); // a terminal may wrap a line that fills it
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
 * The fullest line that fits. The share goes first, then the small unit of the time and the label, and only then figures, from the
 * last on; the count goes before the first figure and the time left, which stay. Words are left out whole.
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
    inColumns(`${label} ${count} (${share} %)`, all, left),
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

/** `32/44 MiB`: only what is done whole counts, and what has begun belongs to the whole. */
function countOf({ done, total, unit }: ProgressUpdate): string {
  const all = Math.ceil(total);
  return `${done >= total ? all : Math.floor(done)}/${all}${unit === undefined ? '' : ` ${unit}`}`;
}

const gap = '  ';
const inColumns = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(gap);

function notesOf({ note = [] }: ProgressUpdate): readonly string[] {
  return (typeof note === 'string' ? [note] : note).map(terminalLine).filter((figure) => figure !== '');
}

/** Whole seconds, minutes or hours, as a person would say it. */
export function describeDuration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** The same in the one unit that matters most. */
function roughDuration(seconds: number): string {
  return /^\d+ \w+/.exec(describeDuration(seconds))?.[0] ?? '';
}
