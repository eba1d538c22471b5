import type { ResetContext } from '../../core/context.ts';
import { UsageError } from '../../core/errors.ts';
import { createRng, type Rng } from '../../core/rng.ts';
import type { TaskRef } from '../../core/task.ts';
import { LruCache } from '../../kit/lru-cache.ts';
import { openQuestionFiles } from '../../engines/questions/files/open-question-files.ts';
import type { PanelName, QuestionSource } from '../../engines/questions/files/question-source.ts';
import { openWorldQuestions } from '../../engines/questions/world/open-world-questions.ts';
import { WorldGraph } from '../../engines/questions/world/world-graph.ts';
import type { RouteConfig } from '../config.ts';
import { cheapestPlan } from '../cheapest-plan.ts';
import type { CalledModel } from './descriptor.ts';
import { Knowledge } from './knowledge.ts';
import { drawPool, rosterOf } from './roster.ts';
import { ServedModel } from './served-model.ts';
import { SimulatedModel } from './simulated-model.ts';

/** Simulated models, and what they know. */
export interface Simulation {
  readonly knowledge: Knowledge;
  readonly models: readonly SimulatedModel[];
}

/** Questions with the models that may be called for them. */
export interface RouteSource {
  readonly questions: QuestionSource;
  /** The models of a task. */
  models(ref: TaskRef): readonly CalledModel[];
  /** What is hidden behind simulated models; undefined where models are served. */
  simulation(ref: TaskRef): Simulation | undefined;
  close(): Promise<void>;
}

/** Pages of the world behind the questions. Its pages are never shown, only its facts matter. */
const documents = 1_000;
const keptPools = 2_000;
/** Draws of models for a question. With a large model in each, one of a few knows the way to the answer. */
const mostDraws = 500;

/**
 * Opens questions and models.
 *
 * @throws UsageError where a file of questions or a model of a server cannot be used
 */
export async function openSource(config: RouteConfig, context: ResetContext): Promise<RouteSource> {
  const { models } = config;
  return models === undefined ? openSimulation(config) : openServed({ ...config, models }, context);
}

function openSimulation({ questions, world, pool }: RouteConfig): RouteSource {
  if (questions !== undefined)
    throw new UsageError({
      where: 'route-v1, questions',
      what: 'simulated models know the generated world only.',
      fix: 'Name models of servers with models, or leave questions out.',
    });
  const graph = new WorldGraph({ ...world, documents });
  const rng = createRng(world.seed).fork('route-v1');
  const knowledge = new Knowledge(graph, rng);
  const source = openWorldQuestions('route-v1', { ...world, documents });
  const rosters = {
    train: rosterOf(rng, 'train'),
    dev: rosterOf(rng, 'dev'),
    test: rosterOf(rng, 'test'),
  };
  const pools = new LruCache<string, readonly SimulatedModel[]>(keptPools);
  const poolOf = (ref: TaskRef): readonly SimulatedModel[] =>
    pools.get(`${ref.panel}/${ref.index}`, () => {
      const { question } = source.question(ref);
      const name = panelNameOf(ref.panel);
      const own = rng.fork('pools').fork(name).fork(ref.index);
      return solvablePool({ question, knowledge, rng: own, size: pool, roster: rosters[name], replies: rng });
    });
  return {
    questions: source,
    models: poolOf,
    simulation: (ref) => ({ knowledge, models: poolOf(ref) }),
    close: () => Promise.resolve(),
  };
}

const panelNameOf = (panel: string): PanelName => (panel === 'dev' || panel === 'test' ? panel : 'train');

/** The first draw of models of which some know each fact, so that every task can be solved by calls. */
function solvablePool(of: {
  readonly question: string;
  readonly knowledge: Knowledge;
  readonly roster: ReturnType<typeof rosterOf>;
  readonly size: number;
  readonly rng: Rng;
  readonly replies: Rng;
}): readonly SimulatedModel[] {
  const { question, knowledge, roster, size, rng, replies } = of;
  for (let draw = 0; draw < mostDraws; draw += 1) {
    const models = drawPool(rng.fork(draw), roster, size).map(
      (specialist) => new SimulatedModel(specialist, knowledge, replies),
    );
    if (cheapestPlan(question, { knowledge, models }) !== undefined) return models;
  }
  throw new UsageError({
    where: `route-v1, question ${JSON.stringify(question)}`,
    what: `${mostDraws} draws gave no models that know the way to the answer.`,
    fix: 'Use another world.seed, or fewer world.hops.',
  });
}

async function openServed(
  config: RouteConfig & { readonly models: NonNullable<RouteConfig['models']> },
  context: ResetContext,
): Promise<RouteSource> {
  const { questions, questionForm, world } = config;
  const { system, now } = context;
  const source =
    questions === undefined
      ? openWorldQuestions('route-v1', { ...world, documents })
      : await openQuestionFiles({ env: 'route-v1', files: questions, form: questionForm }, context);
  const models = config.models.map((model) => new ServedModel(model, { system, now }));
  return {
    questions: source,
    models: () => models,
    simulation: () => undefined,
    close: async () => {
      await Promise.all(models.map((model) => model.close()));
    },
  };
}
