import type { EnvHost } from '../../envs/core/env.ts';
import { householdEnv, householdHardEnv } from '../../envs/household/definition.ts';
import { openEnv } from '../../envs/open.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { canCollect, measureMemory } from '../stepping/live-memory.ts';
import { benchContext, measureSpeed, type Play } from '../stepping/step-speed.ts';

// Steps a second on one core through `openEnv`, its guards and turn limit included; what starting an episode costs; and what 1,000
// live episodes weigh.

const play: Play = { rounds: 25, episodesARound: 600, tasks: 100, longest: 50 };

async function measure(open: () => Promise<EnvHost<string, string>>): Promise<Record<string, unknown>> {
  const heavy = await open();
  const liveEpisodes = await measureMemory(heavy, { tasks: 1_000, steps: 25 });
  await heavy.close();
  const host = await open();
  const speed = await measureSpeed(host, play);
  await host.close();
  return { ...speed, liveEpisodes };
}

printReport({
  what: 'steps of household episodes on one core, and the memory of live ones',
  ...describeMachine(),
  collectedBeforeWeighing: canCollect(),
  rounds: play.rounds,
  'household-v1': await measure(() => openEnv(householdEnv, {}, benchContext)),
  'household-hard-v1': await measure(() => openEnv(householdHardEnv, {}, benchContext)),
});
