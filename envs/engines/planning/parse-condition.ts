import { didYouMean, nearest } from '../../core/near-miss.ts';
import type { Expression, List, Word } from './s-expression.ts';
import type { Scope, Vocabulary } from './scope.ts';
import { flawIn } from './source.ts';
import type { Atom, Condition } from './syntax.ts';
import { readTypedList } from './typed-list.ts';

/** Parses a precondition, the condition of an effect, or a goal. `()` is always true. */
export function parseCondition(expression: Expression, scope: Scope): Condition {
  const list = asList(expression, scope.vocabulary);
  const [head, ...rest] = list.items;
  if (head === undefined) return { kind: 'and', parts: [] };
  const word = asWord(head, scope.vocabulary);
  switch (word.text) {
    case 'and':
    case 'or':
      return { kind: word.text, parts: rest.map((part) => parseCondition(part, scope)) };
    case 'not':
      return { kind: 'not', of: parseCondition(only(rest, list, scope.vocabulary), scope) };
    case 'imply': {
      const [premise, conclusion] = exactly(2, rest, list, scope.vocabulary);
      const not = { kind: 'not', of: parseCondition(premise as Expression, scope) } as const;
      return { kind: 'or', parts: [not, parseCondition(conclusion as Expression, scope)] };
    }
    case 'exists':
    case 'forall': {
      const [names, of] = exactly(2, rest, list, scope.vocabulary);
      const words = readTypedList(
        asList(names as Expression, scope.vocabulary).items,
        scope.vocabulary.source,
      );
      const { scope: inner, variables } = scope.extend(words);
      return { kind: word.text, variables, of: parseCondition(of as Expression, inner) };
    }
    case '=': {
      const [left, right] = exactly(2, rest, list, scope.vocabulary);
      return { kind: 'equal', left: scope.term(left as Expression), right: scope.term(right as Expression) };
    }
    default:
      return { kind: 'atom', ...parseAtom(list, scope) };
  }
}

/** Parses `(predicate term ...)`. */
export function parseAtom(list: List, scope: Scope): Atom {
  const { vocabulary } = scope;
  const [head, ...rest] = list.items;
  if (head === undefined)
    throw flawIn(vocabulary.source, list.at, {
      what: 'a fact is expected here, but the parentheses are empty.',
      fix: 'Write a predicate.',
    });
  const { text, at } = asWord(head, vocabulary);
  const predicate = vocabulary.predicates.get(text);
  if (predicate === undefined) {
    const near = didYouMean(nearest(text, [...vocabulary.predicates.keys()]));
    throw flawIn(vocabulary.source, at, {
      what: `there is no predicate "${text}".`,
      fix: `${near}Declare it under :predicates of the domain.`,
    });
  }
  if (predicate.arity !== rest.length) {
    const what = `"${text}" is about ${predicate.arity} and is given ${rest.length}.`;
    throw flawIn(vocabulary.source, at, { what, fix: 'Give it as many terms as the domain declares.' });
  }
  return { predicate: text, terms: rest.map((term) => scope.term(term)), at };
}

export function asList(expression: Expression, { source }: Pick<Vocabulary, 'source'>): List {
  if (expression.kind === 'list') return expression;
  throw flawIn(source, expression.at, {
    what: `"${expression.text}" is found where a parenthesis is expected.`,
    fix: 'Put it in parentheses.',
  });
}

export function asWord(expression: Expression, { source }: Pick<Vocabulary, 'source'>): Word {
  if (expression.kind === 'word') return expression;
  throw flawIn(source, expression.at, {
    what: 'a word is expected here, not a parenthesis.',
    fix: 'Start with a name.',
  });
}

/**
 * Returns the items.
 *
 * @throws UsageError unless their number is exactly the given one
 */
export function exactly(
  count: number,
  items: readonly Expression[],
  list: List,
  { source }: Pick<Vocabulary, 'source'>,
): readonly Expression[] {
  if (items.length === count) return items;
  const [head] = list.items;
  const name = head?.kind === 'word' ? `"${head.text}"` : 'this';
  throw flawIn(source, list.at, {
    what: `${name} takes ${count}, but has ${items.length}.`,
    fix: 'Fix the content of its parentheses.',
  });
}

const only = (items: readonly Expression[], list: List, vocabulary: Vocabulary): Expression =>
  exactly(1, items, list, vocabulary)[0] as Expression;
