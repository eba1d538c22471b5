import { parseQuestion } from '../engines/questions/world/parse-question.ts';
import type { Relation } from '../engines/questions/world/relations.ts';
import type { Entity } from '../engines/questions/world/world-graph.ts';
import { factQuestion, type Knowledge } from './models/knowledge.ts';
import type { SimulatedModel } from './models/simulated-model.ts';

/** A call of a plan. */
export interface PlannedCall {
  readonly model: string;
  readonly query: string;
}

export interface CheapestPlan {
  readonly calls: readonly PlannedCall[];
  /** Millionths of a dollar. */
  readonly cost: number;
}

/**
 * The calls with the lowest cost that lead to the answer, by what the models know: the whole question to one model, or one
 * question for each fact. Undefined where no calls lead there.
 */
export function cheapestPlan(
  question: string,
  { knowledge, models }: { readonly knowledge: Knowledge; readonly models: readonly SimulatedModel[] },
): CheapestPlan | undefined {
  const parsed = parseQuestion(question);
  const start = parsed === undefined ? undefined : knowledge.entityCalled(parsed.subject);
  if (parsed === undefined || start === undefined) return undefined;
  const plans = [inOneCall(question), inSteps(start, parsed.relations)];
  return plans.filter((plan) => plan !== undefined).toSorted((one, other) => one.cost - other.cost)[0];

  function inOneCall(query: string): CheapestPlan | undefined {
    if (start === undefined || parsed === undefined) return undefined;
    const chain = { subject: start, relations: parsed.relations };
    return cheapest(query, (model) => {
      const facts = knowledge.facts(model.specialist, chain);
      return facts.length === parsed.relations.length && facts.every(({ isRight }) => isRight);
    });
  }

  function inSteps(first: Entity, relations: readonly Relation[]): CheapestPlan | undefined {
    let plan: CheapestPlan = { calls: [], cost: 0 };
    let subject: Entity | string = first;
    for (const relation of relations) {
      if (typeof subject === 'string') return undefined;
      const entity: Entity = subject;
      const query = factQuestion(relation, knowledge.textOf(entity));
      const step = cheapest(query, ({ specialist }) => knowledge.fact(specialist, entity, relation).isRight);
      if (step === undefined) return undefined;
      plan = { calls: [...plan.calls, ...step.calls], cost: plan.cost + step.cost };
      subject = knowledge.right(entity, relation);
    }
    return plan;
  }

  function cheapest(query: string, knows: (model: SimulatedModel) => boolean): CheapestPlan | undefined {
    return models
      .filter(knows)
      .map((model) => ({
        calls: [{ model: model.descriptor.name, query }],
        cost: model.costOf(query),
      }))
      .toSorted((one, other) => one.cost - other.cost)[0];
  }
}
