import { readWeights } from '../../trainers/model/token/checkpoint.ts';
import { weightShapes } from '../../trainers/model/token/weight-layout.ts';
import type { Outcome, Session } from '../command.ts';
import { describeModel, describeParameters } from './describe-model.ts';

/** Reads a checkpoint through, every weight of it, and says what it is. */
export async function showModel(folder: string, session: Session): Promise<Outcome> {
  const document = await describeModel(folder);
  const { config, tokenizer } = document;
  const total = weightShapes(config).size;
  let done = 0;
  for await (const _weight of readWeights(folder, config)) {
    session.signal.throwIfAborted();
    done += 1;
    session.progress.report({ label: 'weights', done, total });
  }
  return {
    document,
    lines: [
      `${folder}: ${config.family}, ${config.layers} layers x ${config.width}, ${describeParameters(document.parameters)}, all of them sound.`,
      `${config.heads} heads of ${config.headSize} over ${config.keyValueHeads} of keys and values; ${config.hiddenWidth} wide inside; ${config.tied ? 'tied' : 'untied'} embeddings; a context of ${config.longestContext} tokens.`,
      `A vocabulary of ${config.vocabulary}, of which the tokenizer has ${tokenizer.size}; ${tokenizer.chatTemplate ? 'with' : 'without'} a chat template.`,
    ],
  };
}
