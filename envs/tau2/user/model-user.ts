import type { Json } from '../../core/json.ts';
import { FaultError } from '../../core/errors.ts';
import type { TaskRef } from '../../core/task.ts';
import type { ToolDescription } from '../../core/textual.ts';
import {
  messagesJson,
  type ChatCall,
  type ChatMessage,
  type ChatModel,
} from '../../engines/chat/chat-model.ts';
import { describeForModel } from '../../engines/tools/tool.ts';
import type { UserAnswer, UserSimulator, UserTurn } from '../../engines/tools/user.ts';
import type { ToolCall } from '../../engines/tools/action.ts';
import type { Tau2Task } from '../task-file.ts';
import { scenarioOf } from '../transcript.ts';
import { outOfScopeToken, stopToken, transferToken } from './scripted-user.ts';

/** Calls of tools in one turn of the user. */
const mostRounds = 10;
/** Answers after all criteria are met, without an end. */
const mostAfterGoal = 10;

/** What the user remembers: its conversation, and how often it went on though all criteria were met. */
interface Memory {
  readonly messages: readonly ChatMessage[];
  readonly afterGoal: number;
}

/** How the user behaves. The tokens and what they mean are those of τ²-bench. */
const guidelines = `You play a customer who contacts a service agent. Your messages go to the agent as you write them.

- Follow the scenario. Do not make up facts that it does not give. Treat them as unknown.
- Write one short message at a time, in your own words. Do not quote the scenario.
- Give a piece of information when the agent asks for it or needs it, and not all at once.
- Agreeing to an action does not finish it. Wait until the agent says that it is done.
- When every part of your scenario is done, write ${stopToken} to end the conversation.
- When the agent transfers you to another agent, write ${transferToken}.
- When the scenario does not say enough to go on, write ${outOfScopeToken}.`;

/**
 * A user that a model plays, as in τ²-bench. Its faults are faults of the world: a server that fails, a model that calls
 * tools without end, or one that goes on though the task is done.
 */
export function modelUser(model: ChatModel, taskOf: (ref: TaskRef) => Tau2Task): UserSimulator {
  const speak = async (
    turn: UserTurn,
    { messages, afterGoal }: Memory,
  ): Promise<{ readonly says: string; readonly memory: Memory }> => {
    const said = await answer(model, turn, { task: taskOf(turn.ref), messages });
    return { says: said.says, memory: { messages: [...messages, ...said.added], afterGoal } };
  };
  return {
    open: async (turn) => {
      const messages = earlierMessages(taskOf(turn.ref));
      const { says, memory } = await speak(turn, { messages, afterGoal: 0 });
      return answerOf(says, memory);
    },
    hear: async (heard) => {
      const { messages, afterGoal } = heard.state as unknown as Memory; // what `open` returned
      const isReached = await heard.isReached();
      if (isReached && afterGoal >= mostAfterGoal)
        throw fault(
          `the user did not end the conversation in ${mostAfterGoal} messages after the task was done`,
        );
      const { says, memory } = await speak(heard, {
        messages: [...messages, { role: 'user', content: heard.text }],
        afterGoal: isReached ? afterGoal + 1 : afterGoal,
      });
      return answerOf(says, memory);
    },
  };
}

function answerOf(says: string, { messages, afterGoal }: Memory): UserAnswer {
  const state = { messages: messagesJson(messages), afterGoal };
  const isOutOfScope = says.includes(outOfScopeToken);
  const ends = isOutOfScope || says.includes(stopToken) || says.includes(transferToken);
  return { says, state, ends, isMistake: isOutOfScope };
}

const fault = (message: string): FaultError =>
  new FaultError({ kind: 'env-crashed', where: 'user simulator', message });

/** What was said before, as the user's model sees it: the agent is its `user`, and it is the `assistant`. */
function earlierMessages({ initial_state: state }: Tau2Task): readonly ChatMessage[] {
  const said = (state?.message_history ?? []).flatMap((message): readonly ChatMessage[] => {
    const content = message.content ?? '';
    if (message.role === 'tool' || content === '') return [];
    return [message.role === 'user' ? { role: 'assistant', content } : { role: 'user', content }];
  });
  return said.length > 0 ? said : [{ role: 'user', content: 'Hi! How can I help you today?' }];
}

/** The next words of the user, after the tools that it calls. */
async function answer(
  model: ChatModel,
  { tools, useTool, signal }: UserTurn,
  { task, messages }: { readonly task: Tau2Task; readonly messages: readonly ChatMessage[] },
): Promise<{ readonly says: string; readonly added: readonly ChatMessage[] }> {
  const system = `${guidelines}\n\n<scenario>\n${scenarioOf(task)}\n</scenario>`;
  const offered: readonly ToolDescription[] = tools.map(describeForModel);
  const added: ChatMessage[] = [];
  for (let round = 0; round < mostRounds; round += 1) {
    const { content, calls } = await model.ask(
      [{ role: 'system', content: system }, ...messages, ...added],
      offered,
      signal,
    );
    if (calls.length === 0) {
      if (content.trim() === '') throw fault('the user answered with nothing');
      return { says: content, added: [...added, { role: 'assistant', content }] };
    }
    added.push({ role: 'assistant', content: content === '' ? null : content, tool_calls: calls });
    for (const call of calls) {
      const result = await useCall(call, useTool);
      added.push({ role: 'tool', tool_call_id: call.id, content: result });
    }
  }
  throw fault(`the user called tools ${mostRounds} times without a message`);
}

async function useCall(
  { function: { name, arguments: text } }: ChatCall,
  useTool: UserTurn['useTool'],
): Promise<string> {
  let given: unknown;
  try {
    given = JSON.parse(text === '' ? '{}' : text);
  } catch {
    return 'Error: the arguments are not JSON';
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return 'Error: the arguments are no object';
  return useTool(name, given as ToolCall['arguments'] satisfies Readonly<Record<string, Json>>);
}
