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

/** What `loop` tells of an iteration, by place and count of the items. */
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

/** The fact that a part asks for as `loop.FACT`; undefined where it does not. */
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

/** A loop whose iterations may be remembered. */
export interface RememberedLoop {
  /** Of the item. */
  readonly name: string;
  /** All that is done in an iteration. */
  readonly body: Statement;
}

/** What is known of a template before it is rendered. */
export class TemplatePlan {
  readonly program: Statement;
  /** Lists of texts that are set once, at the top, and never again: to read one is to read nothing that may be another. */
  readonly constants: ReadonlySet<string>;
  readonly #loops = new Map<Statement, RememberedLoop>();

  constructor(program: Statement) {
    this.program = program;
    this.constants = constantsIn(program);
    const leavesFromMacro = isWithin(program, (part) => isMacro(part) && isWithin(part, leavesLoop)); // and so whatever loop it is called in
    if (!leavesFromMacro) this.#plan(program);
  }

  /** Undefined where its iterations are not remembered. */
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
 * Where its items can be asked for twice, nothing leaves it early, nothing in it keeps its variables for later, and of `loop` nothing is used
 * but facts.
 */
function canBeRemembered({ loopvar, iterable, body }: Loop): boolean {
  const isLoopItself = isIdentifier(loopvar) && loopvar.value === 'loop';
  if (isLoopItself || isWithin(iterable, (part) => isCall(part) || part.type === 'SelectExpression'))
    return false;
  return body.every(
    (part) => !isWithin(part, (each) => leavesLoop(each) || isMacro(each)) && usesFactsAlone(part),
  );
}

/** Loops within have a `loop` of their own. */
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

/** How often each name is set or bound, and read where it may be to bind it: more than are is no harm. */
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
