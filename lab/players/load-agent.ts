import { z } from 'zod';
import type { AgentDefinition } from '../../agents/policy/define-agent.ts';
import type { PluginKind } from '../../envs/core/plugin.ts';
import {
  definitionShape,
  loadPlugin,
  type DefinitionReader,
  type LoadedPlugin,
  type LoadPluginOptions,
} from '../../trainers/plugins/load-plugin.ts';

/** How the plug-in loader treats a user's agent. */
export const agentPlugin: PluginKind = {
  noun: 'agent',
  exportName: 'agent',
  define: 'defineAgent',
  configKey: 'agent',
  optionFlag: '--agent-option KEY=VALUE',
  fileVersion: 'agent-file',
};

const shape = z.strictObject({
  ...definitionShape,
  kind: z
    .string()
    .regex(
      /^\p{L}[\p{L}\p{N} ._+()-]{0,59}$/u,
      'it must begin with a letter, followed by at most 59 letters, digits, spaces and ._+()-',
    ),
  facts: z.strictObject({ admissible: z.boolean().optional(), history: z.string().optional() }).optional(),
});

const reader: DefinitionReader<AgentDefinition> = {
  shape,
  accepts: (value): value is AgentDefinition => shape.safeParse(value).success,
};

/**
 * Loads the agent that a user's file exports as `agent`.
 * @throws UsageError for a file that is missing, does not load, or exports something else
 */
export const loadAgent = (
  file: string,
  options: LoadPluginOptions = {},
): Promise<LoadedPlugin<AgentDefinition>> => loadPlugin(agentPlugin, file, reader, options);
