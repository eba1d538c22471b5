import { terminalLine } from '../envs/core/terminal-text.ts';
import type { Channel } from './terminal.ts';

/** How far a piece of work has come. */
export interface ProgressUpdate {
  /** What is being done, in a word or two. */
  readonly label: string;
  /** May lie between two whole numbers; only whole ones are shown. */
  readonly done: number;
  readonly total: number;
  /** The figure worth watching, such as `success 0.41`. */
  readonly note?: string;
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

export const silentProgress: Progress = { report: () => undefined, say: () => undefined, clear: () => undefined };

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
    const line = describe(update, this.#secondsLeft(update, at));
    if (this.#channel.decorated) this.#redraw(line);
    else this.#channel.write(`${line}\n`);
  }

  say(line: string): void {
    this.clear();
    this.#channel.write(`${line}\n`);
  }

  clear(): void {
    if (this.#drawn) this.#channel.write(eraseLine);
    this.#drawn = false;
  }

  #redraw(line: string): void {
    this.#channel.write(`${eraseLine}${line.slice(0, Math.max(1, this.#channel.columns - 1))}`);
    this.#drawn = true;
  }

  #secondsLeft(update: ProgressUpdate, at: number): number | undefined {
    const start = this.#start;
    if (start === undefined || update.done <= start.done || update.done >= update.total) return undefined;
    return ((at - start.at) / (update.done - start.done) / 1000) * (update.total - update.done);
  }
}

function describe(update: ProgressUpdate, secondsLeft: number | undefined): string {
  const share = update.total > 0 ? Math.floor((100 * update.done) / update.total) : 100;
  const parts = [`${terminalLine(update.label)} ${Math.floor(update.done)}/${update.total} (${share} %)`];
  if (update.note !== undefined) parts.push(terminalLine(update.note));
  if (secondsLeft !== undefined) parts.push(`${describeDuration(secondsLeft)} left`);
  return parts.join('  ');
}

/** Whole seconds, minutes or hours, as a person would say it. */
export function describeDuration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
