import { didYouMean, nearest } from '../../core/near-miss.ts';
import type { Expression } from './s-expression.ts';
import { flawIn, type Source } from './source.ts';
import type { Predicate, Term, Variable } from './syntax.ts';
import type { TypedWord } from './typed-list.ts';
import type { TypeTree } from './type-tree.ts';

/** The names that all conditions and effects of a file share. */
export interface Vocabulary {
  readonly source: Source;
  readonly types: TypeTree;
  readonly predicates: ReadonlyMap<string, Predicate>;
  /**
   * The declared objects. Undefined in a domain, whose actions may name objects that only a problem declares.
   * For an object that the problem does not declare nothing is true.
   */
  readonly objects: ReadonlySet<string> | undefined;
}

/** Assigns the slots of a frame. Each action and each goal has its own counter. */
export class SlotCounter {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  next(): number {
    return this.#count++;
  }
}

/** The variables that are visible at a point of a condition. */
export class Scope {
  readonly vocabulary: Vocabulary;
  readonly slots: SlotCounter;
  readonly #variables: ReadonlyMap<string, Variable>;

  constructor(
    vocabulary: Vocabulary,
    slots = new SlotCounter(),
    variables: ReadonlyMap<string, Variable> = new Map(),
  ) {
    this.vocabulary = vocabulary;
    this.slots = slots;
    this.#variables = variables;
  }

  /** The scope with these variables added. A variable hides an outer one of the same name. */
  extend(words: readonly TypedWord[]): { readonly scope: Scope; readonly variables: readonly Variable[] } {
    const { source, types } = this.vocabulary;
    const variables = words.map(({ word, types: names }): Variable => {
      if (!word.text.startsWith('?') || word.text === '?') {
        throw flawIn(source, word.at, {
          what: `"${word.text}" is not a variable.`,
          fix: 'Start variables with a question mark, as in ?x.',
        });
      }
      return { name: word.text, type: types.resolve(names, source), slot: this.slots.next(), at: word.at };
    });
    const all = new Map([
      ...this.#variables,
      ...variables.map((variable) => [variable.name, variable] as const),
    ]);
    return { scope: new Scope(this.vocabulary, this.slots, all), variables };
  }

  /** The variable or object that a word names. */
  term(expression: Expression): Term {
    const { source, objects } = this.vocabulary;
    if (expression.kind === 'list')
      throw flawIn(source, expression.at, {
        what: 'a name is expected here, not a parenthesis.',
        fix: 'Name a variable or an object.',
      });
    const { text, at } = expression;
    if (text.startsWith('?')) {
      const variable = this.#variables.get(text);
      if (variable !== undefined) return { kind: 'variable', slot: variable.slot };
      const near = didYouMean(nearest(text, [...this.#variables.keys()]));
      throw flawIn(source, at, {
        what: `there is no variable "${text}" here.`,
        fix: `${near}Declare it as a parameter or in a quantifier.`,
      });
    }
    if (objects?.has(text) === false) {
      throw flawIn(source, at, {
        what: `there is no object "${text}".`,
        fix: `${didYouMean(nearest(text, [...objects]))}Declare it under :objects.`,
      });
    }
    return { kind: 'object', name: text, at };
  }
}
