import { createContext } from '../../envs/core/context.ts';
import { householdEnv } from '../../envs/household/definition.ts';
import type { DialectName } from '../../envs/household/dialect.ts';
import { openEnv } from '../../envs/open.ts';
import type { StubRequest } from './stub-chat-server.ts';

/** Commands that solve tasks, by what is seen first. */
export type RecordedPlans = ReadonlyMap<string, readonly string[]>;

/** The planner's commands for the first tasks of a panel of `household-v1`, in one of its dialects. */
export async function recordPlans(
  panel: string,
  tasks: number,
  dialect: DialectName = 'current',
): Promise<RecordedPlans> {
  const context = createContext({ seed: 0, now: () => 0 });
  const host = await openEnv(householdEnv, { dialect }, context);
  const env = await host.create();
  const plans = new Map<string, readonly string[]>();
  for (let index = 0; index < tasks; index += 1) {
    const { observation } = await env.reset({ panel, index }, context);
    plans.set(observation, host.experts?.planner?.({ panel, index }) ?? []);
  }
  await env.close();
  await host.close();
  return plans;
}

/** The next command of the plan for the conversation, which must hold all of its history; undefined where no plan fits. */
export function nextCommand(plans: RecordedPlans, { body: { messages } }: StubRequest): string | undefined {
  const opening = messages.findLastIndex(
    ({ role, content }) => role === 'user' && content.startsWith('Task: '),
  );
  const seen = messages[opening]?.content ?? '';
  const plan = [...plans].find(([observation]) => seen.includes(observation))?.[1];
  return plan?.[messages.slice(opening).filter(({ role }) => role === 'assistant').length];
}
