import { questionSource, type PanelName, type QuestionSource } from '../files/question-source.ts';
import { WorldGraph, type WorldOptions } from './world-graph.ts';
import { worldPanels, worldQuestions } from './world-questions.ts';

/** The questions about a generated world. They are drawn when a panel is first asked for. */
export function openWorldQuestions(
  env: string,
  { seed, documents, wordings, hops }: WorldOptions & { readonly hops: readonly number[] },
): QuestionSource {
  const graph = new WorldGraph({ seed, documents, wordings });
  const panelOf = (name: PanelName) => {
    const panel = worldPanels.find((known) => known.name === name) ?? worldPanels[0];
    return {
      size: panel?.size ?? 0,
      list: () => (panel === undefined ? [] : worldQuestions(graph, seed, panel, hops)),
    };
  };
  return questionSource(
    { train: panelOf('train'), dev: panelOf('dev'), test: panelOf('test') },
    {
      env,
      summary: (name) =>
        name === 'train'
          ? 'questions about a generated world'
          : 'questions about people, works and places that no other panel has',
      misleads: (id) =>
        /^\d{1,7}$/.test(id) && Number(id) < documents
          ? graph.page(Number(id)).wrong !== undefined
          : undefined,
    },
  );
}
