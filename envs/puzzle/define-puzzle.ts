import { z } from 'zod';
import type { AnyEnvDefinition, EnvId } from '../core/env.ts';
import { UsageError } from '../core/errors.ts';
import { describeIssues } from '../core/issues.ts';
import type { Json } from '../core/json.ts';
import { keepState } from '../kit/snapshot.ts';
import { answerEnvOf } from './answer-env.ts';
import { auditPuzzle, type PuzzleAuditPlan, type PuzzleAudit } from './audit/audit-puzzle.ts';
import { Items } from './items.ts';
import { judge, type PuzzleVerdict } from './judge.ts';
import { movesEnvOf } from './moves-env.ts';
import { puzzleCategories, type PuzzleCategory, type PuzzleRules } from './rules.ts';

/** A question of a puzzle, with its known solution. */
export interface PuzzleItem {
  readonly question: Json;
  /** The question in words. */
  readonly text: string;
  /** The known solution, as a player writes it. */
  readonly solution: string;
  /** Counted from 1. */
  readonly level: number;
}

/** A puzzle, as {@link definePuzzle} returns it. */
export interface Puzzle<Name extends string = string> {
  readonly name: Name;
  readonly category: PuzzleCategory;
  readonly summary: string;
  /** The number of levels of difficulty. */
  readonly levels: number;
  /** Whether every question has one solution only. */
  readonly unique: boolean;
  /** `puzzle-NAME-v1`, and `puzzle-NAME-moves-v1` where the puzzle has a step-wise form. */
  readonly envs: readonly AnyEnvDefinition[];
  /** The instruction of the single-answer form: rules, format and an example. */
  instruction(): string;
  /**
   * Draws the question of a seed.
   *
   * @throws UsageError for a level that does not exist, and for a seed that is no integer from 0
   */
  item(seed: number, level: number): PuzzleItem;
  /**
   * Judges an answer to a question.
   *
   * @throws UsageError where the question does not match the schema of the puzzle, and where the answer is no string
   */
  judge(question: unknown, answer: string): PuzzleVerdict;
  /** {@link judge} for many answers to one question: the question is read once. */
  judgeOf(question: unknown): (answer: string) => PuzzleVerdict;
  /** The first solutions of a question, at most two, as a player writes them. Undefined without a solver. */
  solve(question: unknown): readonly string[] | undefined;
  /** Draws questions and checks the generator and the verifier against each other. */
  audit(plan?: Partial<PuzzleAuditPlan>): PuzzleAudit;
}

/**
 * Defines a puzzle by its rules. Environments, panels, instructions, the audit and the recipes follow from them.
 *
 * The single-answer form `puzzle-NAME-v1` shows a question and takes one answer in words. The step-wise form
 * `puzzle-NAME-moves-v1` changes a state move by move. These are two ids, because actions, observations, laws and recipes
 * differ: one id would have a schema that fits neither form. Both forms have the same questions.
 *
 * @throws UsageError where the rules are incomplete
 */
export function definePuzzle<const Name extends string, Question, Answer, const Level, State = never>(
  rules: PuzzleRules<Name, Question, Answer, Level, State>,
): Puzzle<Name> {
  assertRules(rules);
  const { name, category, summary, levels, moves, unique = false } = rules;
  const items = new Items<Question, Answer, Level>(rules);
  const parts = { rules, items, id: (form: string) => idOf(name, form) };
  const readQuestion = (question: unknown) => {
    const parsed = rules.question.safeParse(question);
    if (parsed.success) return keepState<Question>(`puzzle ${name}, question`, parsed.data).state;
    throw new UsageError({
      where: `puzzle ${name}, question`,
      what: `it does not match the schema: ${describeIssues(parsed.error)}.`,
      fix: 'Pass a question of this puzzle, as item() returns it.',
    });
  };
  const answers = answerEnvOf(parts);
  return {
    name,
    category,
    summary,
    levels: levels.length,
    unique,
    envs: moves === undefined ? [answers.env] : [answers.env, movesEnvOf({ ...parts, moves })],
    instruction: answers.instruction,
    item: (seed, level) => {
      assertSeed(name, seed);
      const { question, kept, solution } = items.ofSeed(seed, level);
      const text = rules.render(question);
      return { question: kept.json, text, solution: rules.answer.write(solution, question), level };
    },
    judge: (question, answer) => judge(rules, readQuestion(question), textOf(name, answer)),
    judgeOf: (given) => {
      const question = readQuestion(given);
      return (answer) => judge(rules, question, textOf(name, answer));
    },
    solve: (given) => {
      const question = readQuestion(given);
      return rules.solve?.(question).answers.map((answer) => rules.answer.write(answer, question));
    },
    audit: (plan = {}) => auditPuzzle(rules, items, plan),
  };
}

/** The answer of a caller, whose types may not be checked. */
function textOf(name: string, answer: unknown): string {
  if (typeof answer === 'string') return answer;
  throw new UsageError({
    where: `puzzle ${name}, answer`,
    what: `it must be a string, not ${answer === null ? 'null' : typeof answer}.`,
    fix: 'Pass the words of the player. An empty reply is the empty string.',
  });
}

function assertSeed(name: string, seed: unknown): void {
  if (Number.isSafeInteger(seed) && Number(seed) >= 0) return;
  throw new UsageError({
    where: `puzzle ${name}, seed`,
    what: `${String(seed)} is no seed.`,
    fix: 'Pass an integer from 0 up.',
  });
}

/** `sudoku` becomes `puzzle-sudoku-v1`, and `my-lab/sudoku` becomes `my-lab/puzzle-sudoku-v1`. */
function idOf(name: string, form: string): EnvId {
  const [, scope = '', plain = name] = /^(.*\/)?([^/]*)$/.exec(name) ?? [];
  return `${scope}puzzle-${plain}${form}-v1`;
}

const callable = z.custom((value) => typeof value === 'function', 'must be a function');
const schema = z.custom((value) => value instanceof z.ZodType, 'is no zod schema');
const words = z.string().min(1);
const rulesSchema = z.strictObject({
  name: z
    .string()
    .regex(/^([a-z\d][a-z\d-]*\/)?[a-z][a-z\d]*(-[a-z\d]+)*$/, 'must be words in lower case with hyphens'),
  category: z.enum(puzzleCategories),
  summary: words,
  question: schema,
  levels: z.array(z.unknown()).min(1),
  generate: callable,
  rules: words,
  render: callable,
  answer: z.strictObject({
    format: words,
    write: callable,
    read: callable,
    symbols: z.string().optional(),
    longest: z.int().min(1).max(65_536).optional(),
  }),
  verify: callable,
  solve: callable.optional(),
  unique: z.boolean().optional(),
  audit: z.strictObject({
    guess: callable,
    chance: z.union([z.number().min(0).max(1), callable]),
    mutants: callable,
    equivalents: callable.optional(),
    variety: callable.optional(),
  }),
  moves: z
    .strictObject({
      rules: words,
      state: schema,
      start: callable,
      render: callable,
      list: callable,
      play: callable,
      isSolved: callable,
      isLost: callable.optional(),
      plan: callable,
      next: callable.optional(),
      key: callable.optional(),
      turnLimit: callable,
      features: callable.optional(),
      target: callable.optional(),
      recipes: z.custom((value) => typeof value === 'object', 'must be recipes').optional(), // the trainer validates them
    })
    .optional(),
});

function assertRules(rules: {
  readonly name: string;
  readonly unique?: boolean;
  readonly solve?: unknown;
}): void {
  const parsed = rulesSchema.safeParse(rules);
  const where = `definePuzzle of ${String(rules.name)}`;
  if (!parsed.success) {
    const fix = 'Fix these members. The documentation of PuzzleRules describes each one.';
    throw new UsageError({ where, what: `${describeIssues(parsed.error)}.`, fix });
  }
  if (rules.unique === true && rules.solve === undefined) {
    throw new UsageError({
      where,
      what: 'it says that solutions are unique, but has no solver to prove it.',
      fix: 'Give solve, which returns two solutions where there are two, or remove unique.',
    });
  }
}
