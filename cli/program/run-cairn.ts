import type { Readable } from 'node:stream';
import { z } from 'zod';
import { terminalText } from '../../envs/core/terminal-text.ts';
import { nameWriteError } from '../../files/free-space.ts';
import { leaveCallWatch } from '../watch/call-watch.ts';
import type { Command, CommandContext, GivenOptions, ListedCommand, Outcome } from '../command.ts';
import { readConfigFile } from '../options/config-file.ts';
import { listenForEarlyExit } from './early-exit.ts';
import { Interruption, listenForInterruptions, type Interruptions } from './interruption.ts';
import { flagOf } from '../options/option-values.ts';
import { plainJson } from '../terminal/terminal.ts';
import { commandName } from './command-name.ts';
import { readRequest, type Request } from './program.ts';
import { createProgress, silentProgress } from '../terminal/progress.ts';
import { reportError, type ErrorReport } from './report-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { listenForUncaught } from './uncaught.ts';

/** The process as the command line sees it. */
export interface Host {
  readonly terminal: Terminal;
  readonly stdin: Readable;
  readonly environment: NodeJS.ProcessEnv;
  readonly now: () => number;
  readonly wallClock: () => number;
  /** Emits stop signals, uncaught errors, and the end of the process. */
  readonly signals: NodeJS.EventEmitter;
  /** Ends the process at once. */
  readonly kill: (exitCode: number) => void;
  readonly version: string;
}

/** Runs one command line and returns the exit code. It never throws. */
export async function runCairn(
  words: readonly string[],
  commands: readonly ListedCommand[],
  host: Host,
): Promise<number> {
  const { out, err } = host.terminal;
  const exitCode = await runWords(words, commands, host);
  await out.flush();
  const unheard =
    out.failure === undefined ? 0 : sayError(nameWriteError(out.failure, 'standard output'), host).exitCode;
  await err.flush();
  return exitCode === 0 ? unheard : exitCode;
}

async function runWords(
  words: readonly string[],
  commands: readonly ListedCommand[],
  host: Host,
): Promise<number> {
  const { out } = host.terminal;
  const wantsJson = words.includes('--json'); // also if the words cannot be parsed
  try {
    const request = await readRequest(words, commands, host.version);
    if (request.kind === 'run') return await runCommand(request, host);
    out.write(wantsJson ? `${plainJson(request.document)}\n` : request.text);
    return 0;
  } catch (thrown) {
    return tellError(thrown, host, wantsJson);
  }
}

const mark = (word: string, decorated: boolean): string => (decorated ? `\u001b[31m${word}\u001b[0m` : word);

async function runCommand(request: Extract<Request, { readonly kind: 'run' }>, host: Host): Promise<number> {
  const { json, quiet } = request.globals;
  const progress = quiet ? silentProgress : createProgress(host.terminal.err, host.now);
  using earlyExit = listenForEarlyExit({
    source: host.signals,
    where: `${commandName} ${request.command.name}`,
    onExit: (error) => {
      progress.clear();
      host.kill(tellError(error, host, json));
    },
  });
  using interruptions = listenForInterruptions({
    source: host.signals,
    now: host.now,
    onFirst: (interruption) =>
      progress.say(
        `${interruption.message}: the command saves what it can, then ends; a second signal ends it at once, and what is not saved is lost`,
      ),
    kill: (exitCode) => {
      earlyExit[Symbol.dispose](); // this end is intended
      progress.say('stopped at once: saved work is kept, and unsaved work is lost');
      host.kill(exitCode);
    },
  });
  using uncaught = listenForUncaught(host.signals);
  const interrupt = (): void => void host.signals.emit('SIGINT', 'SIGINT');
  const session: CommandContext = { ...host, signal: interruptions.signal, interrupt, progress, json };
  let outcome: Outcome;
  try {
    const run = async (): Promise<Outcome> =>
      request.command.start(await mergeConfigFile(request.command, request.options), session);
    outcome = await Promise.race([run(), uncaught.first]);
  } catch (thrown) {
    if (uncaught.has(thrown)) throw thrown;
    throw interruptions.received ?? thrown; // an error after a stop signal is that interruption
  } finally {
    leaveCallWatch();
    progress.clear();
  }
  return printOutcome(outcome, { json, host, interruptions });
}

function printOutcome(
  outcome: Outcome,
  to: { readonly json: boolean; readonly host: Host; readonly interruptions: Interruptions },
): number {
  const mishap = 'mishap' in outcome ? reportOf(outcome.mishap, to.host) : undefined;
  const text = to.json
    ? plainJson(withError(outcome.document, mishap))
    : terminalText(outcome.lines.join('\n'));
  if (text !== '' && outcome.isTold !== true) to.host.terminal.out.write(`${text}\n`);
  if ('mishap' in outcome) sayError(outcome.mishap, to.host);
  return to.interruptions.received?.exitCode ?? mishap?.exitCode ?? (outcome.failed === true ? 1 : 0);
}

/** The document with the error of a failed command, in the form of refused commands. */
function withError(document: unknown, report: ErrorReport | undefined): unknown {
  return report === undefined || typeof document !== 'object' || document === null || Array.isArray(document)
    ? document
    : { ...document, ...report.document };
}

const reportOf = (thrown: unknown, { environment }: Host): ErrorReport =>
  reportError(thrown, { stack: (environment['CAIRN_DEBUG'] ?? '') !== '' });

/** Prints an error, under `--json` as a document too, and returns the exit code. */
function tellError(thrown: unknown, host: Host, json: boolean): number {
  const report = sayError(thrown, host);
  if (json) host.terminal.out.write(`${plainJson(report.document)}\n`);
  return report.exitCode;
}

/** Prints an error on stderr; an interruption was printed when it arrived. */
function sayError(thrown: unknown, host: Host): ErrorReport {
  const { terminal } = host;
  const report = reportOf(thrown, host);
  if (!(thrown instanceof Interruption))
    terminal.err.write(`${mark('error:', terminal.err.decorated)} ${terminalText(report.paragraph)}\n`);
  return report;
}

/** Flags override the file. Defaults are applied later, by the command's schema. */
async function mergeConfigFile(
  command: Command,
  options: Readonly<Record<string, unknown>>,
): Promise<GivenOptions> {
  const { config, ...flags } = options;
  if (command.configFile === 'own' || config === undefined) {
    return { command: command.name, values: options, wordFor: (option) => wordFor(command, option) };
  }
  const file = z.string().parse(config);
  const values = await readConfigFile(file);
  return {
    command: command.name,
    values: { ...values, ...flags },
    wordFor: (option) =>
      option in flags || !(option in values) ? wordFor(command, option) : `"${option}" in ${file}`,
  };
}

function wordFor(command: Command, option: string): string {
  const isArgument = (command.arguments ?? []).some(({ name }) => name === option);
  return isArgument ? `<${option}>` : flagOf(option);
}
