import { z } from 'zod';
import type { EnvDefinition, EnvId } from '../core/env.ts';
import { drawnTasks } from '../kit/drawn-tasks.ts';
import { defineTextEnv } from '../kit/text-env.ts';
import { gameCatalogue, gameRecipes } from './recipes.ts';

/** What a scripted partner answers from. */
export interface GuessTable {
  /** The questions about attributes, by the name of the attribute. */
  readonly questions: Readonly<Record<string, string>>;
  /** The attributes of each thing, separated by blanks. What is not listed is false. */
  readonly things: Readonly<Record<string, string>>;
}

interface Game {
  /** The index of the secret thing. */
  readonly secret: number;
  /** The indices of the questions that were asked, ascending. */
  readonly asked: readonly number[];
  /** Why the last question was refused; absent where it was answered. */
  readonly refused?: string;
}

const config = z.strictObject({
  questions: z.int().min(1).max(40).default(20).describe('questions of an episode; a guess is one too'),
});

/** The words of a question without case, articles and signs: so freely may a player write it. */
const plain = (question: string): string =>
  question
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, '')
    .replaceAll(/\b(?:a|an|the) /g, '')
    .trim();

interface GuessRules {
  readonly table: GuessTable;
  /** The question that guesses a thing. */
  readonly guess: (thing: string) => string;
}

/** The scripted partner: what can be asked, and the answers. Questions about attributes come first, then the guesses. */
function partnerOf({ table, guess }: GuessRules) {
  const names = Object.keys(table.things);
  const attributes = Object.keys(table.questions);
  const facts = Object.values(table.things).map((list) => new Set(list.split(' ')));
  const questions = [...Object.values(table.questions), ...names.map(guess)];
  const byWords = new Map(questions.map((question, index) => [plain(question), index]));
  const answer = (secret: number, question: number): boolean => {
    const attribute = attributes[question];
    return attribute === undefined
      ? question - attributes.length === secret
      : facts[secret]?.has(attribute) === true;
  };
  const candidates = (answers: ReadonlyMap<number, boolean>): number[] =>
    names
      .map((_name, thing) => thing)
      .filter((thing) => [...answers].every(([question, yes]) => answer(thing, question) === yes));
  const readAnswers = (observation: string): Map<number, boolean> =>
    new Map(
      observation.split('\n').flatMap((line): (readonly [number, boolean])[] => {
        const [, question = '', yes] = /^(.*\?) (Yes|No)\.$/.exec(line) ?? [];
        const index = byWords.get(plain(question));
        return index === undefined ? [] : [[index, yes === 'Yes']];
      }),
    );
  const indexOf = (question: string): number | undefined => byWords.get(plain(question));
  return { attributes, facts, names, questions, indexOf, answer, candidates, readAnswers };
}

const unknownQuestion =
  'Refused: I have no answer to that. Ask one of the listed questions, or guess. It still counts as a question.';
const askedBefore = 'Refused: that was asked before. It still counts as a question.';

/**
 * A game of yes-or-no questions with a scripted partner, by the rules of LMRL-Gym (2023): each question costs 1, the right guess costs
 * nothing and ends the game, and after 20 questions it is lost. A refused question costs 1 as well. LMRL-Gym's partner is a language model. This one answers by a table.
 */
export function guessingGame<const Id extends EnvId>(
  game: {
    readonly id: Id;
    readonly summary: string;
    readonly instruction: string;
  } & GuessRules,
): EnvDefinition<Id, typeof config, string, string> {
  const { attributes, facts, names, questions, indexOf, answer, candidates, readAnswers } = partnerOf(game);
  return defineTextEnv<Id, Game, typeof config, string, string>({
    ...drawnTasks({
      id: game.id,
      config,
      instruction: game.instruction,
      draw: (rng): Game => ({ secret: rng.int(names.length), asked: [] }),
    }),
    summary: game.summary,
    turnLimit: ({ questions: count }) => count,
    recipes: gameRecipes,
    catalogue: gameCatalogue(['dialogue', 'deduction', 'hidden-information']),
    unchecked: { secrets: 'the secret is one of the guesses that each turn lists' },
    observe: ({ secret, asked, refused }) => {
      const answers = asked.map(
        (question) => `${questions[question]} ${answer(secret, question) ? 'Yes' : 'No'}.`,
      );
      const lines = [...(refused === undefined ? [] : [refused]), ...answers];
      return lines.length === 0 ? 'Ask a question.' : lines.join('\n');
    },
    actions: ({ asked }) => {
      const open = [...questions];
      for (const index of asked.toReversed()) open.splice(index, 1);
      return open;
    },
    accepts: ({ asked }, question) => {
      const index = indexOf(question);
      return index !== undefined && !asked.includes(index);
    },
    step: ({ secret, asked }, question) => {
      const index = indexOf(question) ?? 0;
      const state = { secret, asked: [...asked, index].toSorted((one, other) => one - other) };
      return index - attributes.length === secret
        ? { state, outcome: 'solved', reward: { question: 0 } }
        : { state, reward: { question: -1 } };
    },
    refuse: ({ secret, asked }, question) => ({
      state: { secret, asked, refused: indexOf(question) === undefined ? unknownQuestion : askedBefore },
      reward: { question: -1 },
    }),
    information: ({ secret, asked, refused }) => [
      ...asked.map((index) => (answer(secret, index) ? index : -1 - index)),
      ...(refused === undefined ? [] : [refused]),
    ],
    features: (observation) => {
      const answers = readAnswers(observation);
      return {
        fields: {
          asked: answers.size,
          possible: candidates(answers).length,
          ...Object.fromEntries(
            [...answers].flatMap(([index, yes]) =>
              attributes[index] === undefined ? [] : [[attributes[index], yes]],
            ),
          ),
        },
      };
    },
    target: (question) => {
      const index = indexOf(question) ?? 0;
      const thing = index - attributes.length;
      return thing < 0
        ? { verb: 'ask', value: attributes[index] ?? '' }
        : {
            verb: 'guess',
            fields: Object.fromEntries(attributes.map((name) => [name, facts[thing]?.has(name) === true])),
          };
    },
    experts: {
      planner: ({ secret }) => [questions[attributes.length + secret] ?? ''],
      searcher: () => ({
        act: ({ observation }) => {
          const left = candidates(readAnswers(observation));
          if (left.length <= 2) return questions[attributes.length + (left[0] ?? 0)] ?? '';
          const uneven = (question: number): number =>
            Math.abs(left.length - 2 * left.filter((thing) => answer(thing, question)).length);
          const best = attributes
            .map((_name, index) => index)
            .reduce((chosen, index) => (uneven(index) < uneven(chosen) ? index : chosen), 0);
          return questions[best] ?? '';
        },
      }),
    },
    audit: {
      swapHidden: (state, rng) => {
        const others = candidates(
          new Map(state.asked.map((question) => [question, answer(state.secret, question)])),
        ).filter((thing) => thing !== state.secret);
        if (others.length === 0) return undefined;
        const secret = rng.pick(others);
        return {
          state: { ...state, secret },
          reveals: (question) => {
            const index = indexOf(question) ?? 0;
            return answer(secret, index) !== answer(state.secret, index);
          },
        };
      },
    },
  });
}
