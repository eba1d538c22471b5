import type { MeanEstimate } from '../results/estimate.ts';

/** Figures of a study that was run before, to read a new result beside. */
export interface RecordedStudy {
  readonly date: string;
  readonly commit: string;
  /** Where the whole of it stands. */
  readonly source: string;
  readonly panel: { readonly name: string; readonly fingerprint: string };
  readonly seeds: number;
  /** Success on the panel by method, with the 95 % interval over seeds and tasks. */
  readonly success: Readonly<Record<string, MeanEstimate>>;
}
