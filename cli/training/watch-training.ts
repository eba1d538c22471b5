import { messageOf } from '../../envs/core/errors.ts';
import { openEventLog, type EventLog } from '../../lab/watch/event-log.ts';
import { createReportRefresher } from '../../lab/watch/report-refresher.ts';
import type { MetricsListener } from '../../trainers/loop/progress.ts';
import type { CommandContext } from '../command.ts';

/** What shows a training while it goes on: the report, and event files of TensorBoard where they are wanted. */
export interface TrainingWatch extends AsyncDisposable {
  readonly record: MetricsListener;
  /** Ends both. A second call does nothing. */
  readonly end: (outcome: Parameters<EventLog['close']>[0]) => Promise<void>;
}

export async function watchTraining(
  folder: string,
  watched: {
    readonly isEventLogWanted: boolean;
    readonly config: unknown;
    readonly session: Pick<CommandContext, 'now' | 'wallClock' | 'progress'>;
  },
): Promise<TrainingWatch> {
  const { isEventLogWanted, config, session } = watched;
  const report = createReportRefresher(folder, session);
  const onFailure = (error: unknown): void =>
    session.progress.say(
      `warning: TensorBoard's file cannot be written, and the training goes on without it: ${messageOf(error)}`,
    );
  const { wallClock } = session;
  const events = isEventLogWanted ? await openEventLog(folder, { config, wallClock, onFailure }) : undefined;
  const end = once(async (outcome: Parameters<EventLog['close']>[0]): Promise<void> => {
    await report.settle();
    await events?.close(outcome);
  });
  return {
    record: (recorded) => {
      events?.record(recorded);
      report.note();
    },
    end,
    [Symbol.asyncDispose]: () => end('interrupted'),
  };
}

/** Runs the work at the first call only; later calls wait for it. */
function once<Argument>(work: (argument: Argument) => Promise<void>): (argument: Argument) => Promise<void> {
  let done: Promise<void> | undefined;
  return (argument) => (done ??= work(argument));
}
