import { z } from 'zod';
import type { AgentDefinition } from '../../../agents/policy/define-agent.ts';
import { canonicalJson } from '../../../envs/core/json.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import type { Shown } from '../../../trainers/results/result.ts';
import { definePlayerKind } from '../player-kind.ts';

const schema = z.strictObject({
  kind: z.literal('own'),
  file: z.string().min(1).describe('the TypeScript or JavaScript file of your agent, which exports `agent`'),
  options: z.record(z.string(), z.json()).optional().describe('its options, as its own schema defines them'),
});

const scheme = 'own:';
const isModule = (text: string): boolean => /\.[cm]?[jt]sx?$/.test(text);

/** An agent of the user's own, from a file. */
export const ownKind = definePlayerKind({
  kind: 'own',
  schema,
  words: [],
  scheme: 'own',
  usage: ['your AGENT.ts'],
  parse: (text): z.output<typeof schema> | undefined => {
    if (text.startsWith(scheme) && text !== scheme) return { kind: 'own', file: text.slice(scheme.length) };
    return isModule(text) && !/^[a-z][\w-]+:/i.test(text) ? { kind: 'own', file: text } : undefined;
  },
  describe: ({ file }) => `${scheme}${file}`,
  resolve: async (spec, options) => {
    const { agentPlugin, loadAgent } = await import('../load-agent.ts');
    const { parsePluginOptions } = await import('../../../trainers/plugins/plugin-options.ts');
    const { strictTextual } = await import('../../../envs/core/textual.ts');
    const { envSession, context, watchAgent } = options;
    const { definition, fingerprint } = await loadAgent(spec.file, { signal: context.signal });
    const settled = parsePluginOptions(agentPlugin, definition, spec.options ?? {});
    const { kind: name, facts = {} } = definition;
    const given = canonicalJson(settled.options);
    const shown: Shown = {
      kind: 'own',
      admissible: facts.admissible ?? true,
      history: facts.history ?? 'all steps',
      decoding: { kind: 'none' },
    };
    return {
      kind: 'own',
      text: spec.file,
      words: `the agent ${name} of ${spec.file}`,
      sameAs: JSON.stringify({ fingerprint, given }),
      identity: { kind: 'own', agent: name, content: fingerprint, options: given },
      names: () => [name, `${name} of ${spec.file}`, `${name} ${given}`],
      entry: (as) => `${as} (${spec.file})`,
      open: async (as) => {
        const { createOwnAgent } = await import('../../../agents/policy/define-agent.ts');
        const around = watchAgent?.(name) ?? (<T>(call: () => T): T => call());
        const begin: unknown = around(() => definition.create(settled.parsed));
        if (!isFunction(begin))
          throw new UsageError({
            where: `agent module "${spec.file}", create`,
            what: 'it does not return a function.',
            fix: 'Return a function of the episode, which returns a function of the turn.',
          });
        return {
          name: as,
          agent: createOwnAgent({
            id: `own:${name}`,
            begin,
            env: { id: envSession.definition.id, config: envSession.envConfig },
            text: strictTextual(envSession.definition),
            around,
          }),
          shown,
          versions: () => ({ [agentPlugin.fileVersion]: fingerprint }),
          [Symbol.asyncDispose]: () => Promise.resolve(),
        };
      },
    };
  },
});

const isFunction = (value: unknown): value is ReturnType<AgentDefinition['create']> =>
  typeof value === 'function';
