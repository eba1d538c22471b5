import { z } from 'zod';
import type { AnyEnvDefinition, EnvId } from '../core/env.ts';
import { keepState, type Frozen } from '../kit/snapshot.ts';
import { defineTextEnv } from '../kit/text-env.ts';
import { once, rememberLast } from './remember.ts';
import type { PuzzleParts } from './answer-env.ts';
import { rulesAuditOf } from './audit/rules-audit.ts';
import { catalogueOf } from './catalogue.ts';
import { difficultyKey, familyOfLevel } from './difficulty.ts';
import { asFrozen } from './frozen-schema.ts';
import { puzzlePanels, type Items } from './items.ts';
import { movesRecipes } from './moves-recipes.ts';
import type { PuzzleMoves, PuzzleRules } from './rules.ts';

/** The step-wise form: a state that moves change until it is solved. */
export function movesEnvOf<Question, Answer, Level, State>({
  rules,
  items,
  id,
  moves,
}: PuzzleParts<Question, Answer, Level, State> & {
  readonly moves: PuzzleMoves<Question, Answer, Level, State>;
}): AnyEnvDefinition {
  const { key, next, features, target } = moves;
  const recipes = moves.recipes ?? (features === undefined ? undefined : movesRecipes);
  const limits = rules.levels.map((level) => moves.turnLimit(level));
  const config = z.strictObject({ difficulty: difficultyKey(rules.levels.length) });
  const instruction = once(() => movesInstructionOf(rules, moves, items));
  const list = rememberLast((state: Frozen<State>) => moves.list(state)); // a step and the turn after it both need it
  return defineTextEnv<EnvId, State, typeof config, string, Frozen<State>>({
    id: id('-moves'),
    summary: `${rules.summary}; move by move`,
    config,
    turnLimit: ({ difficulty }) => limits[difficulty - 1] ?? Math.max(...limits),
    panels: puzzlePanels,
    catalogue: catalogueOf(rules, 'step-wise'),
    state: moves.state,
    unchecked: {
      secrets: 'nothing is hidden',
      hidden: 'nothing is hidden',
      experts: 'nothing is hidden that the searcher could look at',
    },
    observation: { schema: asFrozen(moves.state), print: (state) => moves.render(state) },
    task: (ref, { difficulty }) => {
      const { question, kept, level } = items.ofTask(ref, difficulty);
      return {
        instruction: instruction(),
        start: moves.start(question),
        family: familyOfLevel(level),
        content: { question: kept.json },
      };
    },
    observe: (state) => state,
    ...(features === undefined ? {} : { features }),
    ...(target === undefined ? {} : { target }),
    ...(recipes === undefined ? {} : { recipes }),
    actions: list,
    audit: { rules: (tasks) => rulesAuditOf(rules, items, { form: 'step-wise', tasks }) },
    step: (before, move) => {
      const state = moves.play(before, move);
      const { state: after } = keepState<State>(`puzzle ${rules.name}, play`, state);
      if (moves.isSolved(after)) return { state: after, outcome: 'solved', reward: { solved: 1 } };
      return moves.isLost?.(after) === true || list(after).length === 0
        ? { state: after, outcome: 'failed' }
        : { state: after };
    },
    ...(key === undefined ? {} : { key }),
    experts: {
      planner: (_start, { difficulty }, ref) => {
        const { question, solution } = items.ofTask(ref, difficulty);
        return moves.plan(question, solution);
      },
      ...(next === undefined
        ? {}
        : {
            searcher: () => ({
              act: ({ observation, admissible }) => next(observation) ?? admissible?.[0] ?? '',
            }),
          }),
    },
  });
}

/** Rules, moves, and the first moves of an example. The example is in no panel. */
function movesInstructionOf<Question, Answer, Level, State>(
  { rules }: Pick<PuzzleRules<string, Question, Answer, Level, State>, 'rules'>,
  moves: PuzzleMoves<Question, Answer, Level, State>,
  items: Items<Question, Answer, Level>,
): string {
  const { question, solution } = items.example();
  const [first = ''] = moves.plan(question, solution);
  return `${rules}\n\nMoves: ${moves.rules} Example of a move: "${first}".`;
}
