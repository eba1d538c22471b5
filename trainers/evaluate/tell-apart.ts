import { describeDecoding } from './estimate.ts';
import type { EvaluationResult } from './result.ts';
import { grouped } from './token-counts.ts';

/**
 * Names for results of which none is that of another: an agent's own, and where several have that, with what differs between them of
 * checkpoint, decoding, server, prompt, history, characters of what is seen, and seeds, or else with the place in the list.
 */
export function tellApart(results: readonly EvaluationResult[]): readonly string[] {
  return results.map((result) => {
    const namesakes = results.filter(({ agent }) => agent === result.agent);
    if (namesakes.length === 1) return result.agent;
    const tellings = namesakes.map(tellingOf);
    const own = tellingOf(result).filter((part, index) => part !== '' && tellings.some((telling) => telling[index] !== part));
    const alike = namesakes.filter((other) => tellingOf(other).join('; ') === tellingOf(result).join('; '));
    const place = alike.length > 1 ? [`number ${namesakes.indexOf(result) + 1}`] : [];
    return `${result.agent} (${[...own, ...place].join(', ')})`;
  });
}

const tellingOf = ({ shown, seeds }: EvaluationResult): readonly string[] => [
  shown.checkpoint ?? 'no one checkpoint',
  describeDecoding(shown.decoding),
  ...(shown.remote === undefined ? ['', ''] : [`at ${shown.remote.server}`, `prompt ${shown.remote.prompt.name}`]),
  `history: ${shown.history}`,
  shown.remote?.observationCharacters === undefined ? '' : describeCharacters(shown.remote.observationCharacters),
  `${seeds.length === 1 ? 'seed' : 'seeds'} ${seeds.join(', ')}`,
];

/** What an agent saw of what is seen, where that was not as its prompt says. */
export const describeCharacters = (most: number): string => `observations up to ${grouped(most)} characters`;
