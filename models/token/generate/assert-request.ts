import type { TokenRequest } from '../../../agents/core/token-sampler.ts';
import { UsageError } from '../../../envs/core/errors.ts';

/** Validates a request. @throws UsageError if it cannot be answered */
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
    refuse('maxTokens', `${maxTokens} is invalid.`, 'It must be an integer of at least 1.');
  const { temperature, topK = 1, topP = 1, minP = 0 } = decoding;
  if (!(Number.isFinite(temperature) && temperature >= 0))
    refuse(
      'temperature',
      `${temperature} is invalid.`,
      'It must be a number of at least 0; 0 takes the most likely token.',
    );
  if (!(Number.isInteger(topK) && topK >= 1))
    refuse('topK', `${topK} is invalid.`, 'It must be an integer of at least 1. Omit it for no limit.');
  if (!(topP > 0 && topP <= 1))
    refuse('topP', `${topP} is invalid.`, 'It must be above 0 and at most 1. Omit it for no limit.');
  if (!(minP >= 0 && minP <= 1))
    refuse('minP', `${minP} is invalid.`, 'It must be from 0 to 1. Omit it for no limit.');
  if (allowed?.some((tokens) => tokens.length > 0) === false)
    refuse('allowed', 'it is empty.', 'Give at least one token sequence to write, or remove it.');
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
