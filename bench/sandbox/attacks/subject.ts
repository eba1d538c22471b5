import { setMaxListeners } from 'node:events';
import type {
  CommandLine,
  ExecOptions,
  ExecResult,
  Language,
  Limits,
  Sandbox,
  SandboxProvider,
} from '../../../sandbox/index.ts';

/** A way to sandboxes that the shared suites try out. */
export interface Subject {
  readonly title: string;
  /** Makes a provider of its own for the caller, who disposes of it. */
  readonly provider: () => Promise<SandboxProvider>;
  /** Whether its programs can start others; left out, they can. */
  readonly startsProcesses?: boolean;
  /** Kills what stands over running programs (a daemon, a supervisor), as an operator might, and fixes it where somebody has to. */
  readonly killSupervisor?: () => Promise<void>;
  /** Begins another supervisor than the machine's, which serves others and may not be killed; `none` where there can be none. */
  readonly ownSupervisor?: () => Promise<
    | { readonly kind: 'begun'; readonly supervisor: OwnSupervisor }
    | { readonly kind: 'none'; readonly why: string }
  >;
  /** Whether its Python runs within a JavaScript engine; left out, it does not. */
  readonly isWithinJavaScript?: boolean;
}

/** What stands over the sandboxes of one caller alone. */
export interface OwnSupervisor extends AsyncDisposable {
  readonly provider: () => SandboxProvider;
  /** Kills it, and brings it back after a while. */
  readonly killAndRepair: () => Promise<void>;
}

const mebi = 2 ** 20;

/** Wide enough for every interpreter, narrow enough to be hit within a second. */
export const suiteLimits: Limits = {
  wallMs: 30_000,
  cpuMs: 30_000,
  memoryBytes: 512 * mebi,
  pids: 64,
  diskBytes: 32 * mebi,
  outputBytes: 2 ** 16,
};

/** Never aborts. */
export const never: AbortSignal = new AbortController().signal;
setMaxListeners(0, never);

const suffixes: Readonly<Record<Language, string>> = { python: 'py', javascript: 'js', shell: 'sh' };

/** A program, in the languages that it was written in. */
export type Sources = Readonly<Partial<Record<Language, string>>>;

/** The languages that `sources` has and the sandbox can run. */
export function spokenLanguages(sandbox: Sandbox, sources: Sources): readonly Language[] {
  return (Object.keys(sources) as Language[]).filter(
    (language) => sandbox.interpreters[language] !== undefined,
  );
}

/** Writes the program into the sandbox and runs it there, with words after the path of its file. */
export async function runSource(
  sandbox: Sandbox,
  program: {
    readonly language: Language;
    readonly source: string;
    readonly name?: string;
    readonly words?: readonly string[];
  },
  options: Partial<ExecOptions> = {},
): Promise<ExecResult> {
  const { language, source, name = 'program', words = [] } = program;
  const interpreter = sandbox.interpreters[language];
  if (interpreter === undefined) throw new Error(`this sandbox does not run ${language}`);
  const file = `${name}.${suffixes[language]}`;
  await sandbox.write(file, source, { signal: never });
  const up = options.folder === undefined ? '' : '../'.repeat(options.folder.split('/').length);
  const command: CommandLine = [...interpreter, `${up}${file}`, ...words];
  return sandbox.exec(command, { signal: never, ...options });
}

/** The file as text; undefined when there is none. */
export async function readText(sandbox: Sandbox, path: string): Promise<string | undefined> {
  const content = await sandbox.read(path, { signal: never, maxBytes: mebi });
  return content === undefined ? undefined : new TextDecoder().decode(content);
}
