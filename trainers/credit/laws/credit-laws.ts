/** The laws that every credit estimator is tested against. */
export const creditLaws = {
  shape: 'every step or token of every episode has a finite advantage, and a faulted episode has none',
  pure: 'it does not change its inputs',
  deterministic: 'the same batch has the same credit',
  'order-of-groups': 'reordering the groups reorders their credit and nothing else',
  'order-of-members': 'reordering the members reorders their credit and nothing else',
  alone: 'a group has the same credit alone and within a batch',
  'faults-are-inert': 'a faulted episode does not change the credit of the others',
  'lone-member': 'an episode that is alone in its group has no credit, or is refused',
} as const;

export type CreditLaw = keyof typeof creditLaws;

/** A broken law, the batch that shows it, and how to fix it. */
export interface CreditFinding {
  readonly law: CreditLaw;
  /** Index of the batch, from 0. */
  readonly batch: number;
  readonly what: string;
  readonly fix: string;
}

/** What `checkCreditEstimator` found. Plain JSON. */
export interface CreditReport {
  readonly estimator: string;
  /** The first finding of each law. */
  readonly findings: readonly CreditFinding[];
  /** How often each law was tested. */
  readonly checked: Readonly<Partial<Record<CreditLaw, number>>>;
  /** Laws that do not apply to the estimator, or that no batch tested. */
  readonly unchecked: readonly CreditLaw[];
}
