import type { Json } from '../../core/json.ts';
import type { TaskRef } from '../../core/task.ts';
import type { ToolCall } from './action.ts';
import type { ToolRequest } from './task.ts';
import type { Tool } from './tool.ts';

/** What a user simulator always gets. */
export interface UserTurn {
  readonly ref: TaskRef;
  readonly request: ToolRequest;
  /** Does a call of one of the user's own tools, and returns its result as JSON text, or the message of its error. */
  readonly useTool: (name: string, given?: ToolCall['arguments']) => Promise<string>;
  readonly toolNames: readonly string[];
  readonly tools: readonly Tool[];
  readonly signal: AbortSignal;
}

/** What a user simulator gets with each message of the agent. */
export interface Heard extends UserTurn {
  readonly text: string;
  /** What it returned last time in this episode; undefined at first. */
  readonly state: Json | undefined;
  /** Marks of the world's own grader, such as that the agent has called some tool. */
  readonly marks: ReadonlySet<string>;
  /** Whether the request would count as done if it ended now. */
  readonly isReached: () => Promise<boolean>;
}

/** The answer of a user. */
export interface UserAnswer {
  readonly says: string;
  readonly state: Json;
  /** True where the user said or did what its goal does not ask for. It is counted apart from the agent's errors. */
  readonly isMistake?: boolean;
  /** True where the user ends the conversation. It is graded as it is then. */
  readonly ends?: boolean;
}

/**
 * A user of an episode. It must be a function of what it gets, so that episodes repeat and snapshots restore
 * it. One that throws or is late is a fault of the world, and never the agent's failure.
 */
export interface UserSimulator {
  /** The first message, which the first observation shows. Without it the instruction shows what the request says. */
  open?(turn: UserTurn): UserAnswer | Promise<UserAnswer>;
  hear(heard: Heard): UserAnswer | Promise<UserAnswer>;
}

/** How often each slot was asked for. */
type Asked = Readonly<Record<string, number>>;

const wordsOf = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

/**
 * A user with a script: it answers questions for the slots of its request, by their names, and uses its own
 * tools where the agent names one. A slot with a slip is answered wrong first.
 */
export const scriptedUser: UserSimulator = {
  hear: async ({ text, request, state, useTool, toolNames }) => {
    const asked = (state ?? {}) as Asked; // the state that this function returned
    const words = wordsOf(text);
    const parts: string[] = [];
    let isMistake = false;
    let next = asked;
    for (const [name, { says, slip }] of Object.entries(request.slots ?? {})) {
      if (!words.includes(wordsOf(name))) continue;
      const slips = slip !== undefined && asked[name] === undefined;
      isMistake ||= slips;
      parts.push(slips ? slip : says);
      next = { ...next, [name]: Math.min(2, (asked[name] ?? 0) + 1) };
    }
    for (const name of toolNames) {
      if (words.includes(wordsOf(name))) parts.push(`I did ${name}: ${await useTool(name)}`);
    }
    return { says: parts.length === 0 ? 'I have nothing to add.' : parts.join(' '), state: next, isMistake };
  },
};

/** The question for a slot, in the list of actions. */
export const questionFor = (slot: string): string => `What is the ${slot}?`;

/** The request to use a tool of the user, in the list of actions. */
export const instructionFor = (tool: string): string => `Please use ${tool}.`;
