import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import type { ToolDescription } from '../../envs/core/textual.ts';
import type { Declined, DeskOptions, EpisodeDesk, Shown } from './episode-desk.ts';
import type { ServerSdk } from './load-server-sdk.ts';

const handle = z.string().max(200).describe('the handle that start_episode returned');

const shownSchema = z.object({
  episode: z.string().describe('the handle of the episode'),
  instruction: z.string().optional(),
  observation: z.string(),
  actions: z
    .array(z.string())
    .optional()
    .describe('the listed actions; absent where actions are written freely'),
  reward: z.number().describe('the reward of this step'),
  terms: z.record(z.string(), z.number()).describe('the named terms that the reward is the sum of'),
  inadmissible: z.boolean().describe('true where the action could not be done'),
  done: z.boolean().describe('true when the episode is over'),
  outcome: z.enum(['solved', 'failed', 'truncated']).optional(),
});

/** Actions that the text of a result lists. The structured result has all. */
const mostListed = 200;
const ownNames = ['start_episode', 'step', 'close_episode'] as const;

/**
 * Makes a server of one environment: tools that start an episode, do a step and close it, and the environment's own
 * tools with the handle of an episode as another argument. The protocol has no sessions, so that every server of
 * a desk serves all of its episodes.
 *
 * @throws UsageError where a tool of the environment has one of our names
 */
export function createEnvServer(
  sdk: ServerSdk,
  desk: EpisodeDesk,
  { definition, host, panels }: Pick<DeskOptions, 'definition' | 'host' | 'panels'>,
  version: string,
): McpServer {
  const server = new sdk.McpServer(
    { name: `cairn-gym ${definition.id}`, version },
    {
      instructions: `${definition.summary}. Call start_episode first: it returns a handle, the task and what you see. Give the handle with every other call.`,
    },
  );
  const sizes = panels.map(({ name, size }) => `${name} (${size})`).join(', ');
  const names = panels.map(({ name }) => name);
  server.registerTool(
    'start_episode',
    {
      description: `Starts a task. Panels, with their numbers of tasks: ${sizes}.`,
      inputSchema: z.strictObject({
        panel: z.enum(names).optional().describe(`the panel; default: ${names[0]}`),
        index: z.int().min(0).default(0).describe('the task in its panel'),
        seed: z.int().min(0).default(0).describe('seed of what is random in steps'),
      }),
      outputSchema: shownSchema,
    },
    async ({ panel, index, seed }, context) =>
      answerOf(await desk.start({ panel, index, seed }, context.mcpReq.signal)),
  );
  server.registerTool(
    'step',
    {
      description: 'Does one action of an episode, written in words.',
      inputSchema: z.strictObject({ episode: handle, action: z.string().describe('the action') }),
      outputSchema: shownSchema,
    },
    async ({ episode, action }, context) =>
      answerOf(await desk.step(episode, { words: action }, context.mcpReq.signal)),
  );
  server.registerTool(
    'close_episode',
    {
      description: 'Closes an episode before its end.',
      inputSchema: z.strictObject({ episode: handle }),
    },
    async ({ episode }) =>
      (await desk.end(episode))
        ? { content: [{ type: 'text', text: 'The episode is closed.' }] }
        : declinedAnswer('There is no such episode.'),
  );
  for (const tool of (host.tools ?? definition.text.tools)?.list(undefined) ?? [])
    registerEnvTool(server, { sdk, desk, tool, env: definition.id });
  return server;
}

/** A tool of the environment with the handle of an episode. Its arguments are the environment's to judge. */
function registerEnvTool(
  server: McpServer,
  of: {
    readonly sdk: ServerSdk;
    readonly desk: EpisodeDesk;
    readonly tool: ToolDescription;
    readonly env: string;
  },
): void {
  const { sdk, desk, tool, env } = of;
  const { name, description, parameters } = tool;
  const { properties = {}, required = [] } = argumentsSchema.parse(parameters);
  if ((ownNames as readonly string[]).includes(name) || Object.hasOwn(properties, 'episode'))
    throw new UsageError({
      where: `serve ${env} --mcp, tool ${name}`,
      what: `the tools ${ownNames.join(', ')} and the argument episode are taken.`,
      fix: 'Rename the tool, or its argument.',
    });
  const schema = {
    ...parameters,
    type: 'object' as const,
    properties: { episode: { type: 'string', description: 'the handle of the episode' }, ...properties },
    required: ['episode', ...required],
  };
  server.registerTool(
    name,
    {
      description,
      inputSchema: sdk.fromJsonSchema<CallArguments>(schema, handleOnly),
      outputSchema: shownSchema,
    },
    async ({ episode, ...given }, context) =>
      answerOf(await desk.step(episode, { call: { name, arguments: given } }, context.mcpReq.signal)),
  );
}

type CallArguments = { readonly episode: string } & Readonly<Record<string, Json>>;

const argumentsSchema = z.looseObject({
  properties: z.record(z.string(), z.json()).optional(),
  required: z.array(z.string()).optional(),
});

const callSchema = z.looseObject({ episode: z.string().max(200) });

/** Wrong arguments are the player's mistakes, which the environment counts. Only the handle must be there. */
const handleOnly = {
  getValidator:
    <T>() =>
    (input: unknown) =>
      callSchema.safeParse(input).success
        ? { valid: true as const, data: input as T, errorMessage: undefined }
        : {
            valid: false as const,
            data: undefined,
            errorMessage: 'episode must be the handle of an episode',
          },
};

function answerOf(result: Shown | Declined): CallToolResult {
  if (result.kind === 'declined') return declinedAnswer(result.why);
  const { kind: _kind, outcome, actions, ...shown } = result;
  return {
    content: [{ type: 'text', text: textOf(result) }],
    structuredContent: {
      ...shown,
      ...(actions === undefined ? {} : { actions: [...actions] }),
      done: outcome !== undefined,
      ...(outcome === undefined ? {} : { outcome }),
    },
  };
}

const declinedAnswer = (why: string): CallToolResult => ({
  content: [{ type: 'text', text: why }],
  isError: true,
});

function textOf({ episode, instruction, observation, actions, reward, outcome }: Shown): string {
  const listed = (actions ?? []).slice(0, mostListed);
  const more = (actions?.length ?? 0) - listed.length;
  return [
    ...(instruction === undefined ? [] : [`Episode ${episode}\n\n${instruction}`]),
    observation,
    ...(listed.length === 0
      ? []
      : [
          [
            'Actions:',
            ...listed.map((action) => `- ${action}`),
            ...(more > 0 ? [`and ${more} more`] : []),
          ].join('\n'),
        ]),
    ...(outcome === undefined
      ? []
      : [`The episode is over: ${outcome}. Reward of the last step: ${reward}.`]),
  ].join('\n\n');
}
