import { z } from 'zod';
import { messageOf, UsageError } from '../core/errors.ts';
import { describeIssues } from '../core/issues.ts';
import { placeOf } from '../engines/planning/source.ts';

const gameFileSchema = z.looseObject({
  pddl_domain: z.string(),
  pddl_problem: z.string(),
  grammar: z.string(),
  walkthrough: z.array(z.string()).nullish(),
  solvable: z.boolean().nullish(),
});

/** The content of a `game.tw-pddl` file. */
export interface GameFile {
  readonly domain: string;
  readonly problem: string;
  readonly grammar: string;
  /** Commands that solve it. */
  readonly walkthrough: readonly string[] | undefined;
  /** False where nobody could solve it, or nobody has tried; undefined where the file does not say. */
  readonly solvable: boolean | undefined;
}

/**
 * Parses the text of a game file.
 *
 * @param name the name of the file in errors
 * @throws UsageError for a text that is incomplete or is no game
 */
export function parseGameFile(name: string, text: string): GameFile {
  const parsed = gameFileSchema.safeParse(parseJson(name, text));
  if (!parsed.success) {
    throw new UsageError({
      where: name,
      what: `it is not a game file: ${describeIssues(parsed.error)}.`,
      fix,
    });
  }
  const { pddl_domain: domain, pddl_problem: problem, grammar, walkthrough, solvable } = parsed.data;
  return {
    domain,
    problem,
    grammar,
    walkthrough: walkthrough ?? undefined,
    solvable: solvable === null ? false : solvable,
  };
}

const fix =
  'A game file is JSON with pddl_domain, pddl_problem and grammar as texts; get a new copy, or remove it from the files.';

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    const position = /position (\d+)/.exec(messageOf(thrown))?.[1];
    const offset = position === undefined ? text.length : Number(position);
    throw new UsageError({
      where: `${name}, ${placeOf(text, offset)}`,
      what: `it is not JSON, or incomplete: ${messageOf(thrown)
        .replaceAll(/[^\x20-\x7E]/g, '?')
        .slice(0, 160)}.`,
      fix,
    });
  }
}
