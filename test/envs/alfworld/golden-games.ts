import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Episode } from '../../../envs/alfworld/episode.ts';
import { nothingHappens } from '../../../envs/kit/text-game.ts';
import { parseGameFile, type GameFile } from '../../../envs/alfworld/game-file.ts';
import { GameBuilder, type Game } from '../../../envs/alfworld/game.ts';

const folder = fileURLToPath(new URL('../../golden/alfworld/', import.meta.url));
const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');

/** The golden game of that name. */
export function goldenFile(name: string): GameFile {
  if (existsSync(path.join(folder, `${name}.tw-pddl`)))
    return parseGameFile(`${name}.tw-pddl`, read(`${name}.tw-pddl`));
  const [domain, problem, grammar] = ['domain.pddl', 'problem.pddl', 'grammar.twl2'].map((end) =>
    read(`${name}-${end}`),
  ) as [string, string, string];
  return {
    domain,
    problem,
    grammar,
    walkthrough: read(`${name}-walkthrough.txt`).trim().split('\n'),
    solvable: true,
  };
}

export const goldenGame = (name: string): Game => new GameBuilder().build(name, goldenFile(name));

const lineSchema = z.strictObject({
  command: z.string().nullable(),
  text: z.string(),
  admissible: z.string(),
  won: z.boolean(),
});

/** What TextWorld printed after each command. `null` stands for the opening. */
export type GoldenLine = z.output<typeof lineSchema>;

/** The episodes that TextWorld played of a game. */
export function goldenEpisodes(name: string): readonly (readonly GoldenLine[])[] {
  return z.object({ episodes: z.array(z.array(lineSchema)) }).parse(JSON.parse(read(`${name}.json`)))
    .episodes;
}

/** The same commands, played by this project line by line. */
export function replay(game: Game, lines: readonly GoldenLine[]): readonly GoldenLine[] {
  const episode = new Episode(game);
  return lines.map(({ command }) => {
    const text = command === null ? episode.open() : (episode.perform(command.trim()) ?? nothingHappens);
    return { command, text, admissible: episode.choices.texts.join('\n'), won: episode.isSolved };
  });
}
