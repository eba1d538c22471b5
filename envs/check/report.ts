import type { Json } from '../core/json.ts';
import type { TaskRef } from '../core/task.ts';
import { selectLaws } from './law-selection.ts';
import { laws, type Law } from './laws.ts';

/** Where in the check it was noticed. */
export interface FindingPlace {
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
  readonly where: FindingPlace;
  readonly what: string;
  readonly fix: string;
  /** How often it was seen: findings of one law and call that read alike are one, and `where` is the first place. */
  readonly times: number;
}

/** A law that could not be put to the test, at all or in part. */
export interface Unchecked {
  readonly law: Law;
  readonly why: string;
  /** The reason that the definition gives in `unchecked`, where it gives one for this law. */
  readonly expected?: string;
}

/** What `checkEnv` found, how much it looked at, and what it could not see. Plain JSON. */
export interface CheckReport {
  readonly env: string;
  /** As parsed; undefined when nothing could be opened with it. */
  readonly config: Json | undefined;
  readonly findings: readonly Finding[];
  /** How often a law was found broken beyond the few findings that are listed. */
  readonly more: Readonly<Partial<Record<Law, number>>>;
  /** How often each law was put to the test. */
  readonly checked: Readonly<Partial<Record<Law, number>>>;
  readonly unchecked: readonly Unchecked[];
  /** Facts worth knowing that are no findings, such as how many tasks the searcher solved. */
  readonly notes: readonly string[];
}

/** Findings of one law that are listed one by one, of those that do not read alike; the rest is counted. */
const listedPerLaw = 5;

interface Listed {
  readonly finding: Omit<Finding, 'times'>;
  times: number;
}

/** Collects what the laws report. */
export class ReportWriter {
  readonly #selected: ReadonlySet<Law>;
  readonly #listed = new Map<string, Listed>(); // by what reads alike
  readonly #more = new Map<Law, number>();
  readonly #found = new Map<Law, number>(); // how many are listed
  readonly #checked = new Map<Law, number>();
  readonly #unchecked: Unchecked[] = [];
  readonly #notes: string[] = [];

  /** What is said of laws that are not selected is left out. */
  constructor(selected: ReadonlySet<Law> = selectLaws(undefined)) {
    this.#selected = selected;
  }

  isSelected(law: Law): boolean {
    return this.#selected.has(law);
  }

  /** A law was put to the test so many times. */
  checked(law: Law, times = 1): void {
    if (!this.isSelected(law)) return;
    this.#checked.set(law, (this.#checked.get(law) ?? 0) + times);
  }

  found(given: Omit<Finding, 'severity' | 'times'> & { readonly severity?: Finding['severity'] }): void {
    const finding = { severity: 'error', ...given, what: given.what.replace(/(?<!\.)\.\.$/, '.') } as const; // words of the env's own, put last, may bring a full stop along
    const { law, severity, where, what, fix } = finding;
    if (!this.isSelected(law)) return;
    const words = JSON.stringify([law, severity, where.call, what, fix]);
    const alike = this.#listed.get(words);
    if (alike !== undefined) {
      alike.times += 1;
      return;
    }
    const count = this.#found.get(law) ?? 0;
    if (count < listedPerLaw) {
      this.#found.set(law, count + 1);
      this.#listed.set(words, { finding, times: 1 });
    } else this.#more.set(law, (this.#more.get(law) ?? 0) + 1);
  }

  unchecked(law: Law, why: string): void {
    if (!this.isSelected(law)) return;
    if (!this.#unchecked.some((entry) => entry.law === law && entry.why === why))
      this.#unchecked.push({ law, why });
  }

  note(text: string): void {
    this.#notes.push(text);
  }

  /** True when the law was found broken so far. */
  isBroken(law: Law): boolean {
    return this.#found.has(law);
  }

  /** The report; every law that nothing was said about is listed as unchecked. */
  finish({
    env,
    config,
    expected = {},
  }: {
    readonly env: string;
    readonly config: Json | undefined;
    readonly expected?: Readonly<Record<string, string>> | undefined;
  }): CheckReport {
    const left = (Object.keys(laws) as Law[]).filter((law) => !this.isSelected(law));
    if (left.length > 0)
      this.note(`${this.#selected.size} laws were selected; not checked were ${left.join(', ')}`);
    for (const law of this.#selected) {
      const mentioned =
        this.#checked.has(law) || this.#found.has(law) || this.#unchecked.some((entry) => entry.law === law);
      if (!mentioned) this.unchecked(law, 'nothing came up that would have tested it');
    }
    return {
      env,
      config,
      findings: [...this.#listed.values()].map(({ finding, times }) => ({ ...finding, times })),
      more: Object.fromEntries(this.#more) as CheckReport['more'],
      checked: Object.fromEntries(this.#checked) as CheckReport['checked'],
      unchecked: this.#unchecked.map((entry) => {
        const reason = expected[entry.law];
        return reason === undefined ? entry : { ...entry, expected: reason };
      }),
      notes: this.#notes,
    };
  }
}

/** `step 3 of train/7, step` in words. */
export function describePlace({ task, step, call }: FindingPlace): string {
  const parts = [
    task === undefined ? undefined : `task ${task.panel}/${task.index}`,
    step === undefined ? undefined : `step ${step}`,
    call,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

/** One paragraph that a person can act on. */
export function describeFinding({ law, severity, where, what, fix, times }: Finding): string {
  const place = describePlace(where);
  const alike = times === 1 ? '' : ` And ${times - 1} more like it.`;
  return `${severity} ${law}${place === '' ? '' : ` (${place})`}: ${what} ${fix}${alike}`;
}

const reasons = ({ unchecked }: CheckReport, law: Law): readonly string[] =>
  unchecked.filter((entry) => entry.law === law).map(({ why }) => why);

/** The definition's own reason in brackets, where it has one. */
function expectation({ unchecked }: CheckReport, law: Law): string {
  const expected = unchecked.find((entry) => entry.law === law)?.expected;
  return expected === undefined ? '' : ` (expected: ${expected})`;
}

/** The report as text, a line for each finding, then what was and what could not be checked. */
export function formatReport(report: CheckReport): string {
  const more = Object.entries(report.more).map(
    ([law, count]) => `${law}: ${count} more ${count === 1 ? 'finding' : 'findings'} like these`,
  );
  const checked = Object.entries(report.checked).map(([law, times]) => `${law} ${times}`);
  return [
    `${report.env}: ${report.findings.length === 0 ? 'no findings' : `${report.findings.length} ${report.findings.length === 1 ? 'finding' : 'findings'}`}`,
    ...report.findings.map(describeFinding),
    ...more,
    `checked: ${checked.join(', ')}`,
    ...[...new Set(report.unchecked.map(({ law }) => law))].map(
      (law) => `not checked ${law}: ${reasons(report, law).join('; ')}${expectation(report, law)}`,
    ),
    ...report.notes.map((note) => `note: ${note}`),
  ].join('\n');
}
