/** A fenced block of a Markdown document. */
export interface Block {
  /** The first word behind the fence, such as `ts`; empty where there is none. */
  readonly language: string;
  /** The rest of that line, such as `no-run needs a model server`. */
  readonly info: string;
  readonly code: string;
  /** Line of the document with the opening fence, counted from 1. */
  readonly line: number;
}

/** The fenced blocks of a document, and its text without them. */
export function readMarkdown(text: string): { readonly blocks: readonly Block[]; readonly prose: string } {
  const blocks: Block[] = [];
  const prose: string[] = [];
  let open: { fence: string; indent: number; line: number; heading: string; code: string[] } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const [, indent = '', fence = '', heading = ''] = /^( *)(`{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      if (fence === '') prose.push(line);
      else open = { fence, indent: indent.length, line: index + 1, heading: heading.trim(), code: [] };
    } else if (fence.length >= open.fence.length && heading.trim() === '') {
      const [language = '', ...info] = open.heading.split(' ');
      const code = open.code.map((each) => `${each}\n`).join('');
      blocks.push({ language, info: info.join(' '), code, line: open.line });
      open = undefined;
    } else open.code.push(line.slice(Math.min(open.indent, /^ */.exec(line)?.[0].length ?? 0)));
  }
  if (open !== undefined) throw new Error(`the fence of line ${open.line} is not closed`);
  return { blocks, prose: prose.join('\n') };
}
