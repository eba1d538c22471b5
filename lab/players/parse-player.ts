import { UsageError } from '../../envs/core/errors.ts';
import { didYouMean, nearest } from '../../envs/core/near-miss.ts';
import { openaiExample } from './kinds/openai.ts';
import { playerKinds } from './list.ts';
import { holdsWeights, schemeOf } from './named-folder.ts';
import type { PlayerSpec } from './player-spec.ts';

const usages = playerKinds.flatMap(({ usage }) => usage);

/** All text forms of players, for help and errors. */
export const playerWords = `${usages.slice(0, -1).join(', ')}, or ${usages.at(-1)}`;

const schemes = playerKinds.flatMap(({ scheme }) => scheme ?? []);

/**
 * Reads the text form of a player: `random`, `searcher`, `noisy:0.25`, `runs/first`, `runs/first/checkpoints/iteration-00040`, `run:FOLDER`, `model:FOLDER` or
 * `openai:MODEL@URL`. A bare word names a folder here only if that folder holds a run or a model and no player has that name.
 * @param options.where names the flag in errors
 * @param options.log receives a line where a player and a folder here have the same name
 * @throws UsageError for text that names no player
 */
export function parsePlayer(
  text: string,
  options: { readonly where?: string; readonly log?: (line: string) => void } = {},
): PlayerSpec {
  const { where = 'player', log } = options;
  for (const { words, parse } of playerKinds) {
    const spec: PlayerSpec | undefined = parse(text, where);
    if (spec === undefined) continue;
    if (words.includes(text) && holdsWeights(text))
      log?.(`${text} is the player of that name; the folder here is --agent ./${text}`);
    return spec;
  }
  const scheme = schemeOf(text);
  if (scheme !== undefined) {
    throw new UsageError({
      where,
      what: `there are no agents of kind "${scheme}:".`,
      fix: `${didYouMean(nearest(scheme, schemes))}Write it like ${openaiExample}.`,
    });
  }
  const words = playerKinds.flatMap((kind) => kind.words);
  throw new UsageError({
    where,
    what: `"${text}" is no agent.`,
    fix: `${didYouMean(nearest(text, [...words, ...schemes]))}Give ${playerWords}; a folder here is named ./${text}.`,
  });
}

/** The text form of a player, which {@link parsePlayer} reads. It leaves options such as the decoding out. */
export function describePlayer(spec: PlayerSpec): string {
  return kindOf(spec).describe(spec);
}

/** The item of the list that defines players of this kind. */
export function kindOf({ kind }: PlayerSpec): (typeof playerKinds)[number] {
  const found = playerKinds.find((each) => each.kind === kind);
  if (found !== undefined) return found;
  throw new UsageError({
    where: 'player, kind',
    what: `there are no players of kind "${kind}".`,
    fix: `Give one of ${playerKinds.map((each) => each.kind).join(', ')}.`,
  });
}
