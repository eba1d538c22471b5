import type { TaskRef } from '../../core/task.ts';
import type { UserSimulator } from '../../engines/tools/user.ts';
import { transferred } from '../criteria.ts';
import type { Tau2Task } from '../task-file.ts';

export const stopToken = '###STOP###';
export const transferToken = '###TRANSFER###';
export const outOfScopeToken = '###OUT-OF-SCOPE###';

/** What the user wants and knows, as the task describes it. */
export function requestOf({ user_scenario: { instructions } }: Tau2Task): string {
  if (typeof instructions === 'string') return `My case, as it was described to me: ${instructions}`;
  const { reason_for_call, known_info } = instructions;
  return ['My case, as it was described to me:', reason_for_call, ...(known_info ? [known_info] : [])].join(
    ' ',
  );
}

/**
 * A user without a model, which always answers alike. It says at once all that it wants and knows, and agrees to everything.
 * It uses a tool that the agent names, and ends the conversation where the criteria of the task are met. This is not the
 * protocol of published results: there a model plays the user.
 */
export function scriptedTau2User(taskOf: (ref: TaskRef) => Tau2Task): UserSimulator {
  return {
    open: ({ request }) => ({ says: request.says, state: null }),
    hear: async ({ ref, text, marks, toolNames, useTool, isReached }) => {
      const task = taskOf(ref);
      const words = new Set(text.match(/\w+/g)); // names of tools contain those of others
      const asked = toolNames.filter((name) => words.has(name));
      const done: string[] = [];
      for (const name of asked) {
        const gold = task.evaluation_criteria?.actions ?? [];
        const calls = gold.filter((action) => action.requestor === 'user' && action.name === name);
        for (const given of calls.length === 0 ? [{}] : calls.map((call) => call.arguments))
          done.push(`I did ${name}: ${await useTool(name, given)}`);
      }
      if (done.length > 0) return { says: done.join('\n'), state: null };
      if (await isReached()) return { says: stopToken, state: null, ends: true };
      if (marks.has(transferred)) return { says: transferToken, state: null, ends: true };
      return { says: `Yes, please go ahead. ${requestOf(task)}`, state: null };
    },
  };
}
