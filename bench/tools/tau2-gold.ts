import { readdirSync } from 'node:fs';
import path from 'node:path';
import { createContext } from '../../envs/core/context.ts';
import { describeMachine, machineLoad } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { replayTau2 } from './replay-tau2.ts';

// Replays the gold actions of τ²-bench's tasks from the folder that TAU2_DATA names, and prints what the criteria say.

const data = process.env['TAU2_DATA'] ?? '';
const context = createContext({ seed: 1, now: () => performance.now() });

/** `tasks.json`, or else the only other file of tasks. */
function tasksFileIn(folder: string): string | undefined {
  const files = readdirSync(folder).filter((name) => /^tasks.*\.json$/.test(name));
  return files.includes('tasks.json') ? 'tasks.json' : files.toSorted()[0];
}

if (data === '') {
  console.log(
    'Name the folder with the domains of τ²-bench: TAU2_DATA=FOLDER npm run perf -- tools/tau2-gold',
  );
} else {
  const domains: Record<string, object> = {};
  for (const domain of ['mock', 'retail', 'airline', 'telecom'] as const) {
    if (!readdirSync(data).includes(domain)) continue;
    const tasks = tasksFileIn(path.join(data, domain));
    if (tasks === undefined) continue;
    for (const judged of ['exclude', 'communicate'] as const) {
      const replayed = await replayTau2({ data, domain, tasks, judged }, context);
      const failed = replayed.filter(({ isSolved }) => !isSolved);
      domains[`${domain}, judged=${judged}`] = {
        tasks: replayed.length,
        fullMarks: replayed.length - failed.length,
        calls: replayed.reduce((sum, { calls }) => sum + calls, 0),
        callsThatAreErrors: replayed.reduce((sum, { errors }) => sum + errors.length, 0),
        failed: failed.map(
          ({ index, wrong, calls }) => `task ${index}: ${wrong.join(', ')} (${calls} gold calls)`,
        ),
      };
    }
  }
  printReport({ machine: describeMachine(), load: machineLoad(), domains });
}
