import type { ComparisonOperator, Condition, Draft, Measure, Shown, Test } from '../draft/draft.ts';
import type { ColumnRef, ForeignKey } from '../schema.ts';
import type { Filling, QuestionForm, Slot } from './question-form.ts';

/** Reads a filling, for the draft that a form builds of it. */
class Parts {
  readonly #filling: Filling;
  readonly #key: ForeignKey | undefined;

  constructor(filling: Filling, key: ForeignKey | undefined) {
    this.#filling = filling;
    this.#key = key;
  }

  text(slot: Slot): string {
    return String(this.#filling[slot] ?? '');
  }

  number(slot: Slot): number {
    return Number(this.#filling[slot] ?? 0);
  }

  of(slot: Slot, table: 'T' | 'P' = 'T'): ColumnRef {
    return { table: this.text(table), column: this.text(slot) };
  }

  show(slot: Slot, measure?: Measure, table: 'T' | 'P' = 'T'): Shown {
    return { kind: 'column', of: this.of(slot, table), ...(measure === undefined ? {} : { measure }) };
  }

  compare(slot: Slot, is: ComparisonOperator, by: 'value' | 'n' | 'm', table: 'T' | 'P' = 'T'): Condition {
    return {
      kind: 'compare',
      of: this.of(slot, table),
      is,
      value: by === 'value' ? this.text('value') : this.number(by),
    };
  }

  test(slot: Slot, is: Test): Condition {
    return { kind: 'test', of: this.of(slot), is };
  }

  /** A draft of T alone, or of T and P. */
  draft(parts: Partial<Draft> & Pick<Draft, 'shows'>, joined = false): Draft {
    return {
      from: this.text('T'),
      joins: joined && this.#key !== undefined ? [this.#key] : [],
      where: [],
      ...parts,
    };
  }

  without(shows: readonly Shown[]): Draft {
    const key = this.#key;
    return {
      from: this.text('P'),
      joins: [],
      shows,
      where: key === undefined ? [] : [{ kind: 'without', key }],
    };
  }
}

const form = (
  level: QuestionForm['level'],
  name: string,
  wordings: readonly string[],
  build: (parts: Parts) => Draft,
): QuestionForm => ({
  name,
  level,
  wordings,
  build: (filling, key) => build(new Parts(filling, key)),
});
const count: Shown = { kind: 'count' };

/** Forms for training. */
export const trainForms: readonly QuestionForm[] = [
  form(
    'filter',
    'text',
    [
      'List the {name} of the {T} whose {text} is "{value}".',
      'Which {T} have the {text} "{value}"? Give the {name}.',
    ],
    (p) => p.draft({ shows: [p.show('name')], where: [p.compare('text', 'is', 'value')] }),
  ),
  form(
    'filter',
    'above',
    [
      'List the {name} of the {T} whose {number} is above {n}.',
      'Which {T} have a {number} above {n}? Give the {name}.',
    ],
    (p) => p.draft({ shows: [p.show('name')], where: [p.compare('number', 'above', 'n')] }),
  ),
  form(
    'filter',
    'at-most',
    [
      'List the {name} of the {T} whose {number} is at most {n}.',
      'Which {T} have a {number} of at most {n}? Give the {name}.',
    ],
    (p) => p.draft({ shows: [p.show('name')], where: [p.compare('number', 'at most', 'n')] }),
  ),
  form(
    'filter',
    'both',
    ['List the {name} of the {T} whose {text} is "{value}" and whose {number} is below {n}.'],
    (p) =>
      p.draft({
        shows: [p.show('name')],
        where: [p.compare('text', 'is', 'value'), p.compare('number', 'below', 'n')],
      }),
  ),
  form(
    'filter',
    'missing',
    [
      'List the {name} of the {T} whose {nullable} is missing.',
      'For which {T} is the {nullable} missing? Give the {name}.',
    ],
    (p) => p.draft({ shows: [p.show('name')], where: [p.test('nullable', 'missing')] }),
  ),
  form(
    'filter',
    'ordered',
    ['List the {name} of the {T} whose {text} is "{value}", sorted from the highest {number} to the lowest.'],
    (p) =>
      p.draft({
        shows: [p.show('name')],
        where: [p.compare('text', 'is', 'value')],
        order: { by: p.of('number'), descending: true },
      }),
  ),
  form(
    'filter',
    'top',
    ['List the {name} of the {count} {T} with the highest {number}, the highest first.'],
    (p) =>
      p.draft({
        shows: [p.show('name')],
        order: { by: p.of('number'), descending: true },
        limit: p.number('count'),
      }),
  ),
  form(
    'aggregate',
    'count',
    ['Count the {T} whose {text} is "{value}".', 'How many {T} have the {text} "{value}"?'],
    (p) => p.draft({ shows: [count], where: [p.compare('text', 'is', 'value')] }),
  ),
  form('aggregate', 'average', ['What is the average {number} of the {T} whose {text} is "{value}"?'], (p) =>
    p.draft({ shows: [p.show('number', 'average')], where: [p.compare('text', 'is', 'value')] }),
  ),
  form('aggregate', 'total', ['What is the total {number} of the {T} whose {number2} is above {n}?'], (p) =>
    p.draft({ shows: [p.show('number', 'total')], where: [p.compare('number2', 'above', 'n')] }),
  ),
  form(
    'aggregate',
    'different',
    ['List the different values of {text} of the {T} whose {number} is above {n}.'],
    (p) => p.draft({ shows: [p.show('text', 'different')], where: [p.compare('number', 'above', 'n')] }),
  ),
  form(
    'aggregate',
    'group-count',
    ['For each {group} of the {T}, count them.', 'How many {T} are there for each {group}?'],
    (p) => p.draft({ shows: [p.show('group'), count], group: p.of('group') }),
  ),
  form('aggregate', 'group-highest', ['For each {group} of the {T}, give the highest {number}.'], (p) =>
    p.draft({ shows: [p.show('group'), p.show('number', 'highest')], group: p.of('group') }),
  ),
  form(
    'join',
    'list-both',
    ['List the {name} of the {T} whose {number} is above {n}, with the {pname} of their {P}.'],
    (p) =>
      p.draft(
        {
          shows: [p.show('name'), p.show('pname', undefined, 'P')],
          where: [p.compare('number', 'above', 'n')],
        },
        true,
      ),
  ),
  form(
    'join',
    'by-parent',
    ['List the {name} of the {T} that belong to {P} whose {ptext} is "{value}".'],
    (p) => p.draft({ shows: [p.show('name')], where: [p.compare('ptext', 'is', 'value', 'P')] }, true),
  ),
  form(
    'join',
    'average-by-parent',
    ['What is the average {number} of the {T} that belong to {P} whose {ptext} is "{value}"?'],
    (p) =>
      p.draft(
        { shows: [p.show('number', 'average')], where: [p.compare('ptext', 'is', 'value', 'P')] },
        true,
      ),
  ),
  form('join', 'count-each', ['For each {pname} of the {P}, count the {T} that belong to it.'], (p) =>
    p.draft({ shows: [p.show('pname', undefined, 'P'), count], group: p.of('pname', 'P') }, true),
  ),
  form('nested', 'above-average', ['List the {name} of the {T} whose {number} is above average.'], (p) =>
    p.draft({ shows: [p.show('name')], where: [p.test('number', 'above average')] }),
  ),
  form('nested', 'highest', ['List the {name} of all {T} that share the highest {number}.'], (p) =>
    p.draft({ shows: [p.show('name')], where: [p.test('number', 'highest')] }),
  ),
  form('nested', 'without', ['List the {pname} of the {P} without any {T}.'], (p) =>
    p.without([p.show('pname', undefined, 'P')]),
  ),
  form('nested', 'having', ['List the {pname} of the {P} to which more than {n} {T} belong.'], (p) =>
    p.draft(
      {
        shows: [p.show('pname', undefined, 'P')],
        group: p.of('pname', 'P'),
        having: { is: 'above', count: p.number('n') },
      },
      true,
    ),
  ),
  form(
    'nested',
    'except',
    [
      'List the {text} of the {T} whose {number} is above {n}, except those of {T} whose {text2} is "{value}".',
    ],
    (p) =>
      p.draft({
        shows: [p.show('text')],
        before: { how: 'EXCEPT', where: [p.compare('number', 'above', 'n')] },
        where: [p.compare('text2', 'is', 'value')],
      }),
  ),
  form(
    'nested',
    'also',
    [
      'List each {text} of the {T} whose {number} is above {n} that is also one of {T} whose {number2} is below {m}.',
    ],
    (p) =>
      p.draft({
        shows: [p.show('text')],
        before: { how: 'INTERSECT', where: [p.compare('number', 'above', 'n')] },
        where: [p.compare('number2', 'below', 'm')],
      }),
  ),
];

/** Forms that training never sees: other wordings, and parts in other combinations. */
export const heldOutForms: readonly QuestionForm[] = [
  form('filter', 'not-text', ['Give the {name} of all {T} with a {text} other than "{value}".'], (p) =>
    p.draft({ shows: [p.show('name')], where: [p.compare('text', 'is not', 'value')] }),
  ),
  form(
    'filter',
    'top-of',
    [
      'Of the {T} with {text} "{value}", give the {name} of the {count} with the highest {number}, the highest first.',
    ],
    (p) =>
      p.draft({
        shows: [p.show('name')],
        where: [p.compare('text', 'is', 'value')],
        order: { by: p.of('number'), descending: true },
        limit: p.number('count'),
      }),
  ),
  form('aggregate', 'count-both', ['How many {T} have {text} "{value}" and a {number} above {n}?'], (p) =>
    p.draft({ shows: [count], where: [p.compare('text', 'is', 'value'), p.compare('number', 'above', 'n')] }),
  ),
  form(
    'aggregate',
    'group-of',
    ['For the {T} with a {number} above {n}, give the average {number2} for each {group}.'],
    (p) =>
      p.draft({
        shows: [p.show('group'), p.show('number2', 'average')],
        where: [p.compare('number', 'above', 'n')],
        group: p.of('group'),
      }),
  ),
  form('join', 'highest-each', ['Give the highest {number} of the {T} for each {pname} of their {P}.'], (p) =>
    p.draft(
      { shows: [p.show('pname', undefined, 'P'), p.show('number', 'highest')], group: p.of('pname', 'P') },
      true,
    ),
  ),
  form(
    'join',
    'by-both',
    ['Give the {name} of the {T} whose {number} is below {n} and whose {P} have {ptext} "{value}".'],
    (p) =>
      p.draft(
        {
          shows: [p.show('name')],
          where: [p.compare('number', 'below', 'n'), p.compare('ptext', 'is', 'value', 'P')],
        },
        true,
      ),
  ),
  form(
    'nested',
    'below-average-of',
    ['Give the {name} of the {T} with {text} "{value}" whose {number} is below average.'],
    (p) =>
      p.draft({
        shows: [p.show('name')],
        where: [p.compare('text', 'is', 'value'), p.test('number', 'below average')],
      }),
  ),
  form(
    'nested',
    'most',
    ['Give the {pname} of the {count} {P} to which the most {T} belong, the one with the most first.'],
    (p) =>
      p.draft(
        {
          shows: [p.show('pname', undefined, 'P')],
          group: p.of('pname', 'P'),
          order: { by: 'count', descending: true },
          limit: p.number('count'),
        },
        true,
      ),
  ),
];
