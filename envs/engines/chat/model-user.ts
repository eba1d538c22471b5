import { FaultError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { ToolDescription } from '../../core/textual.ts';
import type { ToolCall } from '../tools/action.ts';
import { describeForModel } from '../tools/tool.ts';
import type { UserAnswer, UserSimulator, UserTurn } from '../tools/user.ts';
import { messagesJson, type ChatCall, type ChatMessage, type ChatModel } from './chat-model.ts';

/** Calls of tools in one turn of the user. */
const mostRounds = 10;
/** Answers after the request is done, without an end. */
const mostAfterGoal = 10;

/** What the user remembers: its conversation, and how often it went on though the request was done. */
interface Memory {
  readonly messages: readonly ChatMessage[];
  readonly afterGoal: number;
}

/** The part that a model plays. */
export interface UserPart {
  /** The system message: who the user is, what it wants, and how it behaves. */
  system(turn: UserTurn): string;
  /** What was said before. The agent is the model's `user`, and the model is the `assistant`. */
  earlier(turn: UserTurn): readonly ChatMessage[];
  /** What the words of the user mean beyond their text. `asked` is the agent's message; undefined at the start. */
  judge(says: string, asked: string | undefined, turn: UserTurn): Pick<UserAnswer, 'ends' | 'isMistake'>;
  /** Whether the user speaks first. Otherwise the instruction has its request. */
  readonly opens: boolean;
}

/**
 * A user that a model plays. Its faults are faults of the world: a server that fails, a model that calls tools without end, or
 * one that goes on though the request is done.
 */
export function modelUser(model: ChatModel, part: UserPart): UserSimulator {
  const speak = async (turn: UserTurn, memory: Memory, asked: string | undefined): Promise<UserAnswer> => {
    const { says, added } = await answer(model, turn, {
      system: part.system(turn),
      messages: memory.messages,
    });
    const messages = messagesJson([...memory.messages, ...added]);
    return {
      says,
      state: { messages, afterGoal: memory.afterGoal },
      ...part.judge(says, asked, turn),
    };
  };
  const start = (turn: UserTurn): Memory => ({ messages: part.earlier(turn), afterGoal: 0 });
  return {
    ...(part.opens ? { open: (turn: UserTurn) => speak(turn, start(turn), undefined) } : {}),
    hear: async (heard) => {
      // the state is what this user returned before
      const { messages, afterGoal } =
        heard.state === undefined || heard.state === null ? start(heard) : (heard.state as unknown as Memory);
      const isReached = await heard.isReached();
      if (isReached && afterGoal >= mostAfterGoal)
        throw fault(
          `the user did not end the conversation in ${mostAfterGoal} messages after the task was done`,
        );
      const heardWords: ChatMessage = { role: 'user', content: heard.text };
      const memory = {
        messages: [...messages, heardWords],
        afterGoal: isReached ? afterGoal + 1 : afterGoal,
      };
      return speak(heard, memory, heard.text);
    },
  };
}

const fault = (message: string): FaultError =>
  new FaultError({ kind: 'env-crashed', where: 'user simulator', message });

/** The next words of the user, after the tools that it calls. */
async function answer(
  model: ChatModel,
  { tools, useTool, signal }: UserTurn,
  { system, messages }: { readonly system: string; readonly messages: readonly ChatMessage[] },
): Promise<{ readonly says: string; readonly added: readonly ChatMessage[] }> {
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
