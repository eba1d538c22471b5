import type { z } from 'zod';
import type { ActionTarget, Features } from '../core/features.ts';
import type { EnvRecipes } from '../core/presets.ts';
import type { Rng } from '../core/rng.ts';
import type { Frozen } from '../kit/snapshot.ts';

/** The categories of Enigmata (2025), in which results are reported. */
export const puzzleCategories = [
  'grid',
  'crypto',
  'sequential',
  'search',
  'arithmetic',
  'graph',
  'logic',
] as const;

export type PuzzleCategory = (typeof puzzleCategories)[number];

/** What the generator of a puzzle returns. Questions are JSON and hold everything that the solver needs. */
export interface GeneratedQuestion<Question, Answer> {
  readonly question: Question | Frozen<Question>;
  /** An answer that the verifier accepts. It is never part of the question. */
  readonly solution: Answer;
}

/** What a solver found. */
export interface SolvedQuestion<Answer> {
  /** The first solutions, at most two; empty where there is none. Two show that the solution is not unique. */
  readonly answers: readonly Answer[];
  /** How much work the solver did, such as the guesses of its search. The audit reports the mean by level. */
  readonly effort: number;
}

/** How answers are written. */
export interface PuzzleAnswerWords<Question, Answer> {
  /** The format, for the player: one or two sentences. */
  readonly format: string;
  /** The answer as a player writes it. */
  readonly write: (answer: Answer, question: Frozen<Question>) => string;
  /**
   * Parses an answer; undefined where the text is no answer. The text is trimmed, has line ends `\n`, and contains only
   * printable ASCII, line ends, tabs, and {@link PuzzleAnswerWords.symbols}.
   */
  readonly read: (text: string, question: Frozen<Question>) => Answer | undefined;
  /** Characters outside of ASCII that answers may contain, such as `×÷−`. Default: none. */
  readonly symbols?: string;
  /** The most characters of an answer. Default: 4,096. */
  readonly longest?: number;
}

/** What the audit of a puzzle needs. `cairn-gym` never uses it in an episode, except `guess`. */
export interface PuzzleAuditRules<Question, Answer> {
  /** A random answer in the right format. It sees the question alone. The random player plays it. */
  readonly guess: (question: Frozen<Question>, rng: Rng) => Answer;
  /** The most that the share of right guesses may be, by the rules of chance. `level` counts from 1. */
  readonly chance: number | ((level: number) => number);
  /** Wrong answers near the solution, by the kind of mistake. A kind that this solution has not is left out. */
  readonly mutants: (
    solution: Answer,
    question: Frozen<Question>,
    rng: Rng,
  ) => Readonly<Record<string, Answer | undefined>>;
  /** Other ways to write the solution that must be accepted too, by kind. */
  readonly equivalents?: (solution: Answer, question: Frozen<Question>) => Readonly<Record<string, string>>;
  /** The number of different questions of a level, where it is below a billion. `level` counts from 1. */
  readonly variety?: (level: number) => number;
}

/** The step-wise form of a puzzle: the player changes a state move by move until it is solved. */
export interface PuzzleMoves<Question, Answer, Level, State> {
  /** What a move does, and how it is written. */
  readonly rules: string;
  /** The schema of states. A state is JSON and holds all that the player sees. Nothing is hidden. */
  readonly state: z.ZodType<State>;
  readonly start: (question: Frozen<Question>) => State | Frozen<State>;
  readonly render: (state: Frozen<State>) => string;
  /** The moves that do something here. An empty list in an unsolved state ends the episode as failed. */
  readonly list: (state: Frozen<State>) => readonly string[];
  /** Performs a move of the list. */
  readonly play: (state: Frozen<State>, move: string) => State | Frozen<State>;
  readonly isSolved: (state: Frozen<State>) => boolean;
  /** Whether a state can be given up as lost. Default: it never is. */
  readonly isLost?: (state: Frozen<State>) => boolean;
  /** Moves from the start to the solution. */
  readonly plan: (question: Frozen<Question>, solution: Answer) => readonly string[];
  /** A good move in a state; undefined where none is known. It gives the demonstrations. */
  readonly next?: (state: Frozen<State>) => string | undefined;
  /** A text that only equal states share. Default: the state as canonical JSON. */
  readonly key?: (state: Frozen<State>) => string;
  /** The number of moves after which an episode has failed. */
  readonly turnLimit: (level: Level) => number;
  /** The state as a board or as named facts, which a choice policy reads beside the words. Default: words alone. */
  readonly features?: (state: Frozen<State>) => Features;
  /** What a move refers to, such as a cell of the board. It sees the text of the move alone. Default: nothing. */
  readonly target?: (move: string) => ActionTarget;
  /** How the step-wise form is trained. Default: {@link movesRecipes} where features are declared. */
  readonly recipes?: EnvRecipes;
}

/** The rules of a puzzle. See {@link definePuzzle}. */
export interface PuzzleRules<Name extends string, Question, Answer, Level, State = never> {
  /** Words in lower case with hyphens, such as `sudoku`, or `my-lab/sudoku` outside of this package. */
  readonly name: Name;
  readonly category: PuzzleCategory;
  /** One sentence without its full stop. */
  readonly summary: string;
  /** The schema of questions, which are JSON. */
  readonly question: z.ZodType<Question>;
  /** The settings of the generator by difficulty, easiest first. */
  readonly levels: readonly Level[];
  /** Draws a question and its solution. All chance comes from `rng`. */
  readonly generate: (rng: Rng, level: NoInfer<Level>) => GeneratedQuestion<NoInfer<Question>, Answer>;
  /** The rules, for the player. They hold for every question. */
  readonly rules: string;
  /** The question in words. */
  readonly render: (question: Frozen<NoInfer<Question>>) => string;
  readonly answer: PuzzleAnswerWords<NoInfer<Question>, Answer>;
  /** Whether an answer is right. It follows from the rules alone and never compares with the solution. */
  readonly verify: (question: Frozen<NoInfer<Question>>, answer: NoInfer<Answer>) => boolean;
  /** Solves a question without the known solution. The searcher of the env uses it. */
  readonly solve?: (question: Frozen<NoInfer<Question>>) => SolvedQuestion<NoInfer<Answer>>;
  /** Whether every question has one solution only. It needs `solve`, and the audit proves it. */
  readonly unique?: boolean;
  readonly audit: PuzzleAuditRules<NoInfer<Question>, NoInfer<Answer>>;
  readonly moves?: PuzzleMoves<NoInfer<Question>, Answer, NoInfer<Level>, State>;
}
