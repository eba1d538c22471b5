import type { Baseline, Searcher } from '../core/env.ts';
import type { TaskRef } from '../core/task.ts';
import { mentionsIn } from '../engines/questions/answers/mentions.ts';
import { normalise } from '../engines/questions/answers/normalise.ts';
import type { Question } from '../engines/questions/files/question.ts';
import type { RouteAction } from './action.ts';
import type { CalledModel, Descriptor } from './models/descriptor.ts';
import type { RouteObservation } from './observation.ts';

type RouteBaseline = Baseline<RouteObservation, RouteAction>;

/**
 * Fixed routers. They ask one model the whole question, or play the cheapest calls that lead to the answer. Their reader is
 * ideal: it answers rightly where a reply contains a gold answer.
 */
export function routeBaselines(source: {
  readonly question: (ref: TaskRef) => Question;
  readonly models: (ref: TaskRef) => readonly CalledModel[];
}): Readonly<Record<string, RouteBaseline>> {
  const { question, models } = source;
  const always = (choose: (descriptors: readonly Descriptor[]) => Descriptor | undefined) => (ref: TaskRef) =>
    new OneCall(question(ref), choose(models(ref).map(({ descriptor }) => descriptor))?.name);
  const byPrice = (descriptors: readonly Descriptor[]): readonly Descriptor[] =>
    descriptors.toSorted((one, other) => expectedCost(one) - expectedCost(other));
  return {
    'no model': {
      summary: 'answers with the last name of the question',
      play: (ref) => new OneCall(question(ref), undefined),
    },
    'cheapest model': {
      summary: 'asks the cheapest model the whole question, with an ideal reader',
      play: always((descriptors) => byPrice(descriptors)[0]),
    },
    'dearest model': {
      summary: 'asks the dearest model, which knows most, the whole question, with an ideal reader',
      play: always((descriptors) => byPrice(descriptors).at(-1)),
    },
    'random model': {
      summary: 'asks a model drawn at random the whole question, with an ideal reader',
      play: (ref, rng) => new OneCall(question(ref), rng.pick(models(ref)).descriptor.name),
    },
  };
}

const expectedCost = ({ price, tokens = 1 }: Descriptor): number => price * tokens;

/** Asks one model the whole question, and answers rightly if its reply contains an answer. */
class OneCall implements Searcher<RouteObservation, RouteAction> {
  readonly #question: Question;
  readonly #model: string | undefined;

  constructor(question: Question, model: string | undefined) {
    this.#question = question;
    this.#model = model;
  }

  act({ observation }: { readonly observation: RouteObservation }): RouteAction {
    const { question, answers } = this.#question;
    if (observation.kind === 'question' && this.#model !== undefined)
      return { kind: 'route', model: this.#model, query: question };
    const said = observation.kind === 'reply' ? ` ${normalise(observation.text)} ` : '';
    const right = answers.find((answer) => said.includes(` ${normalise(answer)} `));
    const text = right ?? mentionsIn(question, '').at(-1)?.name ?? 'unknown';
    return { kind: 'answer', text };
  }
}
