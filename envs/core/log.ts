import type { Fault } from './errors.ts';

/** A closed set of events, named noun-verb, of numbers and ids only. Prose is for the command line. */
export type GymEvent =
  | { readonly type: 'episode-start'; readonly env: string }
  | { readonly type: 'episode-end'; readonly steps: number; readonly stop: string; readonly reward: number }
  | { readonly type: 'fault-raise'; readonly fault: Fault }
  /**
   * An env that takes long to open has come so far: `done` of `total`, in mebibytes where that is the unit, else in units of the part's own; `without` is
   * the setting that leaves the part out, where there is one, such as `checkSolutions=false`. Opening may take as long as it gets on.
   */
  | {
      readonly type: 'opening-advance';
      readonly part: string;
      readonly done: number;
      readonly total: number;
      readonly unit?: 'MiB' | undefined;
      readonly without?: string | undefined;
    }
  /** An env that has opened passed over or read otherwise what `name` says, so often: what a user should know and need not mend. */
  | { readonly type: 'opening-tally'; readonly part: string; readonly name: string; readonly count: number }
  /** A host was given up that failed or hung while it closed. Nothing that was played is lost by it. */
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

/** Keeps what it is given, for tests. */
export function createMemoryLogger(): Logger & {
  readonly events: readonly { readonly path: string; readonly event: GymEvent }[];
} {
  const events: { path: string; event: GymEvent }[] = [];
  return { events, event: (path, event) => void events.push({ path, event }) };
}
