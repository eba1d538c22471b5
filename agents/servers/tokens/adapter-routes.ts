import { RunError } from '../../../envs/core/errors.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Reading } from '../judge.ts';
import type { Asking } from '../remote-server.ts';
import { giveOrder } from './adapter-order.ts';
import type { AdapterDoors, AdapterHost } from './dialect.ts';

/** Routes by which vLLM and SGLang load and unload adapters. */
export interface AdapterRoutes {
  readonly paths: (endpoint: Endpoint) => Readonly<Record<'load' | 'unload', string>>;
  /** How the server must have been started for it. */
  readonly mend: string;
}

/** Of models, in an error. */
const mostNames = 5;

/**
 * Adapters that a server reads from their folders, each with one request. None is loaded on a server that lists its models and not the one
 * that is meant: requests name the adapter alone, so that nothing else would tell.
 */
export function routedAdapters(
  { server, endpoint, model }: AdapterHost,
  { paths, mend }: AdapterRoutes,
): AdapterDoors {
  const post = (
    route: 'load' | 'unload',
    { what, body, refused }: { readonly what: string; readonly body: object; readonly refused: RegExp },
    asking: Parameters<typeof giveOrder>[2],
  ) => {
    const reading: Reading<'done'> = {
      form: 'success',
      result: 'done',
      refused: (words) => (refused.test(words) ? 'done' : undefined),
      isLasting: (words) => /max_lora_rank|target modules/i.test(words),
    }; // vLLM says with status 500 that an adapter does not fit
    return giveOrder(
      server,
      { what, mend, question: { path: paths(endpoint)[route], body: JSON.stringify(body), reading } },
      asking,
    );
  };
  let isListed = false;
  const assertModel = async (what: string, { signal }: Asking): Promise<void> => {
    const models = isListed ? [] : await server.models(signal);
    isListed ||= models.includes(model);
    if (isListed || models.length === 0) return;
    const more = models.length > mostNames ? ` and ${models.length - mostNames} more` : '';
    throw new RunError({
      where: server.where,
      what: server.redact(
        `${what}: it has ${models.slice(0, mostNames).join(', ')}${more}, and no ${model}.`,
      ),
      mend: `Name the model as the server does, or start it with --served-model-name ${server.redact(model)}.`,
    });
  };
  return {
    load: async (name, folder, asking) => {
      const what = `adapter ${name} could not be loaded from ${folder}`;
      await assertModel(what, asking);
      await post(
        'load',
        { what, body: { lora_name: name, lora_path: folder }, refused: /already (?:been |exists|loaded)/i },
        asking,
      );
    },
    unload: async (name, asking) => {
      await post(
        'unload',
        {
          what: `adapter ${name} could not be unloaded`,
          body: { lora_name: name },
          refused: /cannot be found|not found|does not exist|not (?:been )?loaded/i,
        },
        asking,
      );
    },
  };
}
