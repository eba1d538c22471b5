/** A small reader of HTML that follows the original's: texts and clickables as its parser and its rules would find them. */

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

export interface ReadHtml {
  /** Visible texts. White space becomes one blank, or is left out if it has a newline. */
  readonly texts: readonly string[];
  /** Texts of buttons, in lower case, then of product links, then values of radio inputs; each once. */
  readonly clickables: readonly string[];
  /** Elements that were opened and never closed, or closed and never opened. */
  readonly unbalanced: readonly string[];
}

const voids = new Set(['meta', 'link', 'br', 'input', '!doctype']);
const unseen = new Set(['style', 'script', 'head', 'title', 'meta']);

export function readHtml(source: string): ReadHtml {
  const open: Tag[] = [];
  const texts: string[] = [];
  const clickables = { btn: [] as string[], 'product-link': [] as string[], radio: [] as string[] };
  const unbalanced: string[] = [];
  for (const [token] of source.matchAll(/<[^>]*>|[^<]+/g)) {
    if (token.startsWith('</')) {
      const name = token.slice(2, -1);
      if (open.at(-1)?.name === name) open.pop();
      else unbalanced.push(token);
    } else if (token.startsWith('<')) {
      const tag = readTag(token);
      if (tag.name === 'input' && tag.attributes.get('type') === 'radio')
        clickables.radio.push(tag.attributes.get('value') ?? '');
      if (!voids.has(tag.name)) open.push(tag);
    } else if (!open.some(({ name }) => unseen.has(name)) && open.length > 0) {
      const text = visibleText(unescapeReferences(token));
      if (text === undefined) continue;
      texts.push(text);
      const classes = open.at(-1)?.attributes.get('class')?.split(' ') ?? [];
      if (classes.includes('btn')) clickables.btn.push(text.toLowerCase());
      if (classes.includes('product-link')) clickables['product-link'].push(text.toLowerCase());
    }
  }
  unbalanced.push(...open.map(({ name }) => `<${name}>`));
  return {
    texts,
    clickables: [...new Set([...clickables.btn, ...clickables['product-link'], ...clickables.radio])],
    unbalanced,
  };
}

function readTag(token: string): Tag {
  const [, name = ''] = /^<([^\s>]+)/.exec(token) ?? [];
  const attributes = [...token.matchAll(/\s([\w-]+)(?:="([^"]*)")?/g)].map(
    ([, key = '', value = '']) => [key, unescapeReferences(value)] as const,
  );
  return { name: name.toLowerCase(), attributes: new Map(attributes) };
}

function visibleText(text: string): string | undefined {
  if (!/^[ \n\t\f\r]*$/.test(text)) return text;
  return text === '' || text.includes('\n') ? undefined : ' ';
}

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const unescapeReferences = (text: string): string =>
  text.replaceAll(/&([^;]{1,8});/g, (reference, name: string) => characters[name] ?? reference);
