import { z } from 'zod';

const side = z.enum(['assistant', 'user']);
const given = z.record(z.string(), z.json());

/** A gold action: a call of the agent or of the user. */
const action = z.object({
  action_id: z.string().nullish(),
  requestor: side.default('assistant'),
  name: z.string(),
  arguments: given,
  compare_args: z.array(z.string()).nullish(),
});

/** A call of a function of the environment. */
const functionCall = z.object({ env_type: side, func_name: z.string(), arguments: given });

const assertion = functionCall.extend({ assert_value: z.boolean().default(true) });

const message = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('user'),
    content: z.string().nullish(),
    tool_calls: z.array(z.object({ id: z.string(), name: z.string(), arguments: given })).nullish(),
  }),
  z.object({
    role: z.literal('assistant'),
    content: z.string().nullish(),
    tool_calls: z.array(z.object({ id: z.string(), name: z.string(), arguments: given })).nullish(),
  }),
  z.object({ role: z.literal('tool'), id: z.string(), content: z.string().nullish() }),
]);

export const rewardTypes = ['DB', 'ENV_ASSERTION', 'NL_ASSERTION', 'ACTION', 'COMMUNICATE'] as const;
export type RewardType = (typeof rewardTypes)[number];

const criteria = z.object({
  actions: z.array(action).nullish(),
  env_assertions: z.array(assertion).nullish(),
  communicate_info: z.array(z.string()).nullish(),
  nl_assertions: z.array(z.string()).nullish(),
  reward_basis: z.array(z.enum(rewardTypes)).default(['DB', 'COMMUNICATE']),
});

const tables = z.record(z.string(), z.record(z.string(), z.json()));

const instructions = z.object({
  domain: z.string(),
  reason_for_call: z.string(),
  known_info: z.string().nullish(),
  unknown_info: z.string().nullish(),
  task_instructions: z.string(),
});

/** A task of `tasks.json`, with the members that play or grading need. */
export const tau2TaskSchema = z.object({
  id: z.string(),
  user_scenario: z.object({
    persona: z.string().nullish(),
    instructions: z.union([z.string(), instructions]),
  }),
  initial_state: z
    .object({
      initialization_data: z.object({ agent_data: tables.nullish(), user_data: tables.nullish() }).nullish(),
      initialization_actions: z.array(functionCall).nullish(),
      message_history: z.array(message).nullish(),
    })
    .nullish(),
  evaluation_criteria: criteria.nullish(),
});

export type Tau2Task = z.output<typeof tau2TaskSchema>;
export type Criteria = z.output<typeof criteria>;
export type GoldAction = z.output<typeof action>;
export type FunctionCall = z.output<typeof functionCall>;
export type Message = z.output<typeof message>;

export const splitSchema = z.record(z.string(), z.array(z.string()));
