import { defineEnv } from '../core/env.ts';
import { toolActionSchema } from '../engines/tools/action.ts';
import { parseAction, printAction } from '../engines/tools/call-text.ts';
import { checkedParts } from '../engines/tools/failed-checks.ts';
import { printObservation, printResults, toolObservationSchema } from '../engines/tools/observation.ts';
import { mcpConfig, type McpConfig } from './config.ts';

const remote = 'the world lies behind servers of others, which can be neither saved nor read';

export const mcpEnv = defineEnv({
  id: 'mcp-v1',
  summary:
    'Tasks of your own, done with the tools of any MCP servers: processes or addresses, several at once',
  config: mcpConfig,
  observation: toolObservationSchema,
  action: toolActionSchema,
  deterministic: true,
  turnLimit: ({ maxSteps }: McpConfig) => maxSteps,
  text: {
    observation: printObservation,
    toolResults: printResults,
    action: printAction,
    parse: parseAction,
    isSample: () => true,
  },
  catalogue: {
    family: 'mcp',
    tags: ['tool-calls', 'step-wise'],
    licence: 'none of its own: tasks and servers are yours',
    needs: ['data'],
  },
  feedback: checkedParts,
  unchecked: {
    snapshot: remote,
    'state-key-alias': remote,
    'state-key-split': remote,
    hidden: remote,
    secrets: 'the facts of a world are what its tools are there to show',
  },
  open: async (config: McpConfig, context) => {
    // the client of the protocol is loaded only to play, not by every command
    const { openMcp } = await import('./host.ts');
    return openMcp(config, context);
  },
});
