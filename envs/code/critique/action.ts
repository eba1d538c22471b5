import { z } from 'zod';
import { readReply } from '../../core/read-reply.ts';
import type { Reply } from '../../core/textual.ts';
import { describeAction, readAction } from '../action.ts';

/** The actions of a critic, as typed tool calls. */
export const critiqueActionSchema = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: z.literal('verdict'),
      verdict: z.enum(['right', 'wrong']),
      about: z
        .string()
        .max(200)
        .optional()
        .describe('how the program did when it was tested; for readers alone'),
    })
    .describe('says whether the program solves the problem for every input, and ends the episode'),
  z.strictObject({ kind: z.literal('test') }).describe('runs the visible tests on the program'),
  z
    .strictObject({
      kind: z.literal('run'),
      input: z.string().max(1_000_000).describe('arguments as a JSON list, or what the program reads'),
    })
    .describe("runs the program on an input of one's own"),
]);

export type CritiqueAction = Readonly<z.output<typeof critiqueActionSchema>>;

/** The action in words. */
export function describeCritiqueAction(action: CritiqueAction): string {
  switch (action.kind) {
    case 'verdict':
      return action.about === undefined ? action.verdict : `${action.verdict}: ${action.about}`;
    case 'test':
      return 'test';
    case 'run':
      return describeAction(action);
    default:
      return action satisfies never;
  }
}

const help =
  'Say right or wrong; reasons go before it, on lines of their own. Where the program may be run: test, or run and an input.';

/** Parses words: a verdict with reasons before it, `test`, `run` and an input, or a tool call as JSON. */
export const readCritiqueAction = (text: string): Reply<CritiqueAction> =>
  readReply(text, { schema: critiqueActionSchema, fieldsOf, help });

function fieldsOf(said: string): unknown {
  if (/^test\.?$/i.test(said)) return { kind: 'test' };
  const [, verdict, about] =
    /^(?:verdict|answer)?\s*(?::\s*)?(?:it is )?(right|wrong)(?:\.|:(.+))?$/i.exec(
      said.split('\n').at(-1)?.trim() ?? '',
    ) ?? [];
  if (verdict !== undefined)
    return {
      kind: 'verdict',
      verdict: verdict.toLowerCase(),
      ...(about === undefined ? {} : { about: about.trimStart() }),
    };
  if (!/^run\b/i.test(said)) return undefined;
  const read = readAction(said);
  return read.kind === 'action' && read.action.kind === 'run'
    ? { kind: 'run', input: read.action.input }
    : undefined;
}
