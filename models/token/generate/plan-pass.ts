import type { PackedTokens } from '../packed-tokens.ts';
import type { Slot } from './slot-table.ts';

/** A reply that is under way in a slot. */
export interface Writing {
  readonly slot: Slot;
  /** The prompt and what is written behind it, of which the slot holds the beginning. */
  readonly tokens: readonly number[];
  /** Whether anything behind the prompt was drawn. */
  readonly isBegun: boolean;
}

/** The next tokens of one reply that a pass computes: those behind what its slot holds. */
export interface PassPart<W extends Writing> {
  readonly writing: W;
  readonly count: number;
}

/** What each reply puts into a pass of at most so many tokens: first those that write, then prompts, in the order in which they came. */
export function planPass<W extends Writing>(
  live: readonly W[],
  tokensPerPass: number,
): readonly PassPart<W>[] {
  const inOrder = [...live.filter(({ isBegun }) => isBegun), ...live.filter(({ isBegun }) => !isBegun)];
  const parts: PassPart<W>[] = [];
  let room = tokensPerPass;
  for (const writing of inOrder) {
    const count = Math.min(room, writing.tokens.length - writing.slot.tokens.length);
    if (count > 0) parts.push({ writing, count });
    room -= count;
  }
  return parts;
}

/** True where the pass computes the last token, behind which the next is drawn. */
export function isDrawnFrom({ writing: { slot, tokens }, count }: PassPart<Writing>): boolean {
  return slot.tokens.length + count === tokens.length;
}

/** The tokens of all parts end to end, each seeing its own slot, and the places among them that are drawn from. `until` is the row of each. */
export function packPass(parts: readonly PassPart<Writing>[]): {
  readonly packed: PackedTokens;
  readonly places: Int32Array;
} {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const packed = {
    ids: new Int32Array(total),
    positions: new Int32Array(total),
    from: new Int32Array(total),
    until: new Int32Array(total),
  };
  const places: number[] = [];
  let at = 0;
  for (const part of parts) {
    const {
      writing: { slot, tokens },
      count,
    } = part;
    for (let position = slot.tokens.length; position < slot.tokens.length + count; position += 1, at += 1) {
      packed.ids[at] = tokens[position] as number;
      packed.positions[at] = position;
      packed.from[at] = slot.firstRow;
      packed.until[at] = slot.firstRow + position;
    }
    if (isDrawnFrom(part)) places.push(at - 1);
  }
  return { packed, places: Int32Array.from(places) };
}
