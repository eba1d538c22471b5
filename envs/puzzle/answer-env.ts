import { hash } from 'node:crypto';
import { z } from 'zod';
import type { AnyEnvDefinition, EnvId } from '../core/env.ts';
import type { EnvRecipes } from '../core/presets.ts';
import { createRng } from '../core/rng.ts';
import { canonicalJson } from '../core/json.ts';
import type { Frozen } from '../kit/snapshot.ts';
import { defineTextEnv } from '../kit/text-env.ts';
import { rulesAuditOf } from './audit/rules-audit.ts';
import { catalogueOf } from './catalogue.ts';
import { difficultyKey, familyOfLevel } from './difficulty.ts';
import { asFrozen } from './frozen-schema.ts';
import { puzzlePanels, type Items } from './items.ts';
import { judge, longestAnswer, readAnswer } from './judge.ts';
import { once } from './remember.ts';
import type { PuzzleRules } from './rules.ts';

/** What both forms of a puzzle are made from. */
export interface PuzzleParts<Question, Answer, Level, State> {
  readonly rules: PuzzleRules<string, Question, Answer, Level, State>;
  readonly items: Items<Question, Answer, Level>;
  /** The id of a form, by what stands between name and version. */
  readonly id: (form: string) => EnvId;
}

interface AnswerState<Question> {
  question: Question;
  verdict?: 'right' | 'wrong';
}

/** Random answers that a turn lists, for the random player. */
const listed = 4;

/** The single-answer form: one question, one answer in words, and the end. */
export function answerEnvOf<Question, Answer, Level, State>({
  rules,
  items,
  id,
}: PuzzleParts<Question, Answer, Level, State>): {
  readonly env: AnyEnvDefinition;
  readonly instruction: () => string;
} {
  const { answer: words, solve } = rules;
  const longest = longestAnswer(words);
  const instruction = once(() => instructionOf(rules, items));
  const write = (answer: Answer, question: Frozen<Question>): string => words.write(answer, question);
  /** Random answers, drawn from the question alone, so that they say nothing about the solution. */
  const guesses = (question: Frozen<Question>): readonly string[] => {
    const rng = createRng(0).fork(hash('sha256', canonicalJson(question), 'hex'));
    const drawn = Array.from({ length: listed }, (_, index) =>
      write(rules.audit.guess(question, rng.fork(index)), question),
    );
    return [...new Set(drawn)];
  };
  const config = z.strictObject({ difficulty: difficultyKey(rules.levels.length) });
  const state = z.strictObject({
    question: rules.question,
    verdict: z.enum(['right', 'wrong']).exactOptional(),
  });
  const env = defineTextEnv<EnvId, AnswerState<Question>, typeof config, string, Frozen<Question>>({
    id: id(''),
    summary: `${rules.summary}; one answer in words`,
    config,
    turnLimit: 1,
    panels: puzzlePanels,
    state,
    unchecked: {
      secrets: 'nothing is hidden',
      hidden: 'nothing is hidden',
      'state-key-alias': 'an episode has one step, and tasks differ in their question',
      'steps-left': 'an episode has one step',
      experts:
        solve === undefined
          ? 'nothing is hidden that a searcher could look at, and the solution is known from the generator alone'
          : 'nothing is hidden that the searcher could look at',
    },
    catalogue: catalogueOf(rules, 'single-answer'),
    recipes: answerRecipes(rules.moves === undefined ? undefined : id('-moves')),
    observation: { schema: asFrozen(rules.question), print: (question) => rules.render(question) },
    action: {
      schema: z.string().min(1).max(longest),
      print: (text) => text,
      parse: (given) => {
        const text = given.trim();
        if (text === '') return { kind: 'malformed', why: 'The answer is empty.', text: given };
        if (text.length <= longest) return { kind: 'action', action: text };
        const why = `The answer has ${text.length} characters. At most ${longest} are allowed.`;
        return { kind: 'malformed', why, text: given };
      },
      isSample: () => true,
    },
    task: (ref, { difficulty }) => {
      const { question, kept, level } = items.ofTask(ref, difficulty);
      const content = { question: kept.json };
      return { instruction: instruction(), start: { question }, family: familyOfLevel(level), content };
    },
    observe: ({ question }) => question,
    actions: ({ question }) => guesses(question),
    accepts: ({ question }, text) => readAnswer(words, question, text) !== undefined,
    audit: { rules: (tasks) => rulesAuditOf(rules, items, { form: 'single-answer', tasks }) },
    step: ({ question }, text) =>
      judge(rules, question, text) === 'right'
        ? { state: { question, verdict: 'right' }, outcome: 'solved', reward: { solved: 1 } }
        : { state: { question, verdict: 'wrong' }, outcome: 'failed' },
    experts: {
      planner: (_start, { difficulty }, ref) => {
        const { question, solution } = items.ofTask(ref, difficulty);
        return [write(solution, question)];
      },
      ...(solve === undefined
        ? {}
        : {
            searcher: () => ({
              act: ({ observation: question, admissible = [] }) => {
                const [first] = solve(question).answers;
                return first === undefined ? (admissible[0] ?? '?') : write(first, question);
              },
            }),
          }),
    },
  });
  return { env, instruction };
}

/** Rules, format, and an example with its answer. The example is in no panel. */
function instructionOf<Question, Answer, Level, State>(
  { rules, render, answer }: PuzzleRules<string, Question, Answer, Level, State>,
  items: Items<Question, Answer, Level>,
): string {
  const { question, solution } = items.example();
  return [
    rules,
    `Answer: ${answer.format}`,
    `Example:\n${render(question)}\nAnswer of the example:\n${answer.write(solution, question)}`,
  ].join('\n\n');
}

const answerRecipes = (movesEnv: EnvId | undefined): EnvRecipes => ({
  choice: [
    {
      refusal: {
        what: 'it trains a choice policy, which chooses among listed actions, but the answers of this puzzle are written freely.',
        fix:
          movesEnv === undefined
            ? 'Train a language model on it, with --policy token --model FOLDER.'
            : `Train it on ${movesEnv}, or train a language model here, with --policy token --model FOLDER.`,
      },
    },
  ],
});
