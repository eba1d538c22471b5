import { z } from 'zod';
import { historySchema } from '../../../agents/prompt/history.ts';
import { fewestObservationCharacters } from '../../../agents/prompt/prompt.ts';
import { optionalFields } from '../../../agents/servers/client-options.ts';
import { parseEndpoint, type Endpoint } from '../../../agents/servers/endpoint.ts';
import type { Secret } from '../../../agents/servers/secret.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { definePlayerKind, type OpenPlayerOptions } from '../player-kind.ts';

export const openaiSchema = z.strictObject({
  kind: z.literal('openai'),
  model: z.string().min(1).describe('the name under which the server serves it'),
  url: z.string().min(1).describe('the server, such as http://localhost:8000/v1'),
  keyVariable: z
    .string()
    .min(1)
    .optional()
    .describe('the variable that holds the key of the server; default: OPENAI_API_KEY, where it is set'),
  prompt: z.string().optional().describe('name or file of a prompt; default: the prompt of the environment'),
  history: historySchema
    .optional()
    .describe(
      'earlier steps in the prompt: all, a number, or {"chunk": 12, "carried": 3}; default: as the prompt says',
    ),
  observationCharacters: z
    .int()
    .min(fewestObservationCharacters)
    .optional()
    .describe('characters of an observation; a longer one is cut in the middle; default: as the prompt says'),
  hideAdmissible: z
    .boolean()
    .optional()
    .describe('do not list the admissible actions; default: as the prompt says'),
  maxTokens: z
    .int()
    .min(1)
    .optional()
    .describe('tokens that a reply may have, with reasoning; default: 1024'),
  maxTokensField: z
    .enum(['max_tokens', 'max_completion_tokens'])
    .optional()
    .describe('how the server calls that limit; default: max_tokens'),
  temperature: z
    .union([z.literal('default'), z.number().min(0).max(2)])
    .optional()
    .describe('default: 0; the word "default" leaves it to the server'),
  requestFields: z
    .record(z.string(), z.json())
    .optional()
    .describe('more fields of each request, such as {"reasoning_effort": "low"}'),
  omitFields: z
    .array(z.enum(optionalFields))
    .optional()
    .describe('fields that are left out of each request, for servers that refuse them'),
  requestSeconds: z
    .number()
    .min(0.001)
    .max(400_000)
    .optional()
    .describe(
      'time for one try of a request; all tries together take at most five times as long; default: 120',
    ),
});
export type OpenaiSpec = Readonly<z.output<typeof openaiSchema>>;

/** The variable that most tools take the key from. */
export const usualKeyName = 'OPENAI_API_KEY';

export const openaiExample = 'openai:Qwen/Qwen3-8B@http://localhost:8000/v1';
const scheme = 'openai:';

/** A language model behind a server of chat completions. */
export const openaiKind = definePlayerKind({
  kind: 'openai',
  schema: openaiSchema,
  words: [],
  scheme: 'openai',
  usage: ['openai:MODEL@URL'],
  parse: (text, where) => (text.startsWith(scheme) ? parse(text.slice(scheme.length), where) : undefined),
  describe: ({ model, url }) => `${scheme}${model}@${url}`,
  resolve: async (spec, options) => {
    const { choosePrompt } = await import('../choose-prompt.ts');
    const { benchPresetFor } = await import('../../../trainers/recipes/bench-preset.ts');
    const { envSession } = options;
    const { model, url, hideAdmissible } = spec;
    const endpoint = parseEndpoint(url, `player ${scheme}${model}, url`);
    const prompt = await choosePrompt(spec.prompt, {
      envSession,
      preset: benchPresetFor(envSession.definition).prompt,
      hideAdmissible,
    });
    const { host: opened, definition } = envSession;
    if (spec.prompt === undefined && (opened.tools ?? definition.text.tools) !== undefined)
      options.log?.(
        `${definition.id} has tools of its own, and ${prompt.name} asks for calls in text; --prompt tools offers them as native tool calls`,
      );
    const keyName = spec.keyVariable ?? usualKeyName;
    const key = keyFor(spec, endpoint, options);
    const path = endpointPath(endpoint);
    const { host, origin, chatPath } = endpoint;
    return {
      kind: 'openai',
      text: `${scheme}${model}@${origin}${chatPath}`,
      words: `${model} at ${host}`,
      sameAs: JSON.stringify({ ...spec, url: `${origin}${chatPath}` }),
      identity: { kind: 'text', model, endpoint: `${origin}${path}` },
      names: () => [
        model,
        `${model} at ${host}`,
        `${model} at ${host}${path}`,
        `${model} at ${origin}${path}`,
      ],
      entry: (name) => `${name === model ? `${model} at ${host}` : name} (prompt ${prompt.name})`,
      open: async (name) => {
        const { openChatPlayer } = await import('../open-chat.ts');
        return openChatPlayer({ name, spec, endpoint, prompt, key, keyName }, options);
      },
    };
  },
});

function parse(rest: string, where: string): OpenaiSpec {
  const at = rest.search(/@https?:/i);
  const model = at < 0 ? rest.replace(/@.*$/s, '') : rest.slice(0, at);
  const fix = `Write it like ${openaiExample}.`;
  if (model === '') throw new UsageError({ where, what: 'it names no model.', fix });
  if (at >= 0) {
    const url = rest.slice(at + 1);
    parseEndpoint(url, where);
    return { kind: 'openai', model, url };
  }
  const server = rest.slice(model.length + 1);
  const what =
    server === ''
      ? `it does not say where ${model} is served.`
      : 'the server is no URL that begins with http:// or https://.';
  const meant = /^[\w.-]+(?::\d+)?(?:\/[\w./-]*)?$/.test(server)
    ? `Did you mean openai:${model}@http://${server}? `
    : '';
  throw new UsageError({ where, what, fix: `${meant}${fix}` });
}

/** The path of the URL as a user gives it, such as `/v1`, without the query. */
const endpointPath = ({ chatPath }: Endpoint): string =>
  chatPath.replace(/\?.*$/s, '').replace(/\/chat\/completions$/, '');

/** The key, where it may be sent: unencrypted to another machine only if the spec names its variable. */
function keyFor(
  { model, keyVariable }: OpenaiSpec,
  endpoint: Endpoint,
  { keyOf, log }: Pick<OpenPlayerOptions, 'keyOf' | 'log'>,
): Secret | undefined {
  const key = keyOf?.(keyVariable ?? usualKeyName);
  if (key === undefined && keyVariable !== undefined)
    throw new UsageError({
      where: `player ${scheme}${model}, keyVariable`,
      what: `there is no key under the name ${keyVariable}.`,
      fix: 'Pass keyOf a function that finds it, or leave keyVariable out.',
    });
  if (key === undefined || endpoint.isPrivate || keyVariable !== undefined) return key;
  log?.(
    `the key of ${key.name} is not sent to ${endpoint.host}, because on the way anybody could read it; --key-env ${key.name} sends it all the same`,
  );
  return undefined;
}
