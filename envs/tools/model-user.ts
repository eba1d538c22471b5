import type { ChatModel } from '../engines/chat/chat-model.ts';
import { modelUser } from '../engines/chat/model-user.ts';
import type { UserSimulator, UserTurn } from '../engines/tools/user.ts';

/** A user that a model plays. It knows its request and the facts that its first message leaves out. */
export const toolsModelUser = (model: ChatModel): UserSimulator =>
  modelUser(model, {
    opens: false,
    system: ({ request: { says, slots = {} } }) =>
      [
        'You play a user who has asked a service agent for something. Your messages go to the agent as you write them.',
        '- Answer the last message of the agent in one short sentence.',
        '- Give only facts that stand below. Copy numbers, ids and names exactly. Say that you do not know anything else.',
        '- Where the agent asks you to use one of your tools, call it and say what it returned.',
        `What you asked for: ${says}`,
        ...Object.entries(slots).map(([name, slot]) => `When asked for the ${name}: ${slot.says}`),
      ].join('\n'),
    earlier: ({ request }) => [{ role: 'assistant', content: request.says }],
    judge: (says, asked, turn) => ({ isMistake: leavesOut(says, asked ?? '', turn) }),
  });

/** Whether the agent asked for a fact by its name, and the answer does not have its value. */
function leavesOut(says: string, asked: string, { request: { slots = {} } }: UserTurn): boolean {
  const question = asked.toLowerCase();
  return Object.entries(slots).some(([name, slot]) => {
    if (!question.includes(name.toLowerCase())) return false;
    const values = [...slot.says.matchAll(/"([^"]+)"/g)].map(([, value = '']) => value);
    return values.some((value) => !says.includes(value));
  });
}
