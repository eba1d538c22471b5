import { openEnv } from '../../envs/open.ts';
import { shopEnv } from '../../envs/shop/definition.ts';
import { observationModes } from '../../envs/shop/observation.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { canCollect, measureMemory } from '../stepping/live-memory.ts';
import { benchContext, measureSpeed, type Play } from '../stepping/step-speed.ts';

// Steps a second on one core through `openEnv`, its guards and turn limit included, on 1,000 generated products; what starting an
// episode costs; and what 1,000 live sessions weigh.

/** Tasks that training comes back to, and so many that most searches are new. */
const few: Play = { rounds: 15, episodesARound: 600, tasks: 200, longest: 15 };
const many: Play = { ...few, tasks: 4_000 };

async function measure(observationMode: (typeof observationModes)[number]): Promise<Record<string, unknown>> {
  const opened = process.hrtime.bigint();
  const host = await openEnv(shopEnv, { observationMode }, benchContext);
  const openSeconds = Math.round(Number(process.hrtime.bigint() - opened) / 1e7) / 100;
  const liveSessions = await measureMemory(host, {
    tasks: 1_000,
    steps: 10,
    allows: (action) => action !== 'click[buy now]',
  });
  const speed = await measureSpeed(host, few);
  const overManyTasks = observationMode === 'text' ? { overManyTasks: await measureSpeed(host, many) } : {};
  await host.close();
  return { openSeconds, ...speed, ...overManyTasks, liveSessions };
}

const machine = describeMachine();
const modes: Record<string, unknown> = {};
for (const mode of observationModes) modes[mode] = await measure(mode);

printReport({
  what: 'steps of shop-v1 on one core on 1,000 generated products, by observation mode, and the memory of live sessions',
  ...machine,
  collectedBeforeWeighing: canCollect(),
  rounds: few.rounds,
  modes,
});
