import path from 'node:path';
import { z } from 'zod';
import { messageOf, RunError } from '../../../envs/core/errors.ts';
import { describeIssues } from '../../../envs/core/issues.ts';
import { ownPath } from '../endpoint.ts';
import type { Reading } from '../judge.ts';
import { passing } from '../problem.ts';
import type { Asking } from '../remote-server.ts';
import { giveOrder } from './adapter-order.ts';
import type { AdapterDoors, AdapterHost } from './dialect.ts';
import { addPreset, dropPreset, presetLines, presetValue, type Preset } from './preset-file.ts';

/** The file of an adapter's folder that llama.cpp reads, beside those in PEFT's format. */
export const ggufAdapterFile = 'adapter.gguf';

const listSchema = z.object({ data: z.array(z.object({ id: z.string(), status: z.object({ preset: z.string().optional() }).optional() })) });
type Models = ReadonlyMap<string, string | undefined>;

/** A router reads its presets again, and runs each model in a process of its own. */
const mend = 'Start llama-server without a model and with --models-preset FILE, where FILE has a section for the model, and give the same FILE as policy.sampler.presets.';

/**
 * Adapters on a llama.cpp that was started as a router: a preset for each, which is the model's with `lora` put in, in the file that the
 * router has its presets from. It loads the model once more for each adapter, and frees it with the adapter.
 */
export function presetAdapters({ server, endpoint, model }: AdapterHost, presets: string): AdapterDoors {
  const file = path.resolve(presets);

  /** Models with their presets. */
  const list = (what: string, query: string, asking: Asking): Promise<Models> => {
    const reading: Reading<Models> = {
      form: 'json',
      read: (body, quoted) => {
        const listed = listSchema.safeParse(body);
        if (!listed.success) return passing(`its answer lists no models (${quoted(describeIssues(listed.error))})`);
        return { kind: 'usable', result: new Map(listed.data.data.map(({ id, status }) => [id, status?.preset])) };
      },
    };
    return giveOrder(server, { what, mend, question: { path: ownPath(endpoint, `/models${query}`), body: undefined, reading } }, asking);
  };
  const refuse = (what: string, how = mend): never => {
    throw new RunError({ where: server.where, what, mend: how });
  };
  const edit = (what: string, change: () => void): void => {
    try {
      change();
    } catch (thrown) {
      refuse(`${what}: ${messageOf(thrown)}.`, 'Give a file that can be read, and replaced in its folder.');
    }
  };

  /** The preset that an adapter's begins from. */
  const basePreset = (what: string, models: Models): Preset => {
    const preset = models.get(model);
    if (preset === undefined) {
      return models.has(model) ? refuse(`${what}: it is no router.`) : refuse(`${what}: it has ${[...models.keys()].join(', ') || 'no model'}, and no ${model}.`, `Name a section of ${file} as the model.`);
    }
    const lines = presetLines(preset);
    if (['lora', 'lora-scaled'].some((key) => presetValue(lines, key) !== undefined)) return refuse(`${what}: the preset of ${model} has an adapter already.`, 'Name one without: the adapter that is trained changes the model itself.');
    return lines.filter((line) => presetValue([line], 'load-on-startup') === undefined);
  };

  return {
    load: async (name, folder, asking) => {
      const what = `adapter ${name} could not be loaded from ${folder}`;
      const preset = basePreset(what, await list(what, '', asking));
      edit(what, () => addPreset(file, name, [...preset, `lora = ${path.join(folder, ggufAdapterFile)}`]));
      if (!(await list(what, '?reload=1', asking)).has(name)) refuse(`${what}: it does not read ${file}.`);
      const reading: Reading<'loaded' | 'failed'> = { form: 'success', result: 'loaded', refused: (words) => (/failed to load/i.test(words) ? 'failed' : undefined) };
      const body = JSON.stringify({ model: name, prompt: [0], n_predict: 0, stream: false }); // is answered once it is loaded
      const came = await giveOrder(server, { what, mend, question: { path: ownPath(endpoint, '/completion'), body, reading } }, asking);
      if (came === 'failed') refuse(`${what}: it failed to.`, 'What llama-server has printed says why.');
    },
    unload: async (name, asking) => {
      const what = `adapter ${name} could not be unloaded`;
      edit(what, () => dropPreset(file, name));
      await list(what, '?reload=1', asking); // ends the process of what is no longer there
    },
  };
}
