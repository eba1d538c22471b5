import { z } from 'zod';
import { families } from '../goal-shape.ts';

const word = z.string().regex(/^[a-z]+$/);
const number = z.int().min(1).max(9_999);

/** A household problem as plain data, from which a game file is written. */
export const plainGameSchema = z.strictObject({
  goal: z.strictObject({ family: z.enum(families).exclude(['other']), object: word, target: word }),
  /** The goal in words, with its full stop. */
  instruction: z
    .string()
    .min(1)
    .regex(/^[^#{}[\]|<>;"\\]+$/),
  dialect: z.enum(['current', 'classic']),
  /** Kinds of receptacles: whether they have doors, and which kinds of objects they can hold. */
  placeKinds: z.record(word, z.strictObject({ openable: z.boolean(), holds: z.array(word) })),
  /** Kinds of objects and their abilities. */
  objectKinds: z.record(
    word,
    z.strictObject({
      abilities: z.array(z.enum(['pickup', 'clean', 'heat', 'cool', 'slice', 'cut', 'toggle', 'contain'])),
    }),
  ),
  /** The receptacles of the room. Each is a place of its own, and doors are closed. */
  places: z.array(z.strictObject({ kind: word, number })),
  /** The objects, each at an index into `places`. */
  objects: z.array(z.strictObject({ kind: word, number, place: z.int().min(0) })),
  walkthrough: z.array(z.string()).nullable(),
});

export type PlainGame = z.output<typeof plainGameSchema>;
export type Ability = PlainGame['objectKinds'][string]['abilities'][number];
