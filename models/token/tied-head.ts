import { UsageError } from '../../envs/core/errors.ts';
import { openSafetensors } from '../safetensors/read-safetensors.ts';
import { embeddingName, headName } from './weight-layout.ts';

/**
 * Compares an output layer that a checkpoint of tied embeddings holds all the same with the embedding that stands in for it.
 * @param files those that hold the two
 * @throws UsageError where a number of theirs differs: transformers unties such a model, whatever its config.json says
 */
export async function assertTiedHead(files: {
  readonly head: string;
  readonly embedding: string;
}): Promise<void> {
  const [head, embedding] = [
    await readTensor(files.head, headName),
    await readTensor(files.embedding, embeddingName),
  ];
  if (head.length === embedding.length && head.every((value, at) => value === embedding[at])) return;
  throw new UsageError({
    where: `${files.head}, tensor "${headName}"`,
    what: `it differs from "${embeddingName}", but config.json says that the two are one (tie_word_embeddings).`,
    fix: 'Set "tie_word_embeddings": false in config.json where it is the output layer, as transformers 5 then takes it; else remove the tensor.',
  });
}

async function readTensor(file: string, name: string): Promise<Float32Array> {
  await using stored = await openSafetensors(file);
  return await stored.read(name);
}
