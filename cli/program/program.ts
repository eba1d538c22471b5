import { Command as Commander, CommanderError, Option } from 'commander';
import { UsageError } from '../../envs/core/errors.ts';
import { didYouMean, nearest } from '../../envs/core/near-miss.ts';
import { loadCommand, type Argument, type Command, type Flag, type ListedCommand } from '../command.ts';
import { commandName } from './command-name.ts';
import { readConfigFlag, type ConfigFlag } from '../options/config-flag.ts';

/** The parsed request of a command line. */
export type Request =
  | { readonly kind: 'text'; readonly text: string; readonly document: unknown }
  | {
      readonly kind: 'run';
      readonly command: Command;
      readonly options: Readonly<Record<string, unknown>>;
      readonly globals: Globals;
    };

/** The flags that every command has. */
export interface Globals {
  readonly json: boolean;
  readonly quiet: boolean;
}

/**
 * Parses a command line. Options are not validated here. An unknown flag that is a config key of the named
 * env sets that key.
 * @throws UsageError for unknown commands and flags, with suggestions
 */
export async function readRequest(
  words: readonly string[],
  commands: readonly ListedCommand[],
  version: string,
): Promise<Request> {
  let request: Request | undefined;
  let text = '';
  const program = new Commander(commandName)
    .description('A gym for agents that act over many turns, and the trainer that makes them better.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .showSuggestionAfterError(false)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({
      writeOut: (part) => void (text += part),
      writeErr: (part) => void (text += part),
      outputError: () => undefined,
    })
    .addOption(new Option('--json', 'print one JSON document on stdout and nothing else'))
    .addOption(new Option('--quiet', 'print only errors on stderr'));
  for (const listed of commands) {
    const sub = program.command(listed.name).description(listed.summary);
    if (!isNamed(listed, words)) continue;
    const command = await loadCommand(listed);
    addDetails(sub, command, (options) => {
      const { json, quiet } = program.opts<Partial<Globals>>();
      request = { kind: 'run', command, options, globals: { json: json === true, quiet: quiet === true } };
    });
  }
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode === 0)
      return {
        kind: 'text',
        text,
        document: thrown.code === 'commander.version' ? { version } : { help: text },
      };
    const flag = await configFlagOf(thrown, words, program);
    if (flag?.kind === 'set') return readRequest(flag.words, commands, version);
    throw explain(thrown, { words, program, help: text, hint: flag?.hint ?? '', flags: flag?.flags ?? [] });
  }
  if (request === undefined) throw new Error('commander ran no command and raised no error');
  return request;
}

/** Whether the words name the command, to run it or to read its help. */
function isNamed({ name }: ListedCommand, words: readonly string[]): boolean {
  const [first, topic] = operandsOf(words);
  return first === name || (first === 'help' && topic === name);
}

/** Adds the arguments, flags and examples of a command that is loaded. */
function addDetails(
  sub: Commander,
  command: Command,
  accept: (options: Readonly<Record<string, unknown>>) => void,
): void {
  for (const argument of command.arguments ?? []) sub.argument(argumentWords(argument), argument.says);
  for (const flag of command.flags) {
    const option = new Option(flag.flags, flag.says);
    if (flag.repeatable === true) option.argParser(gather);
    else option.argParser(refuseSecond(flag));
    sub.addOption(option);
  }
  sub.addHelpText(
    'after',
    `\nExamples:\n${command.examples.map(({ line, says }) => `  $ ${line}\n      ${says}`).join('\n')}`,
  );
  sub.action((...given: readonly unknown[]) => {
    const named = (command.arguments ?? []).map(({ name }, index) => [name, given[index]] as const);
    const positional = Object.fromEntries(
      named.filter(([, value]) => value !== undefined && !isEmptyList(value)),
    );
    accept({ ...sub.opts<Record<string, unknown>>(), ...positional });
  });
}

const gather = (value: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  value,
];

/**
 * Parses a flag that may be given once: of two values one would be ignored, and which one would be unclear.
 */
function refuseSecond({ flags }: Flag): (value: string, before: string | undefined) => string {
  return (value, before) => {
    if (before === undefined) return value;
    throw new UsageError({
      where: flags.replace(/ .*/s, ''),
      what: `it is given twice, as ${before} and as ${value}.`,
      fix: 'Give it once.',
    });
  };
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

// Required ones are validated with the other options, so that a file can give them too.
const argumentWords = ({ name, rest }: Argument): string => (rest === true ? `[${name}...]` : `[${name}]`);

/**
 * The meaning of a flag that commander does not know, for a command that sets config keys; undefined for
 * other errors.
 */
async function configFlagOf(
  error: CommanderError,
  words: readonly string[],
  program: Commander,
): Promise<ConfigFlag | undefined> {
  const sub = commandOf(words, program);
  if (
    error.code !== 'commander.unknownOption' ||
    sub?.options.every(({ long }) => long !== '--set') !== false
  )
    return undefined;
  return readConfigFlag(namedIn(error), words);
}

/** Flags before a command take no value. */
const operandsOf = (words: readonly string[]): readonly string[] =>
  words.filter((word) => !word.startsWith('-'));

const commandOf = (words: readonly string[], program: Commander): Commander | undefined =>
  program.commands.find((command) => command.name() === operandsOf(words)[0]);

/** The unknown flag or command as typed: its value may contain quotes and lines. */
const namedIn = ({ message }: CommanderError): string =>
  /'(.*)'(?:\n\(Did you mean [^\n]*)?$/s.exec(message)?.[1] ?? '';

/** A command line that was refused. */
interface Refused {
  readonly words: readonly string[];
  readonly program: Commander;
  readonly help: string;
  /** How to give an unknown flag, if known. */
  readonly hint: string;
  /** Flags that may be given besides those of the command. */
  readonly flags: readonly string[];
}

/** Commander's error in our three parts. */
function explain(error: CommanderError, { words, program, help, hint, flags }: Refused): UsageError {
  const [operand, topic] = operandsOf(words);
  const names = program.commands.map((command) => command.name());
  const sub = commandOf(words, program);
  const where = sub === undefined ? commandName : `${commandName} ${sub.name()}`;
  const seeHelp = `See \`npx ${where} --help\`.`;
  const named = namedIn(error);
  const noCommand = (name: string): UsageError =>
    new UsageError({
      where,
      what: `there is no command "${name}".`,
      fix: `${didYouMean(nearest(name, names))}${seeHelp}`,
    });
  switch (error.code) {
    case 'commander.unknownOption': {
      const known = [...program.options, ...(sub?.options ?? [])].map(
        (option) => option.long ?? option.flags,
      );
      const near =
        hint === ''
          ? didYouMean(nearest(named.replace(/=.*/s, ''), [...new Set([...known, ...flags, '--help'])]))
          : hint;
      return new UsageError({ where, what: `there is no flag ${named}.`, fix: `${near}${seeHelp}` });
    }
    case 'commander.unknownCommand':
      return noCommand(named);
    case 'commander.help':
      if (operand === 'help' && topic !== undefined) return noCommand(topic);
      return new UsageError({ where, what: 'no command was named.', fix: `Name one:\n\n${help}` });
    default:
      return new UsageError({
        where,
        what: `${error.message.replace(/^error: /, '').replace(/\.$/, '')}.`,
        fix: seeHelp,
      });
  }
}
