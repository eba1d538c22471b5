import type { z } from 'zod';
import { UsageError } from '../envs/core/errors.ts';
import { describeIssue } from '../envs/core/issues.ts';
import { didYouMean, nearest } from '../envs/core/near-miss.ts';
import type { Command, CommandDefinition, GivenOptions } from './command.ts';

/** Ties a definition's options to its `run`, so that commands of different options fit in one list. */
export function defineCommand<Options extends z.ZodObject>(definition: CommandDefinition<Options>): Command {
  const { run, options, ...rest } = definition;
  const optionNames = Object.keys(options.shape);
  return {
    ...rest,
    optionNames,
    start: async (given, session) => {
      refuseUnknown(definition.name, optionNames, given);
      const parsed = options.safeParse(given.values);
      if (!parsed.success) throw wrongOptions(definition.name, given, parsed.error);
      return run(parsed.data, session);
    },
  };
}

function refuseUnknown(command: string, known: readonly string[], given: GivenOptions): void {
  const unknown = Object.keys(given.values).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new UsageError({
    where: `cairn ${command}, ${given.wordFor(unknown)}`,
    what: 'there is no such option.',
    mend: `${didYouMean(nearest(unknown, known))}\`cairn ${command} --help\` lists the options.`,
  });
}

function wrongOptions(command: string, given: GivenOptions, error: z.ZodError): UsageError {
  const faults = error.issues.map((issue) => {
    const option = String(issue.path[0] ?? '');
    const missing = issue.code === 'invalid_type' && !(option in given.values);
    return `${given.wordFor(option)}${missing ? ' is missing' : `: ${describeIssue(issue, { value: given.values, keys: [] })}`}`;
  });
  return new UsageError({
    where: `cairn ${command}`,
    what: `${faults.join('; ')}.`,
    mend: `\`cairn ${command} --help\` shows what it takes.`,
  });
}
