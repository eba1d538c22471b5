import { loadChatFormat } from '../../agents/render/chat-format.ts';
import { createChatTemplate, type ChatTemplate } from '../../agents/render/chat-template.ts';
import { loadTokenizer } from '../../agents/render/tokenizer/load-tokenizer.ts';
import { assertFits } from '../../agents/render/tokenizer/tokenizer.ts';
import { readTransformerConfig, type TransformerConfig } from '../../models/token/transformer-config.ts';
import { weightShapes } from '../../models/token/weight-layout.ts';

/** A description of a checkpoint folder, without its weights. */
export interface ModelDocument {
  readonly folder: string;
  readonly config: TransformerConfig;
  readonly parameters: number;
  readonly tokenizer: {
    readonly size: number;
    readonly special: readonly string[];
    readonly chatTemplate: boolean;
  };
}

/**
 * @throws UsageError if config, tokenizer or chat template are missing, damaged, unsupported or inconsistent,
 * or if no token ends a turn
 */
export async function describeModel(folder: string): Promise<ModelDocument> {
  const config = await readTransformerConfig(folder);
  const { tokenizer, template } = await loadTokenizer(folder, { complete: true });
  assertFits(tokenizer, config.vocabulary, folder);
  if (template !== undefined) {
    renderOnce(createChatTemplate(template, { special: tokenizer.special.keys() }));
    await loadChatFormat(folder); // as a policy does at its start
  }
  return {
    folder,
    config,
    parameters: parameterCount(config),
    tokenizer: {
      size: tokenizer.size,
      special: [...tokenizer.special.keys()],
      chatTemplate: template !== undefined,
    },
  };
}

/** Tests whether the template is valid and accepts what every agent sends. */
function renderOnce(template: ChatTemplate): void {
  const exchange = [
    { role: 'user', text: 'A question.' },
    { role: 'assistant', text: 'An answer.' },
    { role: 'user', text: 'Another.' },
  ] as const;
  template.render(exchange, { addGenerationPrompt: true });
}

export function parameterCount(config: TransformerConfig): number {
  return [...weightShapes(config).values()].reduce((sum, [rows, columns = 1]) => sum + rows * columns, 0);
}

/** Such as `0.46 million parameters`. */
export function describeParameters(count: number): string {
  return `${(count / 1e6).toPrecision(count < 1e7 ? 2 : 3)} million parameters`;
}
