import type { Json } from '../core/json.ts';
import type { UnavailablePanel, PanelInfo, TaskRef } from '../core/task.ts';
import type { SqlQuestion } from './task.ts';

/** A source of questions. */
export interface QuestionSource {
  readonly panels: readonly PanelInfo[];
  /** Panels of which every question was left out. */
  readonly unavailablePanels?: readonly UnavailablePanel[];
  /** Whether it is our own source, so that forms exist for parsing its questions. */
  readonly isOwn: boolean;
  /**
   * Returns a question.
   *
   * @throws UsageError where it does not exist
   */
  question(ref: TaskRef): SqlQuestion;
  /** Its canonical content. */
  contentOf(ref: TaskRef): Json;
  close(): Promise<void>;
}
