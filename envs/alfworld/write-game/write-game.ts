import { UsageError } from '../../core/errors.ts';
import { describeIssues } from '../../core/issues.ts';
import { domainText } from './domain-text.ts';
import { grammarText } from './grammar-text.ts';
import { plainGameSchema } from './plain-game.ts';
import { problemText } from './problem-text.ts';

/** The content of a `game.tw-pddl` file, for `JSON.stringify`. */
export interface WrittenGame {
  readonly pddl_domain: string;
  readonly pddl_problem: string;
  readonly grammar: string;
  readonly walkthrough: readonly string[] | null;
  readonly solvable: boolean;
}

/**
 * Writes a household problem as a game in ALFWorld's format. This env and TextWorld can play it. The rules
 * are those of the household world. They differ from ALFWorld's own in one point: only visible objects can be
 * sliced.
 *
 * @throws UsageError for data that are no household problem
 */
export function writeGame(game: unknown): WrittenGame {
  const parsed = plainGameSchema.safeParse(game);
  if (!parsed.success) throw refusal(`it is no problem of a household: ${describeIssues(parsed.error)}.`);
  const { places, objects } = parsed.data;
  const astray = objects.find(({ place }) => place >= places.length);
  if (astray !== undefined)
    throw refusal(
      `"${astray.kind} ${astray.number}" is in place ${astray.place}, and there are ${places.length}.`,
    );
  return {
    pddl_domain: domainText(parsed.data.dialect === 'current'),
    pddl_problem: problemText(parsed.data),
    grammar: grammarText(parsed.data),
    walkthrough: parsed.data.walkthrough,
    solvable: parsed.data.walkthrough !== null,
  };
}

const refusal = (what: string): UsageError =>
  new UsageError({ where: 'a game to be written', what, fix: 'Fix the data.' });
