import type { Draw } from './draw.ts';
import { goesWith, type Line } from './line.ts';
import type { PreparedAttribute } from './prepared-type.ts';

/**
 * The least number of attributes of a product. The goals of a product ask for different ones. With three
 * there are seven ways.
 */
export const fewestAttributes = 3;

/** An attribute of a product, and where its page mentions it. One in five is not mentioned. */
export interface HeldAttribute {
  readonly prepared: PreparedAttribute;
  readonly inTitle: boolean;
  readonly inFeatures: boolean;
  readonly inDescription: boolean;
}

/** The attributes of a product: those of its line. Siblings often exchange, lose or gain one. */
export function drawHeldAttributes(line: Line, draw: Draw): readonly HeldAttribute[] {
  return memberAttributes(line, draw).map((index) => {
    const prepared = line.type.attributes[index] as PreparedAttribute;
    return {
      prepared,
      inTitle: prepared.attribute.title !== undefined && draw.chance(32),
      inFeatures: draw.chance(66),
      inDescription: draw.chance(19),
    };
  });
}

function memberAttributes({ type, members, attributes }: Line, draw: Draw): readonly number[] {
  if (members === 1) return attributes;
  const held = [...attributes];
  const other = draw.below(type.attributes.length);
  const place = draw.below(held.length);
  const draught = draw.below(100);
  if (draught < 55) {
    const rest = held.filter((_, index) => index !== place);
    if (!held.includes(other) && goesWith(type, other, rest)) held[place] = other;
  } else if (draught < 75) {
    if (goesWith(type, other, held)) held.push(other);
  } else if (draught < 90 && held.length > fewestAttributes) held.splice(place, 1);
  return held;
}
