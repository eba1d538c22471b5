import { z } from 'zod';
import { strictTextual } from '../../envs/core/textual.ts';
import type { Json } from '../../envs/core/json.ts';
import type { Outcome, CommandContext } from '../command.ts';
import { defineCommand } from '../program/define-command.ts';
import { createLineReader } from '../terminal/line-reader.ts';
import { defaultPanel } from '../../lab/evaluate/default-panel.ts';
import { envArgument, envFlags, envOptions, findEnv, withEnvHost } from '../options/named-env.ts';
import { createOpeningLog } from '../watch/opening-log.ts';
import { wholeNumber } from '../options/option-values.ts';
import { playEpisode, type PlayedEpisode } from '../play/episode.ts';
import { contextOf } from '../program/session-context.ts';

const options = z.strictObject({
  ...envOptions,
  env: z.string(),
  panel: z.string().optional(),
  task: wholeNumber(0).default(0),
  seed: wholeNumber(0).default(0),
});

export const playCommand = defineCommand({
  arguments: [envArgument],
  flags: [
    ...envFlags,
    { flags: '--panel <name>', says: 'the panel of the task (default: dev)' },
    { flags: '--task <index>', says: 'the task of the panel (default: 0)' },
    {
      flags: '--seed <number>',
      says: 'a number from which the luck of the steps follows: the same seed gives the same luck (default: 0)',
    },
    { flags: '--config <file>', says: 'a JSON file of options; flags override it' },
  ],
  examples: [
    { line: 'npx cairn-gym play household', says: 'the first task of the dev panel; type ? for the actions' },
    { line: 'npx cairn-gym play household --panel dev --task 3', says: 'the fourth' },
    {
      line: "printf '1\\nundo\\nquit\\n' | npx cairn-gym play household --json",
      says: 'a scripted game with its result as JSON',
    },
  ],
  options,
  run: play,
});

async function play(chosen: z.output<typeof options>, session: CommandContext): Promise<Outcome> {
  const found = await findEnv(chosen, session.signal);
  const root = contextOf(session, {
    seed: chosen.seed,
    log: createOpeningLog(session.progress, session.now),
  });
  const talk = session.json ? session.terminal.err : session.terminal.out;
  return withEnvHost(found, root, async (host) => {
    const say = (line: string): void => session.progress.say(line);
    const task = {
      panel:
        chosen.panel ??
        defaultPanel(host.panels, { usual: 'dev', names: [], purposes: ['dev', 'held-out'], say }),
      index: chosen.task,
    };
    const { family } = host.describeTask(task);
    using lines = createLineReader(session.stdin, {
      echo: (text) => talk.write(text),
      output: talk.stream,
      interrupt: session.interrupt,
      signal: session.signal,
    });
    const played = await playEpisode({
      host,
      env: { id: found.definition.id, config: found.config as Json }, // JSON by contract
      task,
      text: strictTextual(found.definition),
      talk: { ask: (prompt) => lines.next(prompt), say: (text) => talk.write(`${text}\n`) },
      context: root,
    });
    return {
      document: { env: found.definition.id, config: found.config, task, family, ...played },
      lines: [summaryOf(played)],
    };
  });
}

function summaryOf(played: PlayedEpisode): string {
  const steps = `${played.steps.length} step${played.steps.length === 1 ? '' : 's'}`;
  const outcome = { solved: 'Solved', failed: 'Failed', truncated: 'Cut off', left: 'Left' }[played.outcome];
  const why = played.limit === undefined ? '' : ` by the ${played.limit}`;
  return `${outcome}${why} after ${steps}, score ${played.score}.`;
}
