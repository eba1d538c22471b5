import { assertTask, type PanelInfo, type TaskRef, type UnavailablePanel } from '../../../core/task.ts';
import type { Misleads, Question } from './question.ts';

/** The panels of questions. */
export interface QuestionSource {
  readonly panels: readonly PanelInfo[];
  readonly unavailablePanels: readonly UnavailablePanel[];
  /** @throws UsageError where the task does not exist */
  question(ref: TaskRef): Question;
  /** Whether a document misleads, where that is known. */
  readonly misleads: Misleads;
}

const purposes = { train: 'train', dev: 'dev', test: 'held-out' } as const;
const panelNames = ['train', 'dev', 'test'] as const;
export type PanelName = (typeof panelNames)[number];

/** The panels of lists of questions, which may be made when they are first asked for. */
export function questionSource(
  panels: Readonly<Record<PanelName, { readonly size: number; readonly list: () => readonly Question[] }>>,
  options: {
    /** The id of the env, for errors. */
    readonly env: string;
    readonly summary: (name: PanelName) => string;
    readonly misleads: Misleads;
    /** Why a panel has no question, where files are not the reason. */
    readonly empty?: { readonly why: string; readonly fix: string };
  },
): QuestionSource {
  const made = new Map<string, readonly Question[]>();
  const infos = panelNames.flatMap((name): readonly PanelInfo[] => {
    const { size } = panels[name];
    return size === 0 ? [] : [{ name, size, purpose: purposes[name], summary: options.summary(name) }];
  });
  const unavailablePanels = panelNames
    .filter((name) => panels[name].size === 0)
    .map((name) => ({
      name,
      why: 'no question of the files falls into it',
      fix: `Give a file for it with questions.${name}`,
      ...options.empty,
    }));
  return {
    panels: infos,
    unavailablePanels,
    misleads: options.misleads,
    question: (ref) => {
      assertTask({ panels: infos, unavailablePanels }, options.env, ref);
      const name = panelNames.find((known) => known === ref.panel) ?? 'train';
      let list = made.get(name);
      if (list === undefined) made.set(name, (list = panels[name].list()));
      return list[ref.index] as Question;
    },
  };
}
