import { z } from 'zod';

/** What the last action led to. */
export const routeObservationSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('question'), help: z.string() }),
  z.strictObject({ kind: z.literal('reply'), model: z.string(), text: z.string() }),
  z.strictObject({ kind: z.literal('noted') }),
  z.strictObject({ kind: z.literal('refused'), message: z.string() }),
  z.strictObject({ kind: z.literal('judged'), isRight: z.boolean() }),
]);
export type RouteObservation = Readonly<z.output<typeof routeObservationSchema>>;

/** The observation in words. An answer of a model stands in `<information>`, as in Router-R1. */
export function describeObservation(observation: RouteObservation): string {
  switch (observation.kind) {
    case 'question':
      return observation.help;
    case 'reply':
      return `<information>${observation.model}: ${observation.text}</information>`;
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
