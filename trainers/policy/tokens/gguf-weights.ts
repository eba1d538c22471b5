import { join } from 'node:path';
import { ggufAdapterFile } from '../../../agents/servers/tokens/preset-adapters.ts';
import { readAdapter } from '../../../models/token/adapter-files.ts';
import { writeGgufAdapter } from '../../../models/token/gguf-adapter.ts';
import type { TokenModel } from '../../../models/token/token-model.ts';
import type { PublishedWeights } from './published-sampler.ts';

/** A model's adapter for llama.cpp: in PEFT's format as for others, and beside it in the file that llama.cpp reads. */
export const ggufWeights = (model: TokenModel): PublishedWeights => ({
  get version() {
    return model.version;
  },
  writeAdapter: async (folder) => {
    await model.writeAdapter(folder);
    const { config } = model.transformer;
    await writeGgufAdapter(join(folder, ggufAdapterFile), config, await readAdapter(folder, config));
  },
});
