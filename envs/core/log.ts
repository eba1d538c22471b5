import type { Fault } from './errors.ts';

/** The events of a run, named noun-verb. They contain numbers and ids only; the command line makes sentences of them. */
export type GymEvent =
  | { readonly type: 'episode-start'; readonly env: string }
  | { readonly type: 'episode-end'; readonly steps: number; readonly stop: string; readonly reward: number }
  | { readonly type: 'fault-raise'; readonly fault: Fault }
  /**
   * The progress of an env that opens: `done` of `total`, in `unit` or else in units of the part itself.
   * `without` is the setting that skips the part, if any, such as `checkSolutions=false`. Each advance gives
   * the opening more time.
   */
  | {
      readonly type: 'opening-advance';
      readonly part: string;
      readonly done: number;
      readonly total: number;
      readonly unit?: 'MiB' | undefined;
      readonly without?: string | undefined;
    }
  /** An opened env skipped or reinterpreted some of its data: `name` says what, `count` how often. The user need not fix it. */
  | { readonly type: 'opening-tally'; readonly part: string; readonly name: string; readonly count: number }
  /** A host failed or hung while it closed, and was given up. Nothing that was played is lost. */
  | { readonly type: 'closing-fail'; readonly fault: Fault }
  | {
      readonly type: 'update-end';
      readonly version: number;
      readonly metrics: Readonly<Record<string, number>>;
    };

export interface Logger {
  /** `path` names the unit of work the event belongs to. */
  event(path: string, event: GymEvent): void;
}

export const silentLogger: Logger = { event: () => undefined };

/** A logger for tests, which keeps its events. */
export function createMemoryLogger(): Logger & {
  readonly events: readonly { readonly path: string; readonly event: GymEvent }[];
} {
  const events: { path: string; event: GymEvent }[] = [];
  return { events, event: (path, event) => void events.push({ path, event }) };
}
