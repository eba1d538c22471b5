import path from 'node:path';
import { z } from 'zod';
import { messageOf, RunError } from '../../../envs/core/errors.ts';
import { describeIssues } from '../../../envs/core/issues.ts';
import { ownPath } from '../endpoint.ts';
import type { AnswerReader } from '../judge.ts';
import { passing } from '../problem.ts';
import type { RequestContext } from '../remote-server.ts';
import { requestAdapter } from './adapter-request.ts';
import type { LoraApi, LoraHost } from './server-protocol.ts';
import { keyOf, presetLines, writeAdapterPresets, type Preset } from './preset-file.ts';

/** The adapter file that llama.cpp reads, in the folder with the PEFT files. */
export const ggufAdapterFile = 'adapter.gguf';

const listSchema = z.object({
  data: z.array(z.object({ id: z.string(), status: z.object({ preset: z.string().optional() }).optional() })),
});
/** Models by name, with their presets if the server is a router. */
type Models = ReadonlyMap<string, string | undefined>;

const seeWhatItSaid = 'See the output of llama-server for details.';

/**
 * Adapters on a llama.cpp router. Each is a preset in the router's presets file: the model's preset with
 * `lora` added. The router loads the model once more for each adapter, in its own process, and ends that with
 * the adapter. No other program may write adapters into the file at the same time.
 */
export function presetAdapters({ server, endpoint, model }: LoraHost, presets: string): LoraApi {
  const file = path.resolve(presets);
  const asRouter = `Start llama-server without a model and with --models-preset ${file}, with a section for the model in that file.`;
  const adapters = new Map<string, { readonly preset: Preset; readonly adapter: string }>();

  const refuse = (what: string, fix: string, cause?: unknown): never => {
    throw new RunError({ where: server.where, what, fix }, { cause });
  };
  const write = (what: string): void => {
    try {
      writeAdapterPresets(file, adapters);
    } catch (thrown) {
      refuse(
        `${what}: its presets file cannot be changed: ${messageOf(thrown)}.`,
        `Name the file that llama-server was started with. It must exist and be writable: ${file} was given.`,
        thrown,
      );
    }
  };
  const routed = (route: string, query: string): string =>
    [ownPath(endpoint, route), query].filter((part) => part !== '').join(endpoint.query === '' ? '?' : '&');
  const list = (what: string, query: string, context: RequestContext): Promise<Models> => {
    const reading: AnswerReader<Models> = {
      form: 'json',
      isLasting: (words) => /failed to parse/i.test(words),
      read: (body, quoted) => {
        const listed = listSchema.safeParse(body);
        if (!listed.success)
          return passing(`its answer lists no models (${quoted(describeIssues(listed.error))})`);
        return {
          kind: 'usable',
          result: new Map(listed.data.data.map(({ id, status }) => [id, status?.preset])),
        };
      },
    };
    return requestAdapter(
      server,
      { what, fix: seeWhatItSaid, question: { path: routed('/models', query), body: undefined, reading } },
      context,
    );
  };

  /** The part of the adapter's preset that comes from its model. */
  const basePreset = (what: string, models: Models): Preset => {
    const text = models.get(model);
    if (text === undefined) {
      const names = [...models.keys()].join(', ') || 'no model';
      return models.has(model)
        ? refuse(`${what}: the server is not a router: it lists ${model} without a preset.`, asRouter)
        : refuse(`${what}: it has ${names}, but not ${model}.`, `Name a section of ${file} as the model.`);
    }
    const lines = presetLines(text).filter((line) => keyOf(line) !== 'load-on-startup');
    const own = lines.find((line) => ['lora', 'lora-scaled'].includes(keyOf(line)));
    if (own !== undefined)
      return refuse(
        `${what}: the preset of ${model} has an adapter already: ${own}.`,
        'Name a section without one: the trained adapter applies to the base model.',
      );
    const long = lines.find((line) => line.endsWith('\\'));
    if (long !== undefined)
      return refuse(
        `${what}: ${keyOf(long)} of ${model} has several lines, which a presets file does not support.`,
        'Give llama-server the text in a file.',
      );
    return [...lines, 'load-on-startup = false'];
  };
  const adapterOf = (what: string, name: string, folder: string): string => {
    const adapter = path.join(folder, ggufAdapterFile);
    if (/[;#\r\n]/.test(adapter))
      refuse(
        `${what}: a presets file does not support paths with ; or #.`,
        'Put adapters into another folder.',
      );
    if (!/^[\w.-]+$/.test(name))
      refuse(
        `${what}: a section name may have only letters, digits, -, _ and . here.`,
        'Give another prefix.',
      );
    return adapter;
  };

  return {
    load: async (name, folder, context) => {
      const what = `adapter ${name} could not be loaded from ${folder}`;
      const adapter = adapterOf(what, name, folder);
      adapters.set(name, { preset: basePreset(what, await list(what, '', context)), adapter });
      write(what);
      if (!(await list(what, 'reload=1', context)).has(name))
        refuse(`${what}: the server does not read ${file}.`, asRouter);
      const reading: AnswerReader<'loaded' | 'failed'> = {
        form: 'success',
        result: 'loaded',
        refused: (words) => (/failed to load/i.test(words) ? 'failed' : undefined),
      };
      // is answered once the model is loaded
      const body = JSON.stringify({ model: name, prompt: [0], n_predict: 0, stream: false });
      const came = await requestAdapter(
        server,
        {
          what,
          fix: seeWhatItSaid,
          question: { path: routed('/completion', 'autoload=true'), body, reading },
        },
        context,
      );
      if (came === 'failed') refuse(`${what}: llama-server cannot load it.`, seeWhatItSaid);
    },
    unload: async (name, context) => {
      const what = `adapter ${name} could not be unloaded`;
      adapters.delete(name);
      write(what);
      await list(what, 'reload=1', context); // ends the processes of removed presets
    },
  };
}
