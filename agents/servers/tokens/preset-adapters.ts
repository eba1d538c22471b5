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

/** The file of an adapter's folder that llama.cpp reads, beside those in PEFT's format. */
export const ggufAdapterFile = 'adapter.gguf';

const listSchema = z.object({
  data: z.array(z.object({ id: z.string(), status: z.object({ preset: z.string().optional() }).optional() })),
});
/** Models by their names, with their presets where the server is a router. */
type Models = ReadonlyMap<string, string | undefined>;

const seeWhatItSaid = 'What llama-server has printed says more.';

/**
 * Adapters on a llama.cpp that was started as a router: a preset for each, which is the model's with `lora` put in, in the file that the
 * router has its presets from. The router loads the model once more for each adapter, in a process of its own, and ends that with the
 * adapter. Nobody else may write adapters into the file meanwhile.
 */
export function presetAdapters({ server, endpoint, model }: LoraHost, presets: string): LoraApi {
  const file = path.resolve(presets);
  const asRouter = `Start llama-server without a model and with --models-preset ${file}, where a section of that file is the model.`;
  const adapters = new Map<string, { readonly preset: Preset; readonly adapter: string }>();

  const refuse = (what: string, fix: string, cause?: unknown): never => {
    throw new RunError({ where: server.where, what, fix }, { cause });
  };
  const write = (what: string): void => {
    try {
      writeAdapterPresets(file, adapters);
    } catch (thrown) {
      refuse(
        `${what}: its presets cannot be changed: ${messageOf(thrown)}.`,
        `Name the file that llama-server was started with, which must be there and writable: ${file} is what was named.`,
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

  /** What the adapter's preset has of its model's. */
  const basePreset = (what: string, models: Models): Preset => {
    const text = models.get(model);
    if (text === undefined) {
      const names = [...models.keys()].join(', ') || 'no model';
      return models.has(model)
        ? refuse(`${what}: it is no router, for it lists ${model} without a preset.`, asRouter)
        : refuse(`${what}: it has ${names}, and no ${model}.`, `Name a section of ${file} as the model.`);
    }
    const lines = presetLines(text).filter((line) => keyOf(line) !== 'load-on-startup');
    const own = lines.find((line) => ['lora', 'lora-scaled'].includes(keyOf(line)));
    if (own !== undefined)
      return refuse(
        `${what}: the preset of ${model} has an adapter already: ${own}.`,
        'Name one without: the adapter that is trained changes the model itself.',
      );
    const long = lines.find((line) => line.endsWith('\\'));
    if (long !== undefined)
      return refuse(
        `${what}: ${keyOf(long)} of ${model} has several lines, which no file of presets takes.`,
        'Give llama-server its text in a file.',
      );
    return [...lines, 'load-on-startup = false'];
  };
  const adapterOf = (what: string, name: string, folder: string): string => {
    const adapter = path.join(folder, ggufAdapterFile);
    if (/[;#\r\n]/.test(adapter))
      refuse(
        `${what}: a file of presets takes no path with ; or # in it.`,
        'Put adapters into another folder.',
      );
    if (!/^[\w.-]+$/.test(name))
      refuse(
        `${what}: a section of a file of presets takes letters, digits, -, _ and . alone here.`,
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
        refuse(`${what}: it does not read ${file}.`, asRouter);
      const reading: AnswerReader<'loaded' | 'failed'> = {
        form: 'success',
        result: 'loaded',
        refused: (words) => (/failed to load/i.test(words) ? 'failed' : undefined),
      };
      const body = JSON.stringify({ model: name, prompt: [0], n_predict: 0, stream: false }); // is answered once the model is loaded
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
      await list(what, 'reload=1', context); // ends the process of what is no longer there
    },
  };
}
