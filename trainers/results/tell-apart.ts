import { describeDecoding } from './estimate.ts';
import { describeSeeds, describeSettings } from './lineage.ts';
import type { EvaluationResult, Shown } from './result.ts';
import { grouped, plural } from './number-words.ts';

/**
 * Distinct names for results. Agents with equal names get what differs between them: method, run, training
 * settings, checkpoint, decoding, server, prompt, observation length, reply length, request fields, what it
 * can write, context, list of actions, history or seeds; or else the position in the list.
 */
export function tellApart(results: readonly EvaluationResult[]): readonly string[] {
  return results.map((result) => {
    const namesakes = results.filter(({ agent }) => agent === result.agent);
    if (namesakes.length === 1) return result.agent;
    const tellings = namesakes.map(tellingOf);
    const own = tellingOf(result).filter(
      (part, index) => part !== '' && tellings.some((telling) => telling[index] !== part),
    );
    const alike = namesakes.filter((other) => tellingOf(other).join('; ') === tellingOf(result).join('; '));
    const place = alike.length > 1 ? [`number ${namesakes.indexOf(result) + 1}`] : [];
    const parts = [...own, ...place];
    return parts.length === 0 ? result.agent : `${result.agent} (${parts.join(', ')})`;
  });
}

/** An empty part does not distinguish its result, which then differs in another. */
function tellingOf({
  shown: { admissible, checkpoint, decoding, history, remote, written },
  training,
  seeds,
}: EvaluationResult): readonly string[] {
  const model = written ?? remote;
  return [
    training === undefined ? '' : training.method,
    training === undefined
      ? ''
      : `${plural(training.runs.length, 'run')} ${training.runs.map(({ name }) => name).join(', ')}`,
    training === undefined ? '' : describeSettings(training),
    checkpoint ?? 'no one checkpoint',
    describeDecoding(decoding),
    remote === undefined ? 'no server' : `at ${remote.server}`,
    model === undefined ? '' : `prompt ${model.prompt.name}`,
    remote === undefined ? '' : describeCharacters(remote.observationCharacters),
    model === undefined ? '' : describeMaxTokens(model.maxTokens),
    remote?.fields === undefined ? '' : describeFields(remote.fields),
    written?.restricted === true ? onlyAdmissible : '',
    written === undefined ? '' : describeContext(written.contextLength),
    describeAdmissible(admissible),
    `history: ${history}`,
    describeSeeds({ seeds, training }),
  ];
}

/** How much an agent saw of what is seen. */
export const describeCharacters = (most: number | undefined): string =>
  most === undefined
    ? 'observations as the prompt shows them'
    : `observations up to ${grouped(most)} characters`;

/** How long the replies of a language model may be. */
export const describeMaxTokens = (most: number): string => `at most ${most} tokens a reply`;

/** What a server was asked beside the usual. */
export const describeFields = (fields: NonNullable<NonNullable<Shown['remote']>['fields']>): string =>
  `asked with ${Object.entries(fields)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')}`;

/** How far a language model looks back. */
export const describeContext = (length: number): string => `a context of ${grouped(length)}`;

/** What a restricted language model can write; others can write anything. */
export const onlyAdmissible = 'only admissible actions can be written';

/** Whether an agent saw the list of actions. */
export const describeAdmissible = (isShown: boolean): string =>
  `admissible actions ${isShown ? 'shown' : 'not shown'}`;
