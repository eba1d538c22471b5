/** What is asked of every credit estimator. */
export const creditLaws = {
  shape: 'it gives every step of every episode a finite advantage, and an episode that faulted none',
  pure: 'it leaves what it is given as it was',
  deterministic: 'the same batch has the same credit',
  'order-of-groups': 'groups in another order have their credit in that order',
  'order-of-members': 'members in another order have their credit in that order',
  alone: 'a group that is given alone has the credit that it has within a batch',
  'faults-are-inert': 'an episode that faulted changes no credit of the others',
  'lone-member': 'an episode that nobody in its group can be compared with has no credit, or is refused',
} as const;

export type CreditLaw = keyof typeof creditLaws;

/** A law that is broken, in which batch, and what to do about it. */
export interface CreditFinding {
  readonly law: CreditLaw;
  /** Of the batches that were tried, counted from 0. */
  readonly batch: number;
  readonly what: string;
  readonly mend: string;
}

/** What `checkCreditEstimator` found. Plain JSON. */
export interface CreditReport {
  readonly estimator: string;
  /** At most one of each law: the first. */
  readonly findings: readonly CreditFinding[];
  /** How often each law was put to the test. */
  readonly checked: Readonly<Partial<Record<CreditLaw, number>>>;
  /** Laws that do not hold what it says of itself to account, or that no batch tested. */
  readonly unchecked: readonly CreditLaw[];
}
