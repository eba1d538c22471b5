import type { Textual } from '../../envs/core/textual.ts';

/** A person who is spoken with in lines. */
export interface Conversation {
  /** Shows the prompt and gives the next line, without its line feed; undefined at the end of the input. */
  ask(prompt: string): Promise<string | undefined>;
  /** Shows text of one line or several. */
  say(text: string): void;
}

type Words<Act> = Pick<Textual<never, Act>, 'action' | 'parse'>;

const inBlock = '... ';
const beforeBlock = '... (``` begins a block, an empty line ends) ';
const cutShort = 'The input ended inside a block, before a line of ```: nothing was done with it.';

/** Whether a block says something by itself in the words of the env, as a program between lines of ``` does. */
export const takesBlocks = <Act>(text: Words<Act>): boolean => lineAndBlock.test(wordsOf(text, '```') ?? '');

/**
 * Reads replies line by line. One line is a reply, but for envs that write actions with fenced blocks: there an open fence is read to
 * its end, and a line that the env would write with a block under it waits for one. What comes in place of a block is the next reply.
 *
 * @returns what asks for a reply; undefined at the end of the input
 */
export function createReplyReader<Act>(
  text: Words<Act>,
  talk: Conversation,
): (prompt: string) => Promise<string | undefined> {
  const isBlocks = takesBlocks(text);
  let ahead: string | undefined;
  let ended = false;
  const nextLine = async (prompt: string): Promise<string | undefined> => {
    const line = ended ? undefined : await talk.ask(prompt);
    ended = line === undefined;
    return line;
  };
  /** What was read ahead stands behind a prompt again, so that the screen reads as if it came now. */
  const firstLine = async (prompt: string): Promise<string | undefined> => {
    if (ahead === undefined) return nextLine(prompt);
    const line = ahead;
    ahead = undefined;
    talk.say(`${prompt}${line}`);
    return line;
  };
  return async (prompt) => {
    const first = await firstLine(prompt);
    if (first === undefined) return undefined;
    const lines = [first];
    let fence = isBlocks ? fenceOf(first) : undefined;
    while (fence !== undefined || waitsForBlock(text, lines.join('\n').trim())) {
      const line = await nextLine(fence === undefined ? beforeBlock : inBlock);
      if (line === undefined && fence !== undefined) {
        talk.say(cutShort);
        return undefined;
      }
      const opened = fence ?? fenceOf(line ?? '');
      if (line === undefined || opened === undefined) {
        if (line?.trim() !== '') ahead = line;
        break;
      }
      lines.push(line);
      fence = fence === line.trim() ? undefined : opened;
    }
    return lines.join('\n');
  };
}

/** A line feed and a block that is closed, to the end of the text. */
const onlyBlocks = /^\n(`{3,}|~{3,})[^\n]*\n(?:[\s\S]*\n)?\1$/;
/** A line, and such a block. */
const lineAndBlock = /^[^\n]*\n(`{3,}|~{3,})[^\n]*\n(?:[\s\S]*\n)?\1$/;

/**
 * Whether a block may come after what was said, as the env's own words tell: it writes the line with a block that the line has not, or with
 * one more block when another is opened. One that merely repeats words does not close what is left open.
 */
function waitsForBlock<Act>(text: Words<Act>, said: string): boolean {
  const words = wordsOf(text, said);
  const verb = said.replace(/\s*:$/, '');
  if (words !== undefined && goesOnWithBlock(words, verb)) return true;
  const more = wordsOf(text, `${said}\n\`\`\``);
  return more !== undefined && goesOnWithBlock(more, words ?? verb);
}

/** Whether the words are these and, under them, nothing but a block. */
const goesOnWithBlock = (words: string, head: string): boolean =>
  words.slice(0, head.length).toLowerCase() === head.toLowerCase() &&
  onlyBlocks.test(words.slice(head.length));

/** What is said as the env itself would write it; undefined of what it does not understand. */
function wordsOf<Act>(text: Words<Act>, said: string): string | undefined {
  const reply = text.parse(said);
  return reply.kind === 'action' ? text.action(reply.action) : undefined;
}

/** The marks that a line opens a block with; undefined of a line that opens none. */
function fenceOf(line: string): string | undefined {
  const [, fence, rest = ''] = /^[ \t]*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  return rest.includes('`') ? undefined : fence;
}
