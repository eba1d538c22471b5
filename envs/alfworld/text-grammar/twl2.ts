import { z } from 'zod';
import { didYouMean, nearest } from '../../core/near-miss.ts';
import { describeIssues } from '../../core/issues.ts';
import { messageOf } from '../../core/errors.ts';
import { flawIn, type Source } from '../../engines/planning/source.ts';

/** One way to write a symbol, used when its condition holds. */
export interface Alternative {
  readonly text: string;
  readonly condition: string | undefined;
}

/** A symbol of the grammar with its alternatives. The first whose condition holds is used. */
export interface TextRule {
  readonly name: string;
  readonly alternatives: readonly Alternative[];
  /** Offset of its name in the file. */
  readonly at: number;
}

/** How the player writes an action, and the answer to it. */
export interface ActionText {
  /** The name of the action, in lower case. */
  readonly name: string;
  readonly template: string;
  readonly feedback: string;
  readonly at: number;
}

/** A text grammar as stored in the file. */
export interface TextGrammar {
  readonly source: Source;
  readonly rules: ReadonlyMap<string, TextRule>;
  readonly actions: ReadonlyMap<string, ActionText>;
}

const fix = 'Fix the file, or get a new copy.';

const blockSchema = z.record(
  z.string(),
  z.array(
    z.looseObject({ rhs: z.string(), condition: z.string().optional(), weight: z.number().optional() }),
  ),
);

/**
 * Parses a text grammar in TextWorld's second format: `grammar :: """ {JSON} """;` and `action NAME {
 * template :: "..."; feedback :: "..."; grammar :: """ {JSON} """; }`, with `#` for comments. A repeated rule
 * replaces the earlier one. Weights are ignored, as in TextWorld, which always uses the first alternative
 * that fits.
 *
 * @throws UsageError that names the place
 */
export function parseTextGrammar(source: Source): TextGrammar {
  const reader = new Reader(source);
  const rules = new Map<string, TextRule>();
  const actions = new Map<string, ActionText>();
  const addRules = (block: Token, comments: boolean): void => {
    for (const rule of rulesOf(source, block, comments)) rules.set(rule.name, rule);
  };
  for (let token = reader.next(); token !== undefined; token = reader.next()) {
    if (token.text === 'grammar') addRules(reader.value('block'), false);
    else if (token.text === 'action') readAction(reader, { source, actions, addRules });
    else
      throw flawIn(source, token.at, {
        what: `"${token.text}" is found where "grammar" or "action" is expected.`,
        fix,
      });
  }
  return { source, rules, actions };
}

/**
 * The template of one action, without parsing the rest of the grammar. Undefined where the action does not
 * exist.
 *
 * @throws UsageError that names the place, where the text up to the action cannot be parsed
 */
export function templateOf(source: Source, action: string): string | undefined {
  const reader = new Reader(source);
  let isWithin = false;
  for (let token = reader.next(); token !== undefined; token = reader.next()) {
    if (token.kind !== 'name') continue;
    if (token.text === 'action') isWithin = reader.expect('name').text.toLowerCase() === action.toLowerCase();
    else if (isWithin && token.text === 'template') return reader.value('string').text;
  }
  return undefined;
}

interface Into {
  readonly source: Source;
  readonly actions: Map<string, ActionText>;
  readonly addRules: (block: Token, comments: boolean) => void;
}

function readAction(reader: Reader, { source, actions, addRules }: Into): void {
  const name = reader.expect('name');
  if (actions.has(name.text.toLowerCase()))
    throw flawIn(source, name.at, { what: `the action "${name.text}" is declared twice.`, fix: 'Keep one.' });
  reader.expectText('{');
  const parts = new Map<string, string>();
  for (let token = reader.next(); token?.text !== '}'; token = reader.next()) {
    if (token === undefined)
      throw flawIn(source, name.at, {
        what: `the action "${name.text}" is never closed: the text is incomplete.`,
        fix,
      });
    if (token.text === 'grammar') addRules(reader.value('block'), true);
    else if (token.text === 'pddl') reader.value('block'); // the domain has the rules
    else if (token.text === 'template' || token.text === 'feedback')
      parts.set(token.text, reader.value('string').text);
    else
      throw flawIn(source, token.at, {
        what: `"${token.text}" is not a part of an action.`,
        fix: `${didYouMean(nearest(token.text, partNames))}The parts are ${partNames.join(', ')}.`,
      });
  }
  const template = parts.get('template');
  const feedback = parts.get('feedback');
  if (template === undefined || feedback === undefined) {
    throw flawIn(source, name.at, {
      what: `the action "${name.text}" has no ${template === undefined ? 'template' : 'feedback'}.`,
      fix: 'Add one.',
    });
  }
  actions.set(name.text.toLowerCase(), { name: name.text.toLowerCase(), template, feedback, at: name.at });
}

const partNames = ['template', 'feedback', 'grammar', 'pddl'];

function rulesOf(source: Source, block: Token, comments: boolean): readonly TextRule[] {
  const text = comments
    ? block.text.replaceAll(/^[^\S\n]*#.*$/gm, (line) => ' '.repeat(line.length))
    : block.text;
  const data = parseJson(source, text, block.at);
  const parsed = blockSchema.safeParse(data);
  if (!parsed.success)
    throw flawIn(source, block.at, {
      what: `this block is not a grammar: ${describeIssues(parsed.error)}.`,
      fix,
    });
  return Object.entries(parsed.data).map(([name, alternatives]) => ({
    name,
    alternatives: alternatives.map(({ rhs, condition }) => ({
      text: rhs,
      condition: condition === '' ? undefined : condition,
    })),
    at: block.at + Math.max(0, text.indexOf(JSON.stringify(name))),
  }));
}

function parseJson(source: Source, text: string, at: number): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    const position = /position (\d+)/.exec(messageOf(thrown))?.[1];
    const offset = position === undefined ? text.trimEnd().length : Number(position);
    throw flawIn(source, at + offset, { what: `this block is not JSON: ${messageOf(thrown)}.`, fix });
  }
}

interface Token {
  readonly kind: 'name' | 'string' | 'block' | 'sign';
  readonly text: string;
  /** The offset of its text: after the opening quotation marks of strings and blocks. */
  readonly at: number;
}

const pattern = /"""(?<block>[\s\S]*?)"""|"(?!"")(?<string>[^"]*)"|(?<name>[\w/-]+)|(?<sign>::|[;{}])/y;

/** The offset after blanks and comments. */
function afterBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (/\s/.test(text[at] ?? '')) at += 1;
    if (text[at] !== '#') return at;
    const end = text.indexOf('\n', at);
    at = end < 0 ? text.length : end;
  }
}

class Reader {
  readonly #source: Source;
  #offset = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  next(): Token | undefined {
    const { text } = this.#source;
    this.#offset = afterBlanks(text, this.#offset);
    if (this.#offset >= text.length) return undefined;
    pattern.lastIndex = this.#offset;
    const match = pattern.exec(text);
    if (match === null) {
      const what =
        text[this.#offset] === '"'
          ? 'the quotation that begins here is never closed: the text is incomplete.'
          : `${JSON.stringify(text[this.#offset])} does not belong here.`;
      throw flawIn(this.#source, this.#offset, { what, fix });
    }
    const at = this.#offset;
    this.#offset = pattern.lastIndex;
    for (const [kind, marks] of [
      ['block', 3],
      ['string', 1],
      ['name', 0],
      ['sign', 0],
    ] as const) {
      const found = match.groups?.[kind];
      if (found !== undefined) return { kind, text: found, at: at + marks };
    }
    return undefined;
  }

  /** Parses the value of `:: value ;`. */
  value(kind: 'string' | 'block'): Token {
    this.expectText('::');
    const token = this.expect(kind);
    this.expectText(';');
    return token;
  }

  expect(kind: Token['kind']): Token {
    const token = this.next();
    if (token?.kind === kind) return token;
    throw this.#unexpected(token, `a ${kind}`);
  }

  expectText(text: string): void {
    const token = this.next();
    if (token?.text !== text || token.kind !== 'sign') throw this.#unexpected(token, `"${text}"`);
  }

  #unexpected(token: Token | undefined, wanted: string): Error {
    const found = token === undefined ? 'it ends' : `"${token.text.slice(0, 40)}" stands`;
    return flawIn(this.#source, token?.at ?? this.#source.text.length, {
      what: `${found} where ${wanted} is expected.`,
      fix,
    });
  }
}
