import { z } from 'zod';
import { readCall, readReply } from '../core/read-reply.ts';
import type { Reply } from '../core/textual.ts';

/**
 * The longest text of an action, above the limit of any config. The env itself reports programs that are too
 * long for it.
 */
const longestText = 8_000_000;
const program = z.string().max(longestText).describe('the whole program');

/** The actions of an agent, as typed tool calls. */
export const programActionSchema = z.discriminatedUnion('kind', [
  z
    .strictObject({ kind: z.literal('submit'), program })
    .describe(
      'hands a program in and runs the visible tests on it; the last one that was handed in is judged',
    ),
  z
    .strictObject({ kind: z.literal('test'), program })
    .describe('runs the visible tests on a program without handing it in'),
  z
    .strictObject({
      kind: z.literal('run'),
      input: z.string().max(longestText).describe('arguments as a JSON list, or what the program reads'),
      program: program.optional(),
    })
    .describe("runs a program, or the one handed in last, on an input of one's own"),
  z
    .strictObject({
      kind: z.literal('put'),
      place: z.int().min(1).max(6),
      piece: z.int().min(1).max(20),
      about: z.string().max(1_000).optional().describe('what the line is then; for readers alone'),
    })
    .describe('puts a piece into a place of a program that is put together'),
  z
    .strictObject({
      kind: z.literal('finish'),
      about: z.string().max(200).optional().describe('how the last program did; for readers alone'),
    })
    .describe('ends the episode: the hidden tests judge what was handed in last'),
]);

export type ProgramAction = Readonly<z.output<typeof programActionSchema>>;

/** The action in words. */
export function describeAction(action: ProgramAction): string {
  switch (action.kind) {
    case 'submit':
    case 'test':
      return `${action.kind}\n${fenced(action.program)}`;
    case 'run':
      return `run\n${fenced(action.input, 'input')}${action.program === undefined ? '' : `\n${fenced(action.program)}`}`;
    case 'put':
      return `put ${action.place}.${action.piece}${action.about === undefined ? '' : `: ${action.about}`}`;
    case 'finish':
      return action.about === undefined ? 'finish' : `finish: ${action.about}`;
    default:
      return action satisfies never;
  }
}

/**
 * Puts a text into a fence that is longer than any within it. Adds a line feed, which {@link fencesIn}
 * removes.
 */
function fenced(text: string, label = ''): string {
  const longest = [...text.matchAll(/`+/g)].reduce((most, [ticks]) => Math.max(most, ticks.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${label}\n${text}\n${fence}`;
}

/** How to write actions, for agents that write programs. */
export const writingHelp = [
  'Write a program of your own. Say one of these, with the program between lines of ```:',
  'submit: hands it in, and runs it on what is visible',
  'test: does the same without handing it in',
  'run: runs it on an input of your own, which stands before it between lines of ```input and ```',
  'A program between lines of ``` and no word before it is handed in. Say finish when what was handed in last is to be judged.',
].join('\n');

const help =
  'Say submit, test or run and then the program between lines of ```; or finish; or the same as JSON, such as {"kind":"submit","program":"…"}.';

/** Parses words: a verb and fenced texts, a fenced program alone (handed in), or a tool call as JSON. */
export const readAction = (text: string): Reply<ProgramAction> =>
  readReply(text, { schema: programActionSchema, fieldsOf, help });

function fieldsOf(said: string): unknown {
  const short = shortFieldsOf(said);
  if (short !== undefined) return short;
  const verb = /^(submit|test|run)\b[ \t]*:?[ \t]*/i.exec(said);
  const rest = said.slice(verb?.[0].length ?? 0);
  const fences = fencesIn(rest);
  const kind = verb?.[1]?.toLowerCase() ?? 'submit';
  if (kind === 'run') {
    const input =
      fences.find(({ label }) => label === 'input') ?? (fences.length === 0 ? { text: rest } : undefined);
    const own = fences.find(({ label }) => label !== 'input');
    return { kind, input: input?.text ?? '', ...(own === undefined ? {} : { program: own.text }) };
  }
  const [only] = fences
    .filter(({ label }) => label !== 'input')
    .toSorted((a, b) => b.text.length - a.text.length);
  if (only !== undefined)
    return (
      (verb === null ? (shortFieldsOf(only.text.trim()) ?? callIn(only.text.trim())) : undefined) ?? {
        kind,
        program: only.text,
      }
    );
  return verb !== null && rest.trim() !== '' ? { kind, program: rest } : undefined;
}

/**
 * Parses actions without a program. A pattern with two adjacent parts that match the same blanks takes
 * quadratic time. So here and below each part matches its own.
 */
function shortFieldsOf(said: string): unknown {
  const finish = /^finish(?::(.+))?$/i.exec(said);
  if (finish !== null)
    return {
      kind: 'finish',
      ...(finish[1] === undefined ? {} : { about: finish[1].replace(/^[ \t]+/, '') }),
    };
  const put = /^put\s+(\d{1,2})\.(\d{1,2})(?::[ \t]*(.*))?$/is.exec(said);
  if (put !== null)
    return {
      kind: 'put',
      place: Number(put[1]),
      piece: Number(put[2]),
      ...(put[3] === undefined || put[3] === '' ? {} : { about: put[3] }),
    };
  return undefined;
}

/** Parses a tool call as JSON, which some models put into a fence. */
function callIn(text: string): ProgramAction | undefined {
  const call = text.startsWith('{')
    ? readCall(text, programActionSchema, (why) => ({ kind: 'malformed', why, text }))
    : undefined;
  return call?.kind === 'action' ? call.action : undefined;
}

/** The texts in fences. An unclosed fence extends to the end. */
function fencesIn(text: string): readonly { readonly label: string; readonly text: string }[] {
  const found: { readonly label: string; readonly text: string }[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const opened = fenceIn(lines[at] as string);
    if (opened === undefined) continue;
    const { fence, label } = opened;
    let end = at + 1;
    while (end < lines.length && (lines[end] as string).trim() !== fence) end += 1;
    found.push({ label, text: lines.slice(at + 1, end).join('\n') });
    at = end;
  }
  return found;
}

/** The marks of a line that opens a fence, and the word after them; undefined for other lines. */
function fenceIn(line: string): { readonly fence: string; readonly label: string } | undefined {
  const [head, fence] = /^[ \t]*(`{3,}|~{3,})/.exec(line) ?? [];
  if (head === undefined || fence === undefined) return undefined;
  const rest = line.slice(head.length);
  const [, label = ''] = /^[ \t]*([\w+#.-]*)/.exec(rest) ?? [];
  return rest.includes('`') ? undefined : { fence, label: label.toLowerCase() };
}
