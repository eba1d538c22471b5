import { asList, asWord, exactly, parseAtom, parseCondition } from './parse-condition.ts';
import type { Expression } from './s-expression.ts';
import type { Scope } from './scope.ts';
import { flawIn } from './source.ts';
import type { Condition, Effect, Variable } from './syntax.ts';
import { readTypedList } from './typed-list.ts';

interface Around {
  readonly scope: Scope;
  readonly variables: readonly Variable[];
  readonly when: readonly Condition[];
}

/**
 * Parses an effect into its literals. The cost of an action is ignored, because a player could not notice it.
 */
export function parseEffect(expression: Expression, scope: Scope): readonly Effect[] {
  return effectsOf(expression, { scope, variables: [], when: [] });
}

function effectsOf(expression: Expression, around: Around): readonly Effect[] {
  const { scope, variables, when } = around;
  const { vocabulary } = scope;
  const list = asList(expression, vocabulary);
  const [head, ...rest] = list.items;
  if (head === undefined) return [];
  const word = asWord(head, vocabulary);
  switch (word.text) {
    case 'and':
      return rest.flatMap((part) => effectsOf(part, around));
    case 'forall': {
      const [names, of] = exactly(2, rest, list, vocabulary);
      const inner = scope.extend(
        readTypedList(asList(names as Expression, vocabulary).items, vocabulary.source),
      );
      return effectsOf(of as Expression, {
        scope: inner.scope,
        variables: [...variables, ...inner.variables],
        when,
      });
    }
    case 'when': {
      const [condition, of] = exactly(2, rest, list, vocabulary);
      return effectsOf(of as Expression, {
        scope,
        variables,
        when: [...when, parseCondition(condition as Expression, scope)],
      });
    }
    case 'not': {
      const [atom] = exactly(1, rest, list, vocabulary);
      return [literal(false, atom as Expression, around)];
    }
    case 'increase':
      assertCost(exactly(2, rest, list, vocabulary), scope);
      return [];
    case 'decrease':
    case 'assign':
    case 'scale-up':
    case 'scale-down':
      throw flawIn(vocabulary.source, word.at, {
        what: `the effect "${word.text}" on numbers is not supported.`,
        fix: 'Only (increase (total-cost) ...) is supported, and it is ignored.',
      });
    default:
      return [literal(true, list, around)];
  }
}

function literal(adds: boolean, expression: Expression, { scope, variables, when }: Around): Effect {
  const atom = parseAtom(asList(expression, scope.vocabulary), scope);
  const condition: Condition | undefined = when.length > 1 ? { kind: 'and', parts: when } : when[0];
  return { variables, when: condition, adds, atom };
}

function assertCost([amount]: readonly Expression[], { vocabulary }: Scope): void {
  if (amount === undefined) return;
  const head = amount.kind === 'list' ? amount.items[0] : amount;
  if (head?.kind === 'word' && head.text === 'total-cost') return;
  throw flawIn(vocabulary.source, amount.at, {
    what: 'only the total cost can be increased.',
    fix: 'Write (increase (total-cost) ...), or remove the numbers.',
  });
}
