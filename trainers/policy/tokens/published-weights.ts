import { join } from 'node:path';
import { ggufAdapterFile } from '../../../agents/servers/tokens/preset-adapters.ts';
import type { AdapterPublishing } from '../../../agents/servers/tokens/token-server.ts';
import { readAdapter } from '../../../models/token/adapter-files.ts';
import { writeGgufAdapter } from '../../../models/token/gguf-adapter.ts';
import type { TokenModel } from '../../../models/token/token-model.ts';

/** Changing weights that can be written for a server. */
export interface PublishedWeights {
  /** Increases by one with each update. */
  readonly version: number;
  writeAdapter(folder: string): Promise<void>;
}

/** The adapter of a model, written in the format that a server reads. */
export function publishedWeights(model: TokenModel, format: AdapterPublishing['format']): PublishedWeights {
  switch (format) {
    case 'peft':
      return model;
    case 'gguf':
      return {
        get version() {
          return model.version;
        },
        writeAdapter: async (folder) => {
          await model.writeAdapter(folder);
          const { config } = model.transformer;
          await writeGgufAdapter(join(folder, ggufAdapterFile), config, await readAdapter(folder, config));
        },
      };
    default:
      return format satisfies never;
  }
}
