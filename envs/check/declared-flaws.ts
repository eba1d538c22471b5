import type { z } from 'zod';
import { actionTargetSchema, featuresSchema } from '../core/features.ts';
import { describeIssues } from '../core/issues.ts';
import type { Textual } from '../core/textual.ts';
import { attemptNow } from './attempt-now.ts';
import { copy, placeOfDifference, textOf } from './turn-view.ts';

/** What is wrong with something that an env declares, and what to do about it. */
export interface DeclaredFlaw {
  readonly call: 'text.features' | 'text.target';
  readonly what: string;
  readonly fix: string;
}

/**
 * Checks what an env declares beside its words. It must match its schema and depend on its argument alone: a copy of the argument, now
 * and after later turns, must give the same.
 */
export class DeclaredChecks {
  readonly #features: PureCall | undefined;
  readonly #target: PureCall | undefined;

  constructor(text: Textual<unknown, unknown>) {
    this.#features =
      text.features === undefined
        ? undefined
        : new PureCall('text.features', featuresSchema, (observation) => text.features?.(observation));
    this.#target =
      text.target === undefined
        ? undefined
        : new PureCall('text.target', actionTargetSchema.optional(), (action) => text.target?.(action));
  }

  features(observation: unknown): DeclaredFlaw | undefined {
    return this.#features?.flawOf(observation);
  }

  target(action: unknown): DeclaredFlaw | undefined {
    return this.#target?.flawOf(action);
  }
}

class PureCall {
  readonly #call: DeclaredFlaw['call'];
  readonly #schema: z.ZodType;
  readonly #read: (argument: unknown) => unknown;
  /** The argument before this one, with what it gave. */
  #before: { readonly argument: unknown; readonly given: string } | undefined;

  constructor(call: DeclaredFlaw['call'], schema: z.ZodType, read: (argument: unknown) => unknown) {
    this.#call = call;
    this.#schema = schema;
    this.#read = read;
  }

  flawOf(argument: unknown): DeclaredFlaw | undefined {
    const first = attemptNow(() => this.#read(argument));
    if (first.kind === 'threw')
      return this.#flaw(
        `it threw: ${first.message}`,
        'Return a value for everything that the schema allows.',
      );
    const parsed = this.#schema.safeParse(first.value);
    if (!parsed.success)
      return this.#flaw(
        `its return value is invalid: ${describeIssues(parsed.error)}`,
        'The types Features and ActionTarget describe each member.',
      );
    const before = this.#before;
    this.#before = { argument: copy(argument), given: textOf(first.value) };
    return this.#impurity(this.#before) ?? (before === undefined ? undefined : this.#impurity(before));
  }

  #impurity({
    argument,
    given,
  }: {
    readonly argument: unknown;
    readonly given: string;
  }): DeclaredFlaw | undefined {
    const again = attemptNow(() => textOf(this.#read(argument)));
    const now = again.kind === 'threw' ? `an error: ${again.message}` : again.value;
    if (now === given) return undefined;
    return this.#flaw(
      `a copy of the same argument gave another value${placeOfDifference(given, now)}`,
      'Compute it from the argument alone: stored episodes have nothing else.',
    );
  }

  #flaw(what: string, fix: string): DeclaredFlaw {
    return { call: this.#call, what: `${what}.`, fix };
  }
}
