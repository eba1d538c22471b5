import type {
  ActionSchema,
  Atom,
  Condition,
  Domain,
  Effect,
  Problem,
  Term,
  Variable,
} from '../../../../envs/engines/planning/syntax.ts';
import type { TypeRef } from '../../../../envs/engines/planning/type-tree.ts';

/** Values by place of the frame. */
type Frame = readonly (string | undefined)[];

/**
 * A world as a set of texts, read as the definition of PDDL reads it: every quantifier goes through every object, nothing is looked up. Slow and
 * plain, to compare the engine with.
 */
export class PlainWorld {
  readonly facts = new Set<string>();
  readonly #domain: Domain;
  readonly #objects: readonly { readonly name: string; readonly type: TypeRef }[];

  constructor(domain: Domain, problem: Problem) {
    this.#domain = domain;
    this.#objects = [...domain.constants, ...problem.objects];
    for (const { predicate, objects } of problem.facts) this.facts.add([predicate, ...objects].join(' '));
  }

  holds(condition: Condition, frame: Frame): boolean {
    switch (condition.kind) {
      case 'atom':
        return this.facts.has(say(condition, frame));
      case 'equal':
        return valueOf(condition.left, frame) === valueOf(condition.right, frame);
      case 'not':
        return !this.holds(condition.of, frame);
      case 'and':
        return condition.parts.every((part) => this.holds(part, frame));
      case 'or':
        return condition.parts.some((part) => this.holds(part, frame));
      case 'exists':
        return this.choices(condition.variables, frame).some((inner) => this.holds(condition.of, inner));
      case 'forall':
        return this.choices(condition.variables, frame).every((inner) => this.holds(condition.of, inner));
    }
  }

  /** All instances whose precondition holds, as frames. */
  applicable({ parameters, precondition }: ActionSchema): readonly Frame[] {
    return this.choices(parameters, []).filter((frame) => this.holds(precondition, frame));
  }

  /** The facts after the action; a fact that is both added and deleted stays. */
  after({ effects }: ActionSchema, frame: Frame): ReadonlySet<string> {
    const happens = (effect: Effect): readonly string[] =>
      this.choices(effect.variables, frame).flatMap((inner) =>
        effect.when === undefined || this.holds(effect.when, inner) ? [say(effect.atom, inner)] : [],
      );
    const deleted = new Set(effects.filter(({ adds }) => !adds).flatMap(happens));
    return new Set([
      ...[...this.facts].filter((fact) => !deleted.has(fact)),
      ...effects.filter(({ adds }) => adds).flatMap(happens),
    ]);
  }

  become(facts: ReadonlySet<string>): void {
    this.facts.clear();
    for (const fact of facts) this.facts.add(fact);
  }

  choices(variables: readonly Variable[], frame: Frame): readonly Frame[] {
    let frames: readonly Frame[] = [frame];
    for (const { slot, type } of variables) {
      const fitting = this.#objects.filter((object) => this.#domain.types.fits(object.type, type));
      frames = frames.flatMap((outer) =>
        fitting.map(({ name }) => Object.assign([...outer], { [slot]: name })),
      );
    }
    return frames;
  }
}

const valueOf = (term: Term, frame: Frame): string | undefined =>
  term.kind === 'object' ? term.name : frame[term.slot];

const say = ({ predicate, terms }: Atom, frame: Frame): string =>
  [predicate, ...terms.map((term) => valueOf(term, frame))].join(' ');
