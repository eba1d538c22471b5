import type { PanelInfo } from '../../envs/core/task.ts';

/** What is looked for where the user names no panel. */
export interface PanelWishes {
  /** The panel that is usual; undefined where any of the others is as good. */
  readonly usual: string | undefined;
  /** Names, then purposes, that do as well, the best first; any panel does before none. */
  readonly names: readonly string[];
  readonly purposes: readonly PanelInfo['purpose'][];
  /** Is called with one line if the panel is not the usual one. */
  readonly say: (line: string) => void;
}

/** The panel that is played where the user names none: small data may leave out the usual one, such as `dev`. */
export function defaultPanel(
  panels: readonly PanelInfo[],
  { usual, names, purposes, say }: PanelWishes,
): string {
  const byName = [...(usual === undefined ? [] : [usual]), ...names].flatMap((wanted) =>
    panels.filter(({ name }) => name === wanted),
  );
  const byPurpose = purposes.flatMap((wanted) => panels.filter(({ purpose }) => purpose === wanted));
  const [chosen] = [...byName, ...byPurpose, ...panels];
  if (chosen === undefined) return usual ?? 'dev'; // what reads the panel says that there is none
  if (usual !== undefined && chosen.name !== usual)
    say(
      `there is no panel ${usual}: ${chosen.name} is played, of ${chosen.size} ${chosen.size === 1 ? 'task' : 'tasks'}; --panel names another`,
    );
  return chosen.name;
}
