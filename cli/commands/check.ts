import { z } from 'zod';
import { checkEnv } from '../../envs/check/check-env.ts';
import { readLaws } from '../../envs/check/law-selection.ts';
import { planOf } from '../../envs/check/options.ts';
import { formatReport, type CheckReport } from '../../envs/check/report.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { openUnguarded } from '../../envs/open.ts';
import type { Rng } from '../../envs/core/rng.ts';
import type { CommandContext } from '../command.ts';
import { defineCommand } from '../program/define-command.ts';
import { envArgument, envFlags, envOptions, findEnv, withEnvHost } from '../options/named-env.ts';
import { wholeNumber } from '../options/option-values.ts';
import { readActions } from '../options/read-actions.ts';
import { contextOf, systemOf } from '../program/session-context.ts';
import type { ComputingLimit } from '../watch/watched-env.ts';

export const checkCommand = defineCommand({
  arguments: [envArgument],
  flags: [
    ...envFlags,
    { flags: '--panel <name>', says: 'check only this panel (repeatable; default: all)', repeatable: true },
    {
      flags: '--law <name>',
      says: 'check only this law and those that it depends on (repeatable; default: all)',
      repeatable: true,
    },
    { flags: '--tasks <number>', says: 'maximum number of tasks of each panel (default: 3)' },
    { flags: '--episodes <number>', says: 'episodes a task (default: 4)' },
    {
      flags: '--audit-tasks <number>',
      says: "questions of each level that a puzzle's audit tries (default: 100, for at most 5 s)",
    },
    { flags: '--max-steps <number>', says: 'cut longer episodes off (default: 60)' },
    {
      flags: '--actions <file>',
      says: 'actions to try where turns list none: one a line in words, or a JSON array',
    },
    {
      flags: '--deadline <ms>',
      says: 'timeout of one call in milliseconds (default: 10000); a call that never yields ends the process',
    },
    {
      flags: '--seed <number>',
      says: 'a number from which every random choice of the check follows (default: 0)',
    },
    { flags: '--config <file>', says: 'a JSON file of options; flags override it' },
  ],
  examples: [
    {
      line: 'npx cairn-gym check household',
      says: 'plays, replays and swaps hidden facts; exit code 1 if a law is broken',
    },
    {
      line: 'npx cairn-gym check household --law hidden --law anchor-key',
      says: 'checks only two laws, which is faster',
    },
    {
      line: 'npx cairn-gym check my-lab/maze --env-module ./maze.ts --tasks 20',
      says: 'your own environment, more thoroughly',
    },
    {
      line: 'npx cairn-gym check my-lab/shell --env-module ./shell.ts --actions calls.txt',
      says: 'one with free-form actions: tries those of the file',
    },
  ],
  options: z.strictObject({
    ...envOptions,
    env: z.string(),
    panel: z.array(z.string()).optional(),
    law: z.array(z.string()).optional(),
    tasks: wholeNumber(1).optional(),
    episodes: wholeNumber(1).optional(),
    auditTasks: wholeNumber(1).optional(),
    maxSteps: wholeNumber(1).optional(),
    actions: z.string().optional(),
    deadline: wholeNumber(1).optional(),
    seed: wholeNumber(0).optional(),
  }),
  run: async (options, session) => {
    const { panel, law, tasks, episodes, auditTasks, maxSteps, actions: file, deadline, seed } = options;
    const { definition, config } = await findEnv(options, session.signal, computingLimit(deadline));
    const laws = law === undefined ? undefined : readLaws(law, '--law');
    const actions = file === undefined ? undefined : await readActions(file, definition);
    session.progress.say(`checking ${definition.id}`);
    const report = await checkEnv(definition, {
      config,
      signal: session.signal,
      open: (of, given, context) =>
        openUnguarded(of, given, { ...context, system: systemOf(session.environment) }),
      ...(panel === undefined ? {} : { panels: panel }),
      ...(laws === undefined ? {} : { laws }),
      ...(tasks === undefined ? {} : { tasksPerPanel: tasks }),
      ...(episodes === undefined ? {} : { episodes }),
      ...(auditTasks === undefined ? {} : { auditTasks }),
      ...(maxSteps === undefined ? {} : { maxSteps }),
      ...(actions === undefined ? {} : { actions: (_turn: unknown, rng: Rng) => rng.pick(actions) }),
      ...(deadline === undefined ? {} : { deadlineMs: deadline }),
      ...(seed === undefined ? {} : { seed }),
    });
    await refuseUnopened({ definition, config }, report, session);
    const failed = report.findings.some(({ severity }) => severity === 'error');
    return { document: report, lines: formatReport(report).split('\n'), failed };
  },
});

/**
 * A call that waits is reported at its deadline. A call that computes blocks the process, so it is ended soon
 * after.
 */
const computingLimit = (deadline: number | undefined): ComputingLimit => ({
  ms: planOf(deadline === undefined ? {} : { deadlineMs: deadline }).deadlineMs + 2_000,
  fix: 'if it only needs more time, raise --deadline',
});

/**
 * An env that reports what its config lacks, such as files, has broken no law: only its own error is
 * reported.
 */
async function refuseUnopened(
  env: Parameters<typeof withEnvHost>[0],
  report: CheckReport,
  session: CommandContext,
): Promise<void> {
  if (!report.findings.some(({ law, where }) => law === 'crash' && where.call === 'open')) return;
  const context = contextOf(session, { path: 'check' });
  try {
    await withEnvHost(env, context, () => Promise.resolve());
  } catch (thrown) {
    if (UsageError.is(thrown)) throw thrown;
  }
}
