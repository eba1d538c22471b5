import { z } from 'zod';

const shownDoc = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** The first words of the text. */
  passage: z.string(),
  /** Whether the text goes on. */
  isCut: z.boolean(),
});
export type ShownDoc = Readonly<z.output<typeof shownDoc>>;

/** What the last action led to. */
export const searchObservationSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('question'), help: z.string() }),
  z.strictObject({ kind: z.literal('results'), docs: z.array(shownDoc) }),
  z.strictObject({
    kind: z.literal('page'),
    doc: z.int(),
    title: z.string(),
    part: z.int(),
    parts: z.int(),
    text: z.string(),
  }),
  z.strictObject({ kind: z.literal('found'), lines: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('noted') }),
  z.strictObject({ kind: z.literal('refused'), message: z.string() }),
  z.strictObject({ kind: z.literal('judged'), isRight: z.boolean() }),
]);
export type SearchObservation = Readonly<z.output<typeof searchObservationSchema>>;

/** The observation in words. Results have the form of Search-R1: `Doc 1(Title: …) …` in `<information>`. */
export function describeObservation(observation: SearchObservation): string {
  switch (observation.kind) {
    case 'question':
      return observation.help;
    case 'results':
      return `<information>${observation.docs.length === 0 ? 'No document has these words.' : observation.docs.map(describeDoc).join('\n')}</information>`;
    case 'page': {
      const { doc, title, part, parts, text } = observation;
      return `<information>Doc ${doc}(Title: ${title}) part ${part} of ${parts}\n${text}</information>`;
    }
    case 'found':
      return `<information>${observation.lines.length === 0 ? 'The open document does not have these words.' : observation.lines.join('\n')}</information>`;
    case 'noted':
      return 'Noted.';
    case 'refused':
      return `My previous action is invalid. ${observation.message}`;
    case 'judged':
      return observation.isRight ? 'Right.' : 'Wrong.';
    default:
      return observation satisfies never;
  }
}

const describeDoc = ({ title, passage, isCut }: ShownDoc, index: number): string =>
  `Doc ${index + 1}(Title: ${title}) ${passage}${isCut ? ' …' : ''}`;

/** Characters of a passage, at most, whatever its number of words. */
const charactersAWord = 12;
const mostTitle = 300;

/** The first words of a text, and whether it goes on. */
export function passageOf(
  text: string,
  words: number,
): { readonly passage: string; readonly isCut: boolean } {
  const head = text.slice(0, words * charactersAWord);
  let end = 0;
  let count = 0;
  for (const { 0: word, index } of head.matchAll(/\S+/g)) {
    count += 1;
    if (count > words) break;
    end = index + word.length;
  }
  const isCut = text.slice(end).trim() !== '';
  return { passage: text.slice(0, end).replaceAll(/\s+/g, ' ').trim(), isCut };
}

export const shownTitle = (title: string): string =>
  title.length > mostTitle ? `${title.slice(0, mostTitle)}…` : title;
