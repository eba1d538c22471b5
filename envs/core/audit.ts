/** A check of a world's own rules that failed. */
export interface RulesFinding {
  /** The check, such as `gold`. */
  readonly check: string;
  /** An error makes results wrong. A warning is suspicious but may be intended. Default: `error`. */
  readonly severity?: 'error' | 'warning';
  /** The first place where it failed, such as `seed 3, level 2`. */
  readonly where: string;
  readonly what: string;
  readonly fix: string;
  /** How often it failed. */
  readonly times: number;
}

/** What an audit found, and how much it tried. */
export interface RulesAuditResult {
  /** One finding for each check that failed. */
  readonly findings: readonly RulesFinding[];
  /** Counts by name, such as `{ questions: 300, 'random answers': 3000 }`. */
  readonly tried: Readonly<Record<string, number>>;
}

/** An audit of a world's own rules, such as the verifier of a puzzle. It runs in small steps, so that a caller can end it early. */
export interface RulesAudit {
  /** Tries the next part, for at most a few seconds. False when nothing is left. */
  advance(): boolean | Promise<boolean>;
  /** The result of the parts so far. */
  result(): RulesAuditResult;
}
