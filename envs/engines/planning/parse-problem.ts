import { asList, asWord, exactly, parseAtom, parseCondition } from './parse-condition.ts';
import { parseObjects } from './parse-domain.ts';
import type { Expression } from './s-expression.ts';
import { Scope } from './scope.ts';
import {
  assertRequirements,
  contentOf,
  readDefinition,
  requiredSection,
  sectionOf,
  type Section,
  type SectionNames,
} from './sections.ts';
import { flawIn, type Source } from './source.ts';
import type { Domain, Fact, Problem, TypedName } from './syntax.ts';

const names: SectionNames = {
  kind: 'problem',
  once: [':domain', ':requirements', ':objects', ':init', ':goal', ':metric'],
  many: [],
};

/**
 * Parses a problem of the domain. Values of numeric functions, and a metric of minimal total cost, are
 * ignored.
 *
 * @throws UsageError that names the place. Causes: undeclared predicates, types and objects, facts with a
 * wrong number of objects, objects declared twice, and an incomplete file
 */
export function parseProblem(source: Source, domain: Domain): Problem {
  const definition = readDefinition(source, names);
  assertDomain(contentOf(requiredSection(definition, ':domain', source), source), domain, source);
  assertRequirements(sectionOf(definition, ':requirements'), source);
  assertMetric(sectionOf(definition, ':metric')?.items ?? [], source);
  const objects = parseObjects(sectionOf(definition, ':objects'), domain.types, source);
  const known = allObjects(domain, objects, source);
  const scope = new Scope({ source, types: domain.types, predicates: domain.predicates, objects: known });
  const facts = parseFacts(requiredSection(definition, ':init', source), scope);
  const goalSection = requiredSection(definition, ':goal', source);
  const goal = parseCondition(contentOf(goalSection, source), scope);
  return {
    name: definition.name.text,
    objects,
    facts,
    goal,
    goalSlots: scope.slots.count,
    goalAt: goalSection.list.at,
  };
}

function assertDomain(expression: Expression, domain: Domain, source: Source): void {
  const { text, at } = asWord(expression, { source });
  if (text === domain.name) return;
  throw flawIn(source, at, {
    what: `it belongs to the domain "${text}", but the given domain is "${domain.name}".`,
    fix: 'Pass the domain of the problem.',
  });
}

function assertMetric(items: readonly Expression[], source: Source): void {
  const [goal, measure] = items;
  if (goal === undefined) return;
  const head = measure?.kind === 'list' ? measure.items[0] : measure;
  if (goal.kind === 'word' && goal.text === 'minimize' && head?.kind === 'word' && head.text === 'total-cost')
    return;
  throw flawIn(source, goal.at, {
    what: 'this metric is not supported.',
    fix: 'Only (:metric minimize (total-cost)) is supported, and it is ignored.',
  });
}

function allObjects(domain: Domain, objects: readonly TypedName[], source: Source): ReadonlySet<string> {
  const constants = new Set(domain.constants.map(({ name }) => name));
  const twice = objects.find(({ name }) => constants.has(name));
  if (twice !== undefined) {
    throw flawIn(source, twice.at, {
      what: `the object "${twice.name}" is a constant of the domain already.`,
      fix: 'Declare it once.',
    });
  }
  return new Set([...constants, ...objects.map(({ name }) => name)]);
}

interface Said extends Fact {
  readonly holds: boolean;
  readonly at: number;
}

/**
 * The facts of the start. A fact declared false is omitted, unless it is declared true as well. A repeated
 * fact counts once.
 */
function parseFacts(section: Section, scope: Scope): readonly Fact[] {
  const facts = new Map<string, Said>();
  for (const fact of section.items.flatMap((item) => parseFact(item, scope))) {
    const key = [fact.predicate, ...fact.objects].join(' ');
    const known = facts.get(key);
    if (known !== undefined && known.holds !== fact.holds) {
      throw flawIn(scope.vocabulary.source, fact.at, {
        what: `(${key}) is both true and false.`,
        fix: 'Keep one of the two.',
      });
    }
    if (known === undefined) facts.set(key, fact);
  }
  return [...facts.values()].filter(({ holds }) => holds);
}

/** Parses one fact of the start. Empty for a number. */
function parseFact(item: Expression, scope: Scope): readonly Said[] {
  const { vocabulary } = scope;
  const list = asList(item, vocabulary);
  const [head] = list.items;
  if (head?.kind === 'word' && head.text === '=') {
    const [, value] = exactly(2, list.items.slice(1), list, vocabulary);
    if (value?.kind === 'word' && /^\d*\.?\d+$|^\d+\.$/.test(value.text)) return [];
    throw flawIn(vocabulary.source, list.at, {
      what: 'a function has no number as its value.',
      fix: 'Write (= (distance a b) 5), or leave it out.',
    });
  }
  const isDenial = head?.kind === 'word' && head.text === 'not';
  const [denied] = isDenial ? exactly(1, list.items.slice(1), list, vocabulary) : [];
  const { predicate, terms, at } = parseAtom(denied === undefined ? list : asList(denied, vocabulary), scope);
  return [
    {
      predicate,
      objects: terms.flatMap((term) => (term.kind === 'object' ? [term.name] : [])),
      holds: !isDenial,
      at,
    },
  ];
}
