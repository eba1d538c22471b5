import type { ResetContext } from '../core/context.ts';
import type { EnvHost } from '../core/env.ts';
import type { Json } from '../core/json.ts';
import type { TaskRef } from '../core/task.ts';
import { contentOf, familyOf } from '../engines/questions/files/question.ts';
import type { RouteAction } from './action.ts';
import { routeBaselines } from './baselines.ts';
import { cheapestPlan } from './cheapest-plan.ts';
import type { RouteConfig } from './config.ts';
import { RouteEnv } from './env.ts';
import { instructionOf, type RouteRules } from './episode.ts';
import { openSource, type RouteSource } from './models/pools.ts';
import { servedIdentity } from './models/served-model.ts';
import type { RouteObservation } from './observation.ts';
import { RouteSearcher } from './searcher.ts';
import { swapHiddenIn } from './swap-hidden.ts';

/** Changes whenever models, questions or replies of an equal config would change. */
const simulationVersion = 1;

/**
 * Opens questions and the models that can be called.
 *
 * @throws UsageError where a file or a model cannot be used
 */
export async function openRoute(
  config: RouteConfig,
  context: ResetContext,
): Promise<EnvHost<RouteObservation, RouteAction>> {
  const source = await openSource(config, context);
  const { questions } = source;
  const question = (ref: TaskRef) => questions.question(ref);
  const rules: RouteRules = { config, question, models: (ref) => source.models(ref) };
  const isSimulated = config.models === undefined;
  return {
    panels: questions.panels,
    unavailablePanels: questions.unavailablePanels,
    identity: identityOf(config),
    describeTask: (ref) => {
      const asked = question(ref);
      return {
        family: familyOf(asked),
        instruction: instructionOf(asked, source.models(ref)),
        content: isSimulated
          ? { question: contentOf(asked), models: source.models(ref).map((model) => model.descriptor.name) }
          : contentOf(asked),
      };
    },
    create: () => Promise.resolve(new RouteEnv(rules)),
    close: () => source.close(),
    experts: {
      planner: (ref) => planFor(ref, source),
      ...(isSimulated && config.mode === 'choices' ? { searcher: (rng) => new RouteSearcher(rng) } : {}),
      baselines: routeBaselines(rules),
    },
    audit: { swapHidden: swapHiddenIn(questions) },
  };
}

/** The calls with the lowest cost that lead to the answer, where models are simulated; then the answer. The oracle. */
function planFor(ref: TaskRef, source: RouteSource): readonly RouteAction[] {
  const { question, answers } = source.questions.question(ref);
  const simulation = source.simulation(ref);
  const calls = simulation === undefined ? [] : (cheapestPlan(question, simulation)?.calls ?? []);
  return [
    ...calls.map(({ model, query }): RouteAction => ({ kind: 'route', model, query })),
    { kind: 'answer', text: answers[0] ?? '' },
  ];
}

/** What results depend on: without paths, limits of requests and addresses. */
function identityOf(config: RouteConfig): Json {
  const { models, questions, pool, world, mode, alpha, cost, metric, matching, format } = config;
  const { maxRoutes, maxSteps, replyCharacters } = config;
  return {
    ...(models === undefined
      ? { simulation: simulationVersion, pool }
      : { models: models.map(servedIdentity) }),
    ...(questions === undefined ? { world: { ...world, hops: [...world.hops] } } : {}),
    mode,
    alpha,
    cost: { ...cost },
    metric,
    matching,
    format,
    maxRoutes,
    maxSteps,
    replyCharacters,
  };
}
