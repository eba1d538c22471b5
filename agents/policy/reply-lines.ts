import type { Textual } from '../../envs/core/textual.ts';

/** A line-based dialogue with a person. */
export interface Conversation {
  /** Shows the prompt and returns the next line without its line feed; undefined at the end of the input. */
  ask(prompt: string): Promise<string | undefined>;
  /** Shows text of one line or several. */
  say(text: string): void;
}

type Words<Act> = Pick<Textual<never, Act>, 'action' | 'parse'>;

const inBlock = '... ';
const beforeBlock = '... (``` begins a block, an empty line ends) ';
const cutShort = 'The input ended inside a block, before the closing line of ```. The block was not used.';

/** Whether a code block can be an action by itself, such as a program between lines of ```. */
export const takesBlocks = <Act>(text: Words<Act>): boolean => lineAndBlock.test(wordsOf(text, '```') ?? '');

/**
 * Reads replies line by line. One line is one reply, except for envs whose actions contain fenced blocks.
 * There an open fence is read to its end, and a line that the env would write with a block below it waits for
 * one. If something else follows instead of a block, it is the next reply.
 * @returns a function that asks for a reply; it returns undefined at the end of the input
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
  /** A line read ahead is printed after the prompt again, so that the screen looks as if it came now. */
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

/** A line feed and a closed block, up to the end of the text. */
const onlyBlocks = /^\n(`{3,}|~{3,})[^\n]*\n(?:[\s\S]*\n)?\1$/;
/** A line followed by such a block. */
const lineAndBlock = /^[^\n]*\n(`{3,}|~{3,})[^\n]*\n(?:[\s\S]*\n)?\1$/;

/**
 * Whether a block may follow `said`. It may if the env writes the action with a block that `said` lacks, or
 * with one more block when another is opened. An env that merely repeats the text does not close an open
 * block.
 */
function waitsForBlock<Act>(text: Words<Act>, said: string): boolean {
  const words = wordsOf(text, said);
  const verb = said.replace(/\s*:$/, '');
  if (words !== undefined && goesOnWithBlock(words, verb)) return true;
  const more = wordsOf(text, `${said}\n\`\`\``);
  return more !== undefined && goesOnWithBlock(more, words ?? verb);
}

/** Whether `words` is `head` followed by nothing but a block. */
const goesOnWithBlock = (words: string, head: string): boolean =>
  words.slice(0, head.length).toLowerCase() === head.toLowerCase() &&
  onlyBlocks.test(words.slice(head.length));

/** What was said, as the env itself would write it; undefined if the env does not understand it. */
function wordsOf<Act>(text: Words<Act>, said: string): string | undefined {
  const reply = text.parse(said);
  return reply.kind === 'action' ? text.action(reply.action) : undefined;
}

/** The characters that open a block in a line; undefined if the line opens none. */
function fenceOf(line: string): string | undefined {
  const [, fence, rest = ''] = /^[ \t]*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  return rest.includes('`') ? undefined : fence;
}
