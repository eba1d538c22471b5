import type { Json } from '../json.ts';
import type { TaskRef } from '../task.ts';
import { laws, type Law } from './laws.ts';

/** Where in the check it was noticed. */
export interface Place {
  readonly task?: TaskRef;
  /** Steps taken before the call; 0 is the opening. */
  readonly step?: number;
  /** The call or the part of the definition, such as `step` or `config`. */
  readonly call?: string;
}

/** A law that is broken, where it was seen, and what to do about it. */
export interface Finding {
  readonly law: Law;
  /** A warning is doubtful but may be meant; an error makes results wrong. */
  readonly severity: 'error' | 'warning';
  readonly where: Place;
  readonly what: string;
  readonly mend: string;
}

/** A law that could not be put to the test, at all or in part. */
export interface Unchecked {
  readonly law: Law;
  readonly why: string;
}

/** What `checkEnv` found, how much it looked at, and what it could not see. Plain JSON. */
export interface CheckReport {
  readonly env: string;
  /** As parsed; undefined when nothing could be opened with it. */
  readonly config: Json | undefined;
  readonly findings: readonly Finding[];
  /** Findings of a law beyond the few that are listed. */
  readonly more: Readonly<Partial<Record<Law, number>>>;
  /** How often each law was put to the test. */
  readonly checked: Readonly<Partial<Record<Law, number>>>;
  readonly unchecked: readonly Unchecked[];
  /** Facts worth knowing that are no findings, such as how many tasks the searcher solved. */
  readonly notes: readonly string[];
}

/** Findings of one law that are listed one by one; the rest is counted. */
const listedPerLaw = 5;

/** Collects what the laws report. */
export class ReportWriter {
  readonly #findings: Finding[] = [];
  readonly #found = new Map<Law, number>();
  readonly #checked = new Map<Law, number>();
  readonly #unchecked: Unchecked[] = [];
  readonly #notes: string[] = [];

  /** A law was put to the test so many times. */
  checked(law: Law, times = 1): void {
    this.#checked.set(law, (this.#checked.get(law) ?? 0) + times);
  }

  found(finding: Omit<Finding, 'severity'> & { readonly severity?: Finding['severity'] }): void {
    const count = (this.#found.get(finding.law) ?? 0) + 1;
    this.#found.set(finding.law, count);
    if (count <= listedPerLaw) this.#findings.push({ severity: 'error', ...finding });
  }

  unchecked(law: Law, why: string): void {
    if (!this.#unchecked.some((entry) => entry.law === law && entry.why === why)) this.#unchecked.push({ law, why });
  }

  note(text: string): void {
    this.#notes.push(text);
  }

  /** True when the law was found broken so far. */
  isBroken(law: Law): boolean {
    return this.#found.has(law);
  }

  /** The report; every law that nothing was said about is listed as unchecked. */
  finish(of: { readonly env: string; readonly config: Json | undefined }): CheckReport {
    for (const law of Object.keys(laws) as Law[]) {
      const mentioned = this.#checked.has(law) || this.#found.has(law) || this.#unchecked.some((entry) => entry.law === law);
      if (!mentioned) this.unchecked(law, 'nothing came up that would have tested it');
    }
    const more = [...this.#found].filter(([, count]) => count > listedPerLaw).map(([law, count]) => [law, count - listedPerLaw]);
    return {
      ...of,
      findings: this.#findings,
      more: Object.fromEntries(more) as CheckReport['more'],
      checked: Object.fromEntries(this.#checked) as CheckReport['checked'],
      unchecked: this.#unchecked,
      notes: this.#notes,
    };
  }
}

/** `step 3 of train/7, step` in words. */
export function describePlace({ task, step, call }: Place): string {
  const parts = [
    task === undefined ? undefined : `task ${task.panel}/${task.index}`,
    step === undefined ? undefined : `step ${step}`,
    call,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

/** One paragraph that a person can act on. */
export function describeFinding({ law, severity, where, what, mend }: Finding): string {
  const place = describePlace(where);
  return `${severity} ${law}${place === '' ? '' : ` (${place})`}: ${what} ${mend}`;
}

const reasons = ({ unchecked }: CheckReport, law: Law): readonly string[] => unchecked.filter((entry) => entry.law === law).map(({ why }) => why);

/** The report as text, a line for each finding, then what was and what could not be checked. */
export function formatReport(report: CheckReport): string {
  const more = Object.entries(report.more).map(([law, count]) => `${law}: ${count} more ${count === 1 ? 'finding' : 'findings'} like these`);
  const checked = Object.entries(report.checked).map(([law, times]) => `${law} ${times}`);
  return [
    `${report.env}: ${report.findings.length === 0 ? 'no findings' : `${report.findings.length} ${report.findings.length === 1 ? 'finding' : 'findings'}`}`,
    ...report.findings.map(describeFinding),
    ...more,
    `checked: ${checked.join(', ')}`,
    ...[...new Set(report.unchecked.map(({ law }) => law))].map((law) => `not checked ${law}: ${reasons(report, law).join('; ')}`),
    ...report.notes.map((note) => `note: ${note}`),
  ].join('\n');
}
