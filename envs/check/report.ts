import type { Json } from '../core/json.ts';
import type { TaskRef } from '../core/task.ts';
import { selectLaws } from './law-selection.ts';
import { laws, type Law } from './laws.ts';

/** Where in the check something was noticed. */
export interface FindingPlace {
  readonly task?: TaskRef;
  /** Steps before the call; 0 is the opening. */
  readonly step?: number;
  /** The call or the part of the definition, such as `step` or `config`. */
  readonly call?: string;
}

/** A broken law, where it was seen, and how to fix it. */
export interface Finding {
  readonly law: Law;
  /** An error makes results wrong. A warning is suspicious but may be intended. */
  readonly severity: 'error' | 'warning';
  readonly where: FindingPlace;
  readonly what: string;
  readonly fix: string;
  /**
   * How often it was seen. Similar findings of one law and call are merged, and `where` is the first place.
   */
  readonly times: number;
}

/** A law that could not be checked, at all or in part. */
export interface Unchecked {
  readonly law: Law;
  readonly why: string;
  /** The reason for this law in the definition's `unchecked`, if any. */
  readonly expected?: string;
}

/** The findings of `checkEnv`, how much it checked, and what it could not check. Plain JSON. */
export interface CheckReport {
  readonly env: string;
  /** The parsed config; undefined where nothing could be opened with it. */
  readonly config: Json | undefined;
  readonly findings: readonly Finding[];
  /** How many findings of a law there were beyond those that are listed. */
  readonly more: Readonly<Partial<Record<Law, number>>>;
  /** How often each law was checked. */
  readonly checked: Readonly<Partial<Record<Law, number>>>;
  readonly unchecked: readonly Unchecked[];
  /** Facts that are no findings, such as how many tasks the searcher solved. */
  readonly notes: readonly string[];
  /** What the audit of the env itself tried, as counts by name. Absent for an env without one. */
  readonly audit?: Readonly<Record<string, number>>;
}

/** The most different findings of one law that are listed. The others are counted. */
const listedPerLaw = 5;
/** An audit has merged its findings by check already. */
const listedOfAudit = 20;

interface Listed {
  readonly finding: Omit<Finding, 'times'>;
  times: number;
}

/** Collects the findings of the laws. */
export class ReportWriter {
  readonly #selected: ReadonlySet<Law>;
  readonly #listed = new Map<string, Listed>(); // keyed by similar text
  readonly #more = new Map<Law, number>();
  readonly #found = new Map<Law, number>(); // number of listed findings
  readonly #checked = new Map<Law, number>();
  readonly #unchecked: Unchecked[] = [];
  readonly #notes: string[] = [];
  readonly #omitted = new Set<Law>();
  #audit: Readonly<Record<string, number>> | undefined;

  /** Reports about laws that are not selected are dropped. */
  constructor(selected: ReadonlySet<Law> = selectLaws(undefined)) {
    this.#selected = selected;
  }

  isSelected(law: Law): boolean {
    return this.#selected.has(law);
  }

  /** Notes that a law was checked `times` times. */
  checked(law: Law, times = 1): void {
    if (!this.isSelected(law)) return;
    this.#checked.set(law, (this.#checked.get(law) ?? 0) + times);
  }

  /** `times` counts a finding that stands for several. */
  found(
    given: Omit<Finding, 'severity' | 'times'> & {
      readonly severity?: Finding['severity'];
      readonly times?: number;
    },
  ): void {
    // a message of the env at the end may already have a full stop
    const { times = 1, ...parts } = given;
    const finding = { severity: 'error', ...parts, what: given.what.replace(/(?<!\.)\.\.$/, '.') } as const;
    const { law, severity, where, what, fix } = finding;
    if (!this.isSelected(law)) return;
    const words = JSON.stringify([law, severity, where.call, what, fix]);
    const alike = this.#listed.get(words);
    if (alike !== undefined) {
      alike.times += times;
      return;
    }
    const count = this.#found.get(law) ?? 0;
    if (count < (law === 'audit' ? listedOfAudit : listedPerLaw)) {
      this.#found.set(law, count + 1);
      this.#listed.set(words, { finding, times });
    } else this.#more.set(law, (this.#more.get(law) ?? 0) + 1);
  }

  unchecked(law: Law, why: string): void {
    if (!this.isSelected(law)) return;
    if (!this.#unchecked.some((entry) => entry.law === law && entry.why === why))
      this.#unchecked.push({ law, why });
  }

  /** Leaves a law that this env has nothing for out of the list of unchecked laws. */
  omit(law: Law): void {
    this.#omitted.add(law);
  }

  /** Records what the audit of the env itself tried. */
  audited(tried: Readonly<Record<string, number>>): void {
    this.#audit = tried;
  }

  note(text: string): void {
    this.#notes.push(text);
  }

  /** True when the law has been found broken so far. */
  isBroken(law: Law): boolean {
    return this.#found.has(law);
  }

  /** Creates the report. Every law without any report is listed as unchecked. */
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
      if (!mentioned && !this.#omitted.has(law))
        this.unchecked(law, 'nothing came up that would have tested it');
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
      ...(this.#audit === undefined ? {} : { audit: this.#audit }),
    };
  }
}

/** A place in words, such as `step 3 of train/7, step`. */
export function describePlace({ task, step, call }: FindingPlace): string {
  const parts = [
    task === undefined ? undefined : `task ${task.panel}/${task.index}`,
    step === undefined ? undefined : `step ${step}`,
    call,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

/** A finding as one paragraph. */
export function describeFinding({ law, severity, where, what, fix, times }: Finding): string {
  const place = describePlace(where);
  const alike = times === 1 ? '' : ` And ${times - 1} more like it.`;
  return `${severity} ${law}${place === '' ? '' : ` (${place})`}: ${what} ${fix}${alike}`;
}

const reasons = ({ unchecked }: CheckReport, law: Law): readonly string[] =>
  unchecked.filter((entry) => entry.law === law).map(({ why }) => why);

/** The reason of the definition in brackets, where it has one. */
function expectation({ unchecked }: CheckReport, law: Law): string {
  const expected = unchecked.find((entry) => entry.law === law)?.expected;
  return expected === undefined ? '' : ` (expected: ${expected})`;
}

/** The report as text: a line for each finding, then what was checked and what could not be checked. */
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
