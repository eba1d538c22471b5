import { terminalText } from '../../envs/core/terminal-text.ts';
import { unfinished } from '../../envs/own-module.ts';
import { agentPlugin, loadAgent } from '../../lab/players/load-agent.ts';
import { pluginIdle, pluginWhere, type LoadPluginOptions } from '../../trainers/plugins/load-plugin.ts';
import { callWatch } from './call-watch.ts';

/** An import that waits forever ends with its own error before this. */
const killMs = 35_000;

/** Time that one call into an agent may block the process; then the process ends. */
const computingMs = 60_000;

const letItEnd = 'Make it end, or make it await and respect call.signal.';

/** Imports an agent under a watch, before an env is opened; the later import is immediate. */
export async function importAgent(file: string, options: LoadPluginOptions): Promise<void> {
  const watch = callWatch();
  watch.hear();
  const where = pluginWhere(agentPlugin, file);
  using _import = watch.begin(
    watch.say(
      `error: ${terminalText(unfinished(where, killMs, pluginIdle(agentPlugin)).message)}`,
      killMs,
      terminalText(where),
      letItEnd,
    ),
  );
  await loadAgent(file, options);
}

/** Wraps calls into the agent of that name: one that computes without end blocks all signals. */
export function watchAgent(name: string): <T>(call: () => T) => T {
  const watch = callWatch();
  watch.hear();
  const place = `agent "${terminalText(name)}"`;
  const what = `it has computed for ${computingMs / 1000} s without letting anything else run.`;
  const said = watch.say(`error: ${place}: ${what} ${letItEnd}`, computingMs, place, letItEnd);
  return (call) => watch.during(said, { panel: -1, index: -1, step: 0 }, call);
}
