/**
 * Numbers that remember how they were made, in float64: the slowest way to a gradient, and the one with the least to get wrong.
 * Each operation states its value and its partial derivatives; {@link differentiate} applies the chain rule backwards.
 */
export class Scalar {
  readonly value: number;
  readonly parents: readonly (readonly [parent: Scalar, derivative: number])[];

  constructor(value: number, parents: readonly (readonly [parent: Scalar, derivative: number])[] = []) {
    this.value = value;
    this.parents = parents;
  }

  plus(other: Scalar): Scalar {
    return new Scalar(this.value + other.value, [
      [this, 1],
      [other, 1],
    ]);
  }

  minus(other: Scalar): Scalar {
    return new Scalar(this.value - other.value, [
      [this, 1],
      [other, -1],
    ]);
  }

  times(other: Scalar): Scalar {
    return new Scalar(this.value * other.value, [
      [this, other.value],
      [other, this.value],
    ]);
  }

  scaled(factor: number): Scalar {
    return new Scalar(this.value * factor, [[this, factor]]);
  }

  exponential(): Scalar {
    const value = Math.exp(this.value);
    return new Scalar(value, [[this, value]]);
  }

  logarithm(): Scalar {
    return new Scalar(Math.log(this.value), [[this, 1 / this.value]]);
  }

  /** The larger one; at a tie this one. */
  atLeast(other: Scalar): Scalar {
    return this.value >= other.value ? this.scaled(1) : other.scaled(1);
  }

  /** The smaller one; at a tie this one. */
  atMost(other: Scalar): Scalar {
    return this.value <= other.value ? this.scaled(1) : other.scaled(1);
  }
}

export const constant = (value: number): Scalar => new Scalar(value);

export function total(terms: readonly Scalar[]): Scalar {
  return new Scalar(
    terms.reduce((sum, term) => sum + term.value, 0),
    terms.map((term) => [term, 1] as const),
  );
}

/** The derivative of `result` by every number that it was made of. */
export function differentiate(result: Scalar): ReadonlyMap<Scalar, number> {
  const derivatives = new Map<Scalar, number>([[result, 1]]);
  for (const scalar of consumersFirst(result)) {
    const outer = derivatives.get(scalar) ?? 0;
    for (const [parent, derivative] of scalar.parents)
      derivatives.set(parent, (derivatives.get(parent) ?? 0) + outer * derivative);
  }
  return derivatives;
}

/** All numbers behind `result`, each after everything that was made of it. */
function consumersFirst(result: Scalar): readonly Scalar[] {
  const order: Scalar[] = [];
  const seen = new Set<Scalar>([result]);
  const open: { readonly scalar: Scalar; next: number }[] = [{ scalar: result, next: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const parent = top.scalar.parents[top.next]?.[0];
    top.next += 1;
    if (parent === undefined) {
      order.push(top.scalar);
      open.pop();
    } else if (!seen.has(parent)) {
      seen.add(parent);
      open.push({ scalar: parent, next: 0 });
    }
  }
  return order.toReversed();
}
