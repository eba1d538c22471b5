import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssue } from '../../envs/core/issues.ts';
import { didYouMean, nearest } from '../../envs/core/near-miss.ts';
import type { CommandBody, CommandDefinition, GivenOptions } from '../command.ts';
import { commandName } from './command-name.ts';
import { sayConfigKey } from '../options/config-flag.ts';

/** Binds a definition's options to its `run`, so that commands with different options fit into one list. */
export function defineCommand<Options extends z.ZodObject>(
  definition: CommandDefinition<Options>,
): CommandBody {
  const { run, options, ...rest } = definition;
  const optionNames = Object.keys(options.shape);
  return {
    ...rest,
    optionNames,
    start: async (given, session) => {
      refuseUnknown(optionNames, given);
      const parsed = options.safeParse(given.values);
      if (!parsed.success) throw await wrongOptions(given, parsed.error);
      return run(parsed.data, session);
    },
  };
}

function refuseUnknown(known: readonly string[], given: GivenOptions): void {
  const { command } = given;
  const unknown = Object.keys(given.values).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new UsageError({
    where: `${commandName} ${command}, ${given.wordFor(unknown)}`,
    what: 'the option does not exist.',
    fix: `${didYouMean(nearest(unknown, known))}\`npx ${commandName} ${command} --help\` lists the options.`,
  });
}

async function wrongOptions(given: GivenOptions, error: z.ZodError): Promise<UsageError> {
  const { command } = given;
  const faults = error.issues.map((issue) => {
    const option = String(issue.path[0] ?? '');
    const missing = issue.code === 'invalid_type' && !(option in given.values);
    return `${given.wordFor(option)}${missing ? ' is missing' : `: ${describeIssue(issue, { value: given.values, keys: [] })}`}`;
  });
  const options = new Set(error.issues.map(({ path }) => String(path[0] ?? '')));
  const keys = await Promise.all([...options].map(async (option) => sayKey(option, given.values)));
  return new UsageError({
    where: `${commandName} ${command}`,
    what: `${faults.join('; ')}.`,
    fix: `${keys.join('')}\`npx ${commandName} ${command} --help\` shows what it takes.`,
  });
}

const envSchema = z.object({ env: z.string(), envModule: z.array(z.string()).default([]) });

/**
 * A value that is wrong for an option may be right for a config key of the same name, such as `tasks` of web
 * pages.
 */
async function sayKey(option: string, values: GivenOptions['values']): Promise<string> {
  const { data } = envSchema.safeParse(values);
  return data === undefined || !Object.hasOwn(values, option)
    ? ''
    : sayConfigKey(option, { ...data, value: values[option] });
}
