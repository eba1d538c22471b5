import type { TaskRef } from '../../core/task.ts';
import type { ChatMessage, ChatModel } from '../../engines/chat/chat-model.ts';
import { modelUser } from '../../engines/chat/model-user.ts';
import type { UserSimulator } from '../../engines/tools/user.ts';
import type { Tau2Task } from '../task-file.ts';
import { scenarioOf } from '../transcript.ts';
import { outOfScopeToken, stopToken, transferToken } from './scripted-user.ts';

/** How the user behaves. The tokens and what they mean are those of τ²-bench. */
const guidelines = `You play a customer who contacts a service agent. Your messages go to the agent as you write them.

- Follow the scenario. Do not make up facts that it does not give. Treat them as unknown.
- Write one short message at a time, in your own words. Do not quote the scenario.
- Give a piece of information when the agent asks for it or needs it, and not all at once.
- Agreeing to an action does not finish it. Wait until the agent says that it is done.
- When every part of your scenario is done, write ${stopToken} to end the conversation.
- When the agent transfers you to another agent, write ${transferToken}.
- When the scenario does not say enough to go on, write ${outOfScopeToken}.`;

/** A user that a model plays, as in τ²-bench. See {@link modelUser}. */
export const tau2ModelUser = (model: ChatModel, taskOf: (ref: TaskRef) => Tau2Task): UserSimulator =>
  modelUser(model, {
    opens: true,
    system: ({ ref }) => `${guidelines}\n\n<scenario>\n${scenarioOf(taskOf(ref))}\n</scenario>`,
    earlier: ({ ref }) => earlierMessages(taskOf(ref)),
    judge: (says) => {
      const isOutOfScope = says.includes(outOfScopeToken);
      const ends = isOutOfScope || says.includes(stopToken) || says.includes(transferToken);
      return { ends, isMistake: isOutOfScope };
    },
  });

/** What was said before, as the user's model sees it: the agent is its `user`, and it is the `assistant`. */
function earlierMessages({ initial_state: state }: Tau2Task): readonly ChatMessage[] {
  const said = (state?.message_history ?? []).flatMap((message): readonly ChatMessage[] => {
    const content = message.content ?? '';
    if (message.role === 'tool' || content === '') return [];
    return [message.role === 'user' ? { role: 'assistant', content } : { role: 'user', content }];
  });
  return said.length > 0 ? said : [{ role: 'user', content: 'Hi! How can I help you today?' }];
}
