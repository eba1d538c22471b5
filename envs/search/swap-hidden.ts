import type { Audit } from '../core/env.ts';
import type { Json } from '../core/json.ts';
import type { TaskRef } from '../core/task.ts';
import type { SearchAction } from './action.ts';
import type { RewardWeights } from './reward/reward-terms.ts';
import type { QuestionSource } from '../engines/questions/files/question-source.ts';
import { readPoint } from './snapshot.ts';

const mostTries = 50;

/** Puts the answers of another question behind the same one: they show only where an answer, or a search, is paid for. */
export function swapHiddenIn(
  source: QuestionSource,
  weights: RewardWeights,
): NonNullable<Audit<SearchAction>['swapHidden']> {
  const revealing: ReadonlySet<SearchAction['kind']> = new Set(
    weights.retrieval > 0 ? ['answer', 'search', 'open'] : ['answer'],
  );
  return (snapshot, rng) => {
    const { state } = readPoint(snapshot);
    const own = source.question(state.behind);
    const size = source.panels.find(({ name }) => name === state.task.panel)?.size ?? 0;
    for (let attempt = 0; attempt < mostTries; attempt += 1) {
      const behind: TaskRef = { panel: state.task.panel, index: rng.int(size) };
      if (source.question(behind).answers.some((answer) => own.answers.includes(answer))) continue;
      const world = snapshot.world as Readonly<Record<string, Json>>;
      return {
        snapshot: { ...snapshot, world: { ...world, behind: { ...behind }, hits: [] } },
        reveals: ({ kind }) => revealing.has(kind),
      };
    }
    return undefined;
  };
}
