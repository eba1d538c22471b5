import type { Statement } from '@huggingface/jinja';
import {
  isAssignment,
  isBlock,
  isCall,
  isIdentifier,
  isList,
  isLoop,
  isMacro,
  isMember,
  isWithin,
  leavesLoop,
  partsOf,
  type Loop,
} from '../jinja/template-parts.ts';

/** Facts of `loop` in an iteration, from the index and the number of items. */
export const loopFacts = {
  index: (place: number) => place + 1,
  index0: (place: number) => place,
  revindex: (place: number, count: number) => count - place,
  revindex0: (place: number, count: number) => count - place - 1,
  first: (place: number) => place === 0,
  last: (place: number, count: number) => place === count - 1,
  length: (_: number, count: number) => count,
} as const;
export type LoopFact = keyof typeof loopFacts;

const isFact = (name: string): name is LoopFact => Object.hasOwn(loopFacts, name);

/** The fact that a node reads as `loop.FACT`; undefined for other nodes. */
export function factOf(part: Statement): LoopFact | undefined {
  if (
    !isMember(part) ||
    part.computed ||
    !isIdentifier(part.object) ||
    part.object.value !== 'loop' ||
    !isIdentifier(part.property)
  )
    return undefined;
  return isFact(part.property.value) ? part.property.value : undefined;
}

/** A loop whose iterations may be reused. */
export interface RememberedLoop {
  /** Name of the loop variable. */
  readonly name: string;
  /** The loop body. */
  readonly body: Statement;
}

/** What is known of a template before rendering. */
export class TemplatePlan {
  readonly program: Statement;
  /** Lists of texts that are set once at the top and never again. Reading one does not depend on state. */
  readonly constants: ReadonlySet<string>;
  readonly #loops = new Map<Statement, RememberedLoop>();

  constructor(program: Statement) {
    this.program = program;
    this.constants = constantsIn(program);
    // and therefore from any loop that calls it
    const leavesFromMacro = isWithin(program, (part) => isMacro(part) && isWithin(part, leavesLoop));
    if (!leavesFromMacro) this.#plan(program);
  }

  /** Undefined if the iterations of the loop cannot be reused. */
  loop(part: Loop): RememberedLoop | undefined {
    return this.#loops.get(part);
  }

  #plan(part: Statement): void {
    if (isLoop(part) && isIdentifier(part.loopvar) && canBeRemembered(part)) {
      const body: Statement & { readonly body: readonly Statement[] } = { type: 'Program', body: part.body };
      this.#loops.set(part, { name: part.loopvar.value, body });
    }
    for (const each of partsOf(part)) this.#plan(each);
  }
}

/**
 * True if its items can be evaluated twice, nothing exits it early, nothing in it captures its variables, and
 * it uses only facts of `loop`.
 */
function canBeRemembered({ loopvar, iterable, body }: Loop): boolean {
  const isLoopItself = isIdentifier(loopvar) && loopvar.value === 'loop';
  if (isLoopItself || isWithin(iterable, (part) => isCall(part) || part.type === 'SelectExpression'))
    return false;
  return body.every(
    (part) => !isWithin(part, (each) => leavesLoop(each) || isMacro(each)) && usesFactsAlone(part),
  );
}

/** Inner loops have a `loop` of their own. */
function usesFactsAlone(part: Statement): boolean {
  if (isLoop(part) || factOf(part) !== undefined) return true;
  if (isAssignment(part) && factOf(part.assignee) !== undefined) return false;
  return isIdentifier(part) ? part.value !== 'loop' : partsOf(part).every(usesFactsAlone);
}

function constantsIn(program: Statement): ReadonlySet<string> {
  const counts = new Map<string, number>();
  countNames(program, counts);
  const lists = (isBlock(program) ? program.body : []).flatMap((part) =>
    isAssignment(part) && isIdentifier(part.assignee) && part.value !== null && isListOfTexts(part.value)
      ? [part.assignee.value]
      : [],
  );
  return new Set(lists.filter((name) => counts.get(name) === 1));
}

const isListOfTexts = (part: Statement): boolean =>
  isList(part) && part.value.every(({ type }) => type === 'StringLiteral');

/**
 * Counts how often each name is set or bound. A name that only may be bound counts too: a count that is too
 * high is safe.
 */
function countNames(part: Statement, counts: Map<string, number>): void {
  const binders = isAssignment(part)
    ? [part.assignee]
    : isLoop(part)
      ? [part.loopvar]
      : isMacro(part)
        ? partsOf(part)
        : [];
  for (const binder of binders) countIdentifiers(binder, counts);
  for (const each of partsOf(part)) countNames(each, counts);
}

function countIdentifiers(part: Statement, counts: Map<string, number>): void {
  if (isIdentifier(part)) counts.set(part.value, (counts.get(part.value) ?? 0) + 1);
  for (const each of partsOf(part)) countIdentifiers(each, counts);
}
