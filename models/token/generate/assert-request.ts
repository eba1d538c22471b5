import type { TokenRequest } from '../../../agents/core/token-sampler.ts';
import { UsageError } from '../../../envs/core/errors.ts';

/** Throws a `UsageError` for a request that cannot be answered. */
export function assertRequest(
  { prompt, maxTokens, decoding, allowed }: TokenRequest,
  {
    where,
    contextLength,
    vocabulary,
  }: { readonly where: string; readonly contextLength: number; readonly vocabulary: number },
): void {
  const refuse = (part: string, what: string, fix: string): never => {
    throw new UsageError({ where: `${part} of a request of ${where}`, what, fix });
  };
  if (prompt.length === 0) refuse('prompt', 'it is empty.', 'Give at least one token.');
  if (prompt.length >= contextLength)
    refuse(
      'prompt',
      `its ${prompt.length} tokens leave no room in a context of ${contextLength}.`,
      'Shorten it, or raise contextLength.',
    );
  if (!(Number.isInteger(maxTokens) && maxTokens >= 1))
    refuse('maxTokens', `${maxTokens} will not do.`, 'Give a whole number from 1.');
  const { temperature, topK = 1, topP = 1, minP = 0 } = decoding;
  if (!(Number.isFinite(temperature) && temperature >= 0))
    refuse(
      'temperature',
      `${temperature} will not do.`,
      'Give a number above 0, or 0 for the most likely token.',
    );
  if (!(Number.isInteger(topK) && topK >= 1))
    refuse('topK', `${topK} will not do.`, 'Give 1 or more, or leave it out.');
  if (!(topP > 0 && topP <= 1))
    refuse('topP', `${topP} will not do.`, 'Give a number above 0 and up to 1, or leave it out.');
  if (!(minP >= 0 && minP <= 1))
    refuse('minP', `${minP} will not do.`, 'Give a number from 0 to 1, or leave it out.');
  if (allowed?.some((tokens) => tokens.length > 0) === false)
    refuse('allowed', 'nothing stands in it.', 'Give at least one token to write, or leave it out.');
  for (const tokens of [prompt, ...(allowed ?? [])]) {
    const odd = tokens.find((token) => !(Number.isInteger(token) && token >= 0 && token < vocabulary));
    if (odd !== undefined)
      refuse(
        'tokens',
        `the model has no token ${odd}: its vocabulary has ${vocabulary}.`,
        'Use the tokenizer that came with the model.',
      );
  }
}
