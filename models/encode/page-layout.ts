/** How the candidates of a decision lie in the observation: which stand in it as pieces of their own, side by side, and what stands about them. */

/** A candidate that the observation shows. */
export interface Spot {
  /** Which of the candidates. */
  readonly candidate: number;
  /** Number of its list: candidates with nothing between them are one. */
  readonly list: number;
  /** What stands after it, up to the next spot. */
  readonly after: readonly string[];
}

export interface PageLayout {
  /** In the order of the observation. */
  readonly spots: readonly Spot[];
  /** All pieces of the observation. */
  readonly pieces: readonly string[];
}

/** What parts a text into pieces: line breaks, marks in brackets, tags. */
const mark = /\n|\[[^\]\n]*\]|<\/?[a-z][^>\n]*>/;

/** What an action is done to: all of it but the first word, without brackets about it. */
export function argumentOf(action: string): string {
  const found = /^\s*[\p{L}\p{N}_]+(?:\[(.*)\]|\((.*)\)|\s+(.*))\s*$/su.exec(action);
  return (found?.[1] ?? found?.[2] ?? found?.[3] ?? '').trim().toLowerCase();
}

/** Finds the arguments among the pieces of the observation; each counts where it stands first. */
export function layOut(observation: string, argumentTexts: readonly string[]): PageLayout {
  const candidates = new Map<string, number>();
  for (const [candidate, text] of argumentTexts.entries())
    if (text !== '' && !candidates.has(text)) candidates.set(text, candidate);
  const pieces = observation
    .split(mark)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
  const spots: { candidate: number; list: number; after: string[] }[] = [];
  for (const piece of pieces) {
    const text = piece.toLowerCase();
    const candidate = candidates.get(text);
    const last = spots.at(-1);
    if (candidate === undefined) {
      last?.after.push(piece);
      continue;
    }
    candidates.delete(text);
    spots.push({
      candidate,
      list: last === undefined ? 0 : last.list + (last.after.length > 0 ? 1 : 0),
      after: [],
    });
  }
  return { spots, pieces };
}
