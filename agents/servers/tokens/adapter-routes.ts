import { RunError } from '../../../envs/core/errors.ts';
import type { Endpoint } from '../endpoint.ts';
import type { AnswerReader } from '../judge.ts';
import type { RequestContext } from '../remote-server.ts';
import { requestAdapter } from './adapter-request.ts';
import type { LoraApi, LoraHost } from './server-protocol.ts';

/** Routes with which vLLM and SGLang load and unload adapters. */
export interface AdapterRoutes {
  readonly paths: (endpoint: Endpoint) => Readonly<Record<'load' | 'unload', string>>;
  /** How to start the server so that they work. */
  readonly fix: string;
}

/** Most model names in an error. */
const mostNames = 5;

/**
 * Adapters that a server reads from folders, one request each. If the server lists its models and ours is
 * missing, none is loaded: requests name only the adapter, so nothing else would reveal the wrong model.
 */
export function routedAdapters(
  { server, endpoint, model }: LoraHost,
  { paths, fix }: AdapterRoutes,
): LoraApi {
  const post = (
    route: 'load' | 'unload',
    { what, body, refused }: { readonly what: string; readonly body: object; readonly refused: RegExp },
    context: Parameters<typeof requestAdapter>[2],
  ) => {
    const reading: AnswerReader<'done'> = {
      form: 'success',
      result: 'done',
      refused: (words) => (refused.test(words) ? 'done' : undefined),
      isLasting: (words) => /max_lora_rank|target modules/i.test(words),
    }; // vLLM reports a mismatched adapter with status 500
    return requestAdapter(
      server,
      { what, fix, question: { path: paths(endpoint)[route], body: JSON.stringify(body), reading } },
      context,
    );
  };
  let isListed = false;
  const assertModel = async (what: string, { signal }: RequestContext): Promise<void> => {
    const models = isListed ? [] : await server.models(signal);
    isListed ||= models.includes(model);
    if (isListed || models.length === 0) return;
    const more = models.length > mostNames ? ` and ${models.length - mostNames} more` : '';
    throw new RunError({
      where: server.where,
      what: server.redact(
        `${what}: it has ${models.slice(0, mostNames).join(', ')}${more}, but not ${model}.`,
      ),
      fix: `Name the model as the server does, or start it with --served-model-name ${server.redact(model)}.`,
    });
  };
  return {
    load: async (name, folder, context) => {
      const what = `adapter ${name} could not be loaded from ${folder}`;
      await assertModel(what, context);
      await post(
        'load',
        { what, body: { lora_name: name, lora_path: folder }, refused: /already (?:been |exists|loaded)/i },
        context,
      );
    },
    unload: async (name, context) => {
      await post(
        'unload',
        {
          what: `adapter ${name} could not be unloaded`,
          body: { lora_name: name },
          refused: /cannot be found|not found|does not exist|not (?:been )?loaded/i,
        },
        context,
      );
    },
  };
}
