import type { PackedTokens } from '../packed-tokens.ts';

/** Tokens of a pass that one of several computes, with the rows of its own cache, and the places among them that are drawn from. */
export interface PartOfPass {
  readonly packed: PackedTokens;
  readonly places: Int32Array;
}

/** Who of so many has a slot, and as which of its own. */
const ownerOf = (slot: number, count: number): readonly [owner: number, own: number] => [
  slot % count,
  Math.floor(slot / count),
];

/** How many of all slots the one who has most of them has. */
export const mostSlots = (slots: number, count: number): number => Math.ceil(slots / count);

/**
 * Shares a pass out: each slot is always with the same of `count`. Tokens keep their order. A place's logits are in the next row of the part at
 * `owners` of its number.
 */
export function splitPass(
  packed: PackedTokens,
  places: Int32Array,
  of: { readonly rowsOfSlot: number; readonly count: number },
): { readonly parts: readonly PartOfPass[]; readonly owners: readonly number[] } {
  const members = Array.from({ length: of.count }, (): number[] => []);
  const asked = Array.from({ length: of.count }, (): number[] => []);
  const ownFrom = new Int32Array(packed.ids.length);
  const owners: number[] = [];
  const drawn = new Set(places);
  for (const [token, from] of packed.from.entries()) {
    const [owner, own] = ownerOf(from / of.rowsOfSlot, of.count);
    ownFrom[token] = own * of.rowsOfSlot;
    const tokens = members[owner] as number[];
    if (drawn.has(token)) {
      owners.push(owner);
      asked[owner]?.push(tokens.length);
    }
    tokens.push(token);
  }
  const parts = members.map((tokens, owner) => {
    const pick = (values: Int32Array): Int32Array =>
      Int32Array.from(tokens, (token) => values[token] as number);
    const from = pick(ownFrom);
    const until = from.map(
      (first, at) =>
        first +
        (packed.until[tokens[at] as number] as number) -
        (packed.from[tokens[at] as number] as number),
    );
    return {
      packed: { ids: pick(packed.ids), positions: pick(packed.positions), from, until },
      places: Int32Array.from(asked[owner] ?? []),
    };
  });
  return { parts, owners };
}
