import type { Json } from './json.ts';

// Plain data that an env definition carries for the programs above it. The kernel only gives it a shape; the trainers validate its content
// when they read it.

/** Settings of a training, by the keys of a training config and without `env`. Keys that are left out have the trainer's defaults. */
export type TrainingSettings = { readonly [key: string]: Json };

/** A key of the env's config, by its dotted path, and what the user gave for it: one of these values, anything, or nothing. */
export type KeyCondition =
  | { readonly key: string; readonly is: readonly Json[] }
  | { readonly key: string; readonly given: boolean };

/** How an env is trained unless the user sets something else: settings, or the reason why there are none. */
export type Recipe = {
  /** The recipe applies where all of these hold; always, when left out. */
  readonly when?: readonly KeyCondition[];
} & (
  | { readonly settings: TrainingSettings }
  | { readonly refusal: { readonly what: string; readonly fix: string } }
);

/** The recipes of an env by the kind of policy. The first recipe that applies is used, so the special ones come first. */
export interface EnvRecipes {
  readonly choice?: readonly Recipe[];
  readonly token?: readonly Recipe[];
}

/** A column of a table of results. */
export type BenchColumn =
  /** Success on the tasks of one family. */
  | { readonly kind: 'family'; readonly family: string; readonly title: string }
  /** Success by family: one column for every family that no other column shows. */
  | { readonly kind: 'families' }
  /** Success on all tasks. */
  | { readonly kind: 'success'; readonly title: string }
  /** The mean score times 100. With `graded` only where the score of any agent differs from its success. */
  | { readonly kind: 'score'; readonly title: string; readonly graded?: true }
  /** Mean turns of the episodes without a fault. */
  | { readonly kind: 'turns' }
  /** How long the evaluation took, by the clock. */
  | { readonly kind: 'time' }
  /** Mean tokens of prompts and of completions of the episodes without a fault, in two columns where any agent has them. */
  | { readonly kind: 'tokens' };

/** The name of a prompt, or one name for each value that the opened env, or else its config, has under the key `by`. */
export type BenchPrompt =
  | string
  | { readonly by: string; readonly prompts: Readonly<Record<string, string>> };

/** Results of a study that was run before, to read a new result beside. */
export interface RecordedStudy {
  readonly date: string;
  readonly commit: string;
  /** The file with the whole study. */
  readonly source: string;
  readonly panel: { readonly name: string; readonly fingerprint: string };
  readonly seeds: number;
  /** Success on the panel by method, as a share, with the 95 % interval over seeds and tasks. */
  readonly success: Readonly<
    Record<string, { readonly mean: number; readonly low: number; readonly high: number }>
  >;
}

/** What an env needs beside Node: a browser, a sandbox for programs, or data that the user brings. */
export type EnvNeed = 'browser' | 'sandbox' | 'data';

/** How the catalogue lists an env: plain data, which it validates. */
export interface EnvCatalogue {
  /** Words in lower case with hyphens, such as `puzzle`. Default: the name of the env. */
  readonly family?: string;
  /** What kind of task it is, in words of the same form, such as `grid`. */
  readonly tags?: readonly string[];
  /** The licence of its data, such as `Apache-2.0`, with a note in brackets where it has several sources. Default: not stated. */
  readonly licence?: string;
  /** Default: nothing. */
  readonly needs?: readonly EnvNeed[];
}

/** How an env is benchmarked. */
export interface EnvBench {
  /** The panel that is played by default, then others that papers report. Default: any held-out panel. */
  readonly panels?: readonly string[];
  /** The columns of the table. Default: one for each family, then success, score and costs. */
  readonly columns?: readonly BenchColumn[];
  /** The prompt of text agents. Default: `plain`. */
  readonly prompt?: BenchPrompt;
  /**
   * Ids of envs whose policies play here unchanged: same tasks and actions, and the same observations in a
   * mode that both have.
   */
  readonly takesRunsOf?: readonly string[];
  readonly studies?: readonly RecordedStudy[];
}
