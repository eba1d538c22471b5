import { writeReport } from '../report/write-report.ts';

/** Milliseconds between two pages, at least. */
const pauseMs = 10_000;

/** Share of the time that pages may take: a page of a long run takes longer, and is written more rarely. */
const largestShare = 0.02;

/** Options of {@link createReportRefresher}. */
export interface ReportRefresherOptions {
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Writes the page. The default is `writeReport` of the folder. */
  readonly write?: () => Promise<unknown>;
}

/** Keeps `report.html` of a running training up to date. */
export interface ReportRefresher {
  /** Something new is in the logs: writes the page, unless the last one is too recent. Returns at once. */
  readonly note: () => void;
  /** Waits for a page under way; further notes do nothing. */
  readonly settle: () => Promise<void>;
}

/**
 * Writes the report of a run at its first line, then at most every ten seconds. It never takes more than 2 % of the time. A page that
 * cannot be written is left out: the one at the end of the run reports the error.
 */
export function createReportRefresher(folder: string, options: ReportRefresherOptions): ReportRefresher {
  const { now, write = () => writeReport(folder) } = options;
  let next = -Infinity;
  let underWay: Promise<void> | undefined;
  let isOver = false;
  const refresh = async (): Promise<void> => {
    const began = now();
    await write().catch(() => undefined);
    const ended = now();
    next = ended + Math.max(pauseMs, (ended - began) / largestShare);
    underWay = undefined;
  };
  return {
    note: () => {
      if (!isOver && underWay === undefined && now() >= next) underWay = refresh();
    },
    settle: async () => {
      isOver = true;
      await underWay;
    },
  };
}
