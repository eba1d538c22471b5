import type { UsageError } from '../../core/errors.ts';
import { didYouMean, nearest } from '../../core/near-miss.ts';
import { flawIn } from '../../engines/planning/source.ts';
import type { PlanningTask } from '../../engines/planning/task.ts';
import { compileQuery, type Query } from './compile-query.ts';
import type { Expression } from './expression.ts';
import { parseQuery, type Placeholder, type QueryAtom } from './query.ts';
import { TextScope } from './scope.ts';
import type { VisibleFacts } from './visible-facts.ts';
import { parseText, type Item, type TextSymbol } from './symbols.ts';
import type { TextGrammar, TextRule } from './twl2.ts';

/** Writes a text about the entities in the frame. */
type Writer = (frame: Int32Array, sight: VisibleFacts) => string;

/** A symbol compiled for one scope. */
interface KnownRule {
  readonly write: Writer;
  /** Whether its text can change for the same values. */
  readonly isChanging: boolean;
}

/** A compiled text about the values of its placeholders. */
export interface CompiledText {
  /** Writes the text. The values have the order of the placeholders. */
  write(values: Int32Array, sight: VisibleFacts): string;
  /** True when the text is always the same for the same values. */
  readonly isConstant: boolean;
}

/** Names of entities, by the object's number. */
export interface EntityNames {
  readonly name: (object: number) => string;
  readonly type: (object: number) => string;
}

/** The deepest nesting of symbols. A deeper grammar never ends. */
const deepest = 200;

/** The most symbols of one text. A grammar that doubles itself at each level would never end. */
const mostWritten = 100_000;

/** The most symbols compiled for all scopes that use them. ALFWorld's grammars need some hundred. */
const mostRules = 10_000;

/**
 * Compiles texts of a grammar for one problem. Symbols are resolved for the scope that uses them. Unknown
 * names are found before anything is played.
 */
export class TextCompiler {
  readonly #grammar: TextGrammar;
  readonly #task: PlanningTask;
  readonly #names: EntityNames;
  readonly #writers = new Map<string, KnownRule>();
  #slots = 0;
  #isChanging = false;
  #reading = 0;
  #written = 0;

  constructor(grammar: TextGrammar, task: PlanningTask, names: EntityNames) {
    this.#grammar = grammar;
    this.#task = task;
    this.#names = names;
  }

  /**
   * Compiles a text.
   *
   * @throws UsageError where the text or anything that it refers to cannot be read
   */
  compile(text: string, at: number, placeholders: readonly Placeholder[] = []): CompiledText {
    this.#isChanging = false;
    const writer = this.#text(text, at, new TextScope(placeholders));
    const isConstant = !this.#isChanging;
    const frame = new Int32Array(Math.max(this.#slots, placeholders.length));
    return {
      isConstant,
      write: (values, sight) => {
        this.#written = 0;
        frame.set(values);
        return writer(frame, sight);
      },
    };
  }

  /** The text of a symbol without entities; undefined where the grammar does not have it. */
  symbol(name: string): CompiledText | undefined {
    const rule = this.#grammar.rules.get(name);
    return rule === undefined ? undefined : this.compile(`#${name}#`, rule.at);
  }

  #text(text: string, at: number, scope: TextScope): Writer {
    const symbols = parseText(text);
    if ('what' in symbols) {
      const what = `${symbols.what} in the text ${JSON.stringify(text.slice(0, 80))}, at its character ${symbols.at + 1}.`;
      throw flawIn(this.#grammar.source, at, { what, fix: 'Fix the text.' });
    }
    return together(symbols.map((symbol) => this.#symbol(symbol, at, scope)));
  }

  #symbol(symbol: TextSymbol, at: number, scope: TextScope): Writer {
    switch (symbol.kind) {
      case 'literal':
        return () => symbol.text;
      case 'rule':
        return this.#rule(symbol.name, at, scope);
      case 'each':
      case 'list':
        // without a query, braces are written once, and a list has them as its only item
        return symbol.query === undefined
          ? this.#item(symbol.item, at, scope)
          : this.#forEach(symbol.kind, symbol.item, { query: symbol.query, at, scope });
    }
  }

  #item(item: Item, at: number, scope: TextScope): Writer {
    return item.kind === 'rule' ? this.#rule(item.name, at, scope) : this.#value(item.expression, at, scope);
  }

  #forEach(
    kind: 'each' | 'list',
    item: Item,
    {
      query,
      at,
      scope,
    }: { readonly query: readonly QueryAtom[]; readonly at: number; readonly scope: TextScope },
  ): Writer {
    const compiled = this.#query(query, at, { scope, written: true });
    const write = this.#item(item, at, compiled.scope);
    const collect: (frame: Int32Array, sight: VisibleFacts) => string[] = (frame, sight) => {
      const items: string[] = [];
      compiled.each(frame, sight, () => {
        items.push(write(frame, sight));
        return false;
      });
      return items;
    };
    if (kind === 'each') return (frame, sight) => collect(frame, sight).join('');
    const [empty, between, last] = (['list_empty', 'list_separator', 'list_last_separator'] as const).map(
      (name) => this.#rule(name, at, scope),
    ) as [Writer, Writer, Writer];
    return (frame, sight) => {
      const items = collect(frame, sight);
      if (items.length < 2) return items[0] ?? empty(frame, sight);
      return `${items.slice(0, -1).join(between(frame, sight))}${last(frame, sight)}${items.at(-1)}`;
    };
  }

  #query(
    query: readonly QueryAtom[],
    at: number,
    { scope, written }: { readonly scope: TextScope; readonly written: boolean },
  ): { readonly scope: TextScope; readonly each: Query } {
    const compiled = compileQuery(query, { task: this.#task, scope, written });
    if (typeof compiled === 'string')
      throw flawIn(this.#grammar.source, at, {
        what: `in a query, ${compiled}.`,
        fix: 'Fix the query, or give the domain that the grammar was made for.',
      });
    this.#slots = Math.max(this.#slots, compiled.scope.size);
    if (query.some(({ predicate }) => this.#canChange(predicate))) this.#isChanging = true;
    return compiled;
  }

  #canChange(predicate: string): boolean {
    const name = this.#task.domain.predicates.has(predicate) ? predicate : predicate.slice('not_'.length);
    return this.#task.table(name).kind !== 'static';
  }

  #value(expression: Expression, at: number, scope: TextScope): Writer {
    switch (expression.kind) {
      case 'text':
        return () => expression.text;
      case 'sum':
        return together(expression.parts.map((part) => this.#value(part, at, scope)));
      case 'or': {
        const parts = expression.parts.map((part) => this.#value(part, at, scope));
        return (frame, sight) => parts.map((part) => part(frame, sight)).find((text) => text !== '') ?? '';
      }
      case 'attribute':
        return this.#attribute(expression, at, scope);
    }
  }

  #attribute(
    { variable, attribute }: Extract<Expression, { readonly kind: 'attribute' }>,
    at: number,
    scope: TextScope,
  ): Writer {
    const slot = scope.variable(variable);
    if (slot === undefined) {
      const near = didYouMean(nearest(variable, scope.variables));
      throw flawIn(this.#grammar.source, at, {
        what: `there is no variable "${variable}" here.`,
        fix: `${near}Name a parameter of the action, or a variable of a query.`,
      });
    }
    const { objects } = this.#task;
    const { name, type } = this.#names;
    switch (attribute) {
      case 'name':
        return (frame) => name(frame[slot] as number);
      case 'id':
        return (frame) => objects[frame[slot] as number] as string;
      case 'type':
        return (frame) => type(frame[slot] as number);
      case 'definite':
        return () => 'the';
      case 'indefinite':
        return () => 'a';
    }
  }

  /** The writer of a symbol in a scope. Symbols may be recursive, so the writer is looked up when it runs. */
  #rule(name: string, at: number, scope: TextScope): Writer {
    const rule = this.#grammar.rules.get(name);
    if (rule === undefined) {
      const near = didYouMean(nearest(name, [...this.#grammar.rules.keys()]));
      throw flawIn(this.#grammar.source, at, {
        what: `there is no symbol "${name}".`,
        fix: `${near}Add it to a grammar block.`,
      });
    }
    const key = `${name}\n${scope.signature}`;
    const known = this.#writers.get(key);
    if (known !== undefined) {
      this.#isChanging ||= known.isChanging;
      return known.write;
    }
    const outer = this.#isChanging;
    this.#isChanging = false;
    let writer: Writer | undefined;
    let depth = 0;
    const write: Writer = (frame, sight) => {
      if (writer === undefined || depth > deepest || this.#written > mostWritten) throw this.#endless(rule);
      depth += 1;
      this.#written += 1;
      try {
        return writer(frame, sight);
      } finally {
        depth -= 1;
      }
    };
    this.#writers.set(key, { write, isChanging: true }); // during compilation, for recursive symbols
    if (this.#reading > deepest || this.#writers.size > mostRules) throw this.#endless(rule);
    this.#reading += 1;
    writer = this.#alternatives(rule, scope);
    this.#reading -= 1;
    this.#writers.set(key, { write, isChanging: this.#isChanging });
    this.#isChanging ||= outer;
    return write;
  }

  #endless({ name, at }: TextRule): UsageError {
    return flawIn(this.#grammar.source, at, {
      what: `the symbol "${name}" is recursive without end, or expands to more symbols than a text can have.`,
      fix: 'Fix its alternatives.',
    });
  }

  #alternatives(rule: TextRule, scope: TextScope): Writer {
    // alternatives after it are never used
    const last = rule.alternatives.findIndex(({ condition }) => condition === undefined);
    const taken = last < 0 ? rule.alternatives : rule.alternatives.slice(0, last + 1);
    const alternatives = taken.map(({ text, condition }) => ({
      test: condition === undefined ? undefined : this.#condition(condition, rule.at, scope),
      write: this.#text(text, rule.at, scope),
    }));
    const [only] = alternatives;
    if (only !== undefined && only.test === undefined) return only.write;
    return (frame, sight) => {
      for (const { test, write } of alternatives)
        if (test === undefined || test(frame, sight)) return write(frame, sight);
      throw flawIn(this.#grammar.source, rule.at, {
        what: `no alternative of the symbol "${rule.name}" matches the state of the world.`,
        fix: 'Add a last alternative without a condition.',
      });
    };
  }

  #condition(
    condition: string,
    at: number,
    scope: TextScope,
  ): (frame: Int32Array, sight: VisibleFacts) => boolean {
    const query = parseQuery(condition);
    if (query === undefined)
      throw flawIn(this.#grammar.source, at, {
        what: `the condition "${condition}" is not supported.`,
        fix: 'Write facts joined by &, as in "openable(r:receptacle) & opened(r:receptacle)".',
      });
    const { each } = this.#query(query, at, { scope, written: false });
    return (frame, sight) => each(frame, sight, () => true);
  }
}

function together(writers: readonly Writer[]): Writer {
  const [first, second] = writers;
  if (first === undefined) return () => '';
  if (second === undefined) return first;
  return (frame, sight) => {
    let text = '';
    for (let index = 0; index < writers.length; index += 1) text += (writers[index] as Writer)(frame, sight);
    return text;
  };
}
