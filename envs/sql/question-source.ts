import type { Json } from '../core/json.ts';
import type { UnavailablePanel, PanelInfo, TaskRef } from '../core/task.ts';
import type { SqlQuestion } from './task.ts';

/** Where questions come from. */
export interface QuestionSource {
  readonly panels: readonly PanelInfo[];
  /** Panels of which every question was left out. */
  readonly unavailablePanels?: readonly UnavailablePanel[];
  /** Whether it is ours: there are forms to read its questions by. */
  readonly isOwn: boolean;
  /** The question of that name. Throws a `UsageError` where there is none. */
  question(ref: TaskRef): SqlQuestion;
  /** All that tells it from others. */
  contentOf(ref: TaskRef): Json;
  close(): Promise<void>;
}
