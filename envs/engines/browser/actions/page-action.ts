import { z } from 'zod';
import { keySchema } from './key-press.ts';

const element = z
  .string()
  .max(20)
  .regex(/^e\d+$/, 'expected an id such as e12')
  .describe('the id of an element that is shown');

/** The largest offset in CSS pixels. Offsets outside of the element are refused. */
const farthest = 1_000_000;
const offset = z.int().min(0).max(farthest);
const at = (what: string) =>
  z
    .strictObject({ x: offset, y: offset })
    .optional()
    .describe(`where on ${what}, in CSS pixels from its left top; its middle where it is left out`);

/**
 * The longest text in characters. People type less into a field, and a browser lays out that many lines
 * within seconds.
 */
export const longestText = 100_000;

/** The actions on a page, as typed tool calls. */
export const pageActionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('click'), element, at: at('the element') }).describe('clicks an element'),
  z
    .strictObject({ kind: z.literal('type'), element, text: z.string().max(longestText) })
    .describe('clicks a field and types behind what it holds'),
  z.strictObject({ kind: z.literal('clear'), element }).describe('empties a field'),
  z
    .strictObject({ kind: z.literal('select'), element, option: z.string().max(longestText) })
    .describe('chooses an option of a list by its label'),
  z.strictObject({ kind: z.literal('press'), key: keySchema }).describe('presses a key where the focus is'),
  z
    .strictObject({
      kind: z.literal('scroll'),
      direction: z.enum(['up', 'down', 'left', 'right']),
      element: element.optional(),
    })
    .describe('scrolls by most of a window, or of an element'),
  z.strictObject({ kind: z.literal('hover'), element }).describe('moves the mouse over an element'),
  z
    .strictObject({
      kind: z.literal('drag'),
      element,
      at: at('the element'),
      to: element,
      toAt: at('the other'),
    })
    .describe('drags an element onto another, or from one place of it to another'),
  z
    .strictObject({ kind: z.literal('wait') })
    .describe('does nothing, and lets some of the time of the page go by, as with each action'),
  z
    .strictObject({ kind: z.literal('goto'), url: z.string().min(1).max(2000) })
    .describe('goes to an address of this site'),
  z.strictObject({ kind: z.literal('back') }).describe('goes back to the page before'),
  z.strictObject({ kind: z.literal('tab'), tab: z.int().min(1) }).describe('turns to a tab by its number'),
  z.strictObject({ kind: z.literal('close') }).describe('closes the tab; the last one stays'),
]);

export type PageAction = Readonly<z.output<typeof pageActionSchema>>;
