/// <reference lib="esnext.disposable" preserve="true" />
/// <reference types="node" preserve="true" />

export { exportCsv } from './export/export-csv.ts';
export { exportTensorBoard } from './export/export-tensorboard.ts';
export type { StoredResults } from './read/read-results.ts';
export { openPlayer } from './players/open-player.ts';
export { describePlayer, parsePlayer } from './players/parse-player.ts';
export type { OpenedPlayer, OpenPlayerOptions } from './players/player-kind.ts';
export { playerSpecSchema, type PlayerSpec } from './players/player-spec.ts';
export { readRun, type RunContent } from './read/read-run.ts';
export {
  renderTrajectory,
  type AnchorSharer,
  type TrajectoryCreditView,
  type TrajectoryViewOptions,
} from './report/render-trajectory.ts';
export { writeReport } from './report/write-report.ts';
export { openEventLog, type EventLog, type EventLogOptions } from './watch/event-log.ts';
