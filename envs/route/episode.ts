import type { Snapshot } from '../core/env.ts';
import { reward, type StepResult, type Turn } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import { isMatch } from '../engines/questions/answers/exact-match.ts';
import { tokenF1 } from '../engines/questions/answers/token-f1.ts';
import type { Question } from '../engines/questions/files/question.ts';
import { shortDigest } from '../kit/short-digest.ts';
import { actionHelp, describeAction, type RouteAction } from './action.ts';
import type { RouteConfig } from './config.ts';
import { costOf, describeModel, type CalledModel } from './models/descriptor.ts';
import { describeObservation, type RouteObservation } from './observation.ts';
import { offeredActions } from './offered-actions.ts';
import { costReward } from './reward/cost-reward.ts';
import { routeFormatFlaw } from './reward/route-format.ts';
import { savePoint, startOf, type RouteState, type SavedEpisode } from './snapshot.ts';

/** What the episodes of a host share. */
export interface RouteRules {
  readonly config: RouteConfig;
  readonly question: (ref: TaskRef) => Question;
  readonly models: (ref: TaskRef) => readonly CalledModel[];
}

type Result = StepResult<RouteObservation, RouteAction>;
type Terms = Readonly<Record<string, number>>;

/** The task in words: the question, and what is said of the models. */
export const instructionOf = ({ question }: Question, models: readonly CalledModel[]): string =>
  [
    question,
    'These models can be asked. Each answer costs its tokens times the price.',
    ...models.map(({ descriptor }) => `- ${describeModel(descriptor)}`),
  ].join('\n');

/** One question, from its words to an answer. */
export class RouteEpisode {
  readonly #rules: RouteRules;
  readonly #asked: Question;
  readonly #behind: Question;
  readonly #models: readonly CalledModel[];
  #state: RouteState;
  #said: RouteObservation;

  constructor(rules: RouteRules, from: TaskRef | SavedEpisode) {
    const saved: SavedEpisode =
      'state' in from ? from : { state: startOf(from), said: { kind: 'question', help: actionHelp } };
    this.#rules = rules;
    this.#state = saved.state;
    this.#said = saved.said;
    this.#asked = rules.question(saved.state.task);
    this.#behind = rules.question(saved.state.behind);
    this.#models = rules.models(saved.state.task);
  }

  get instruction(): string {
    return instructionOf(this.#asked, this.#models);
  }

  turn(): Turn<RouteObservation, RouteAction> {
    return {
      observation: this.#said,
      stateKey: this.stateKey(),
      anchorKey: this.#anchorKey(),
      admissible: this.#rules.config.mode === 'text' ? undefined : [...this.#offered()],
      stepsLeft: undefined,
      seat: 0,
    };
  }

  stateKey(): string {
    const { task, behind, calls, cost, transcript } = this.#state;
    const all = [behind.panel, behind.index, calls, cost, transcript];
    return `${task.panel}/${task.index}|${shortDigest(JSON.stringify(all))}`;
  }

  async act(action: RouteAction, signal: AbortSignal): Promise<Result> {
    switch (action.kind) {
      case 'route':
        return this.#route(action, signal);
      case 'think':
        this.#write(action);
        return this.#goOn({ kind: 'noted' });
      case 'answer':
        return this.#answer(action);
      default:
        return action satisfies never;
    }
  }

  save(): Snapshot {
    return savePoint({ state: this.#state, said: this.#said });
  }

  async #route(action: RouteAction & { readonly kind: 'route' }, signal: AbortSignal): Promise<Result> {
    const { maxRoutes, replyCharacters } = this.#rules.config;
    const query = action.query.trim();
    const named = action.model.trim().toLowerCase();
    const model = this.#models.find(({ descriptor }) => descriptor.name.toLowerCase() === named);
    if (model === undefined) {
      const names = this.#models.map(({ descriptor }) => descriptor.name).join(', ');
      return this.#refuse(action, `There is no model of this name. The models are ${names}.`);
    }
    if (query === '') return this.#refuse(action, 'A model needs a question.');
    if (this.#state.calls.length >= maxRoutes) return this.#refuse(action, 'No calls are left. Answer now.');
    const reply = await model.ask(query, signal);
    const { name } = model.descriptor;
    const text =
      reply.text.length > replyCharacters ? `${reply.text.slice(0, replyCharacters)}…` : reply.text;
    const cost = costOf(model.descriptor, reply);
    const said: RouteObservation = { kind: 'reply', model: name, text };
    this.#write(action, said);
    this.#state = {
      ...this.#state,
      calls: [...this.#state.calls, { model: name, query, text }],
      cost: this.#state.cost + cost,
    };
    return this.#goOn(said, { calls: 1, cost, tokens: reply.tokens, seconds: reply.seconds });
  }

  #answer(action: RouteAction & { readonly kind: 'answer' }): Result {
    const { config } = this.#rules;
    const { alpha, metric, matching, format, cost: scale } = config;
    this.#write(action);
    const { answers } = this.#behind;
    const isMatched = isMatch(action.text, answers, matching);
    const f1 = tokenF1(action.text, answers);
    const names = this.#models.map(({ descriptor }) => descriptor.name);
    const isBroken = format === 'router-r1' && routeFormatFlaw(this.#state.transcript, names) !== undefined;
    const score = metric === 'f1' ? f1 : isMatched ? 1 : 0;
    const isRight = isMatched && !isBroken;
    const stateKey = `${this.stateKey()}|answered`;
    this.#said = { kind: 'judged', isRight };
    return {
      kind: 'terminated',
      outcome: isRight ? 'solved' : 'failed',
      observation: this.#said,
      reward: reward(
        isBroken
          ? { format: -1 }
          : score === 0
            ? {}
            : { outcome: (1 - alpha) * score, ...costTerm(alpha * costReward(this.#state.cost, scale)) },
      ),
      inadmissible: false,
      metrics: { exact: isMatched ? 1 : 0, f1, brokenFormat: isBroken ? 1 : 0 },
      stateKey,
    };
  }

  /** Adds an action, and what it showed, to the transcript. */
  #write(action: RouteAction, shown?: RouteObservation): void {
    if (this.#rules.config.format === 'free') return;
    const parts = [this.#state.transcript, describeAction(withoutWhere(action))];
    const transcript = [...parts, ...(shown === undefined ? [] : [describeObservation(shown)])].join('\n');
    this.#state = { ...this.#state, transcript: transcript.trimStart() };
  }

  #goOn(said: RouteObservation, metrics: Terms = {}): Result {
    this.#said = said;
    return { kind: 'ongoing', ...this.turn(), reward: reward({}), inadmissible: false, metrics };
  }

  #refuse(action: RouteAction, message: string): Result {
    const said: RouteObservation = { kind: 'refused', message };
    this.#write(action, { kind: 'reply', model: '', text: message });
    this.#said = said;
    return { kind: 'ongoing', ...this.turn(), reward: reward({}), inadmissible: true };
  }

  #offered(): readonly RouteAction[] {
    return offeredActions({
      question: this.#asked.question,
      models: this.#models.map(({ descriptor }) => descriptor),
      replies: this.#state.calls,
      canCall: this.#state.calls.length < this.#rules.config.maxRoutes,
    });
  }

  /** The last reply and all calls, but not their order. */
  #anchorKey(): string {
    const { task, calls } = this.#state;
    const made = calls.map(({ model, query, text }) => JSON.stringify([model, query, text]));
    const all = [made.at(-1), made.toSorted()];
    return `${task.panel}/${task.index}|${shortDigest(JSON.stringify(all))}`;
  }
}

const costTerm = (paid: number): Terms => (paid === 0 ? {} : { cost: paid });

/** The action as the tags have it. */
function withoutWhere(action: RouteAction): RouteAction {
  if (action.kind === 'think') return action;
  const { where: _where, ...rest } = action;
  return rest;
}
