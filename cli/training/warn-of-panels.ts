import type { PanelInfo } from '../../envs/core/task.ts';
import type { SettledTrainConfig } from '../../trainers/config/settle-config.ts';

/** That a run ends with the panel that it chose on; undefined where it does not. */
export function warnOfFinalPanels(
  { finalPanels, devPanel }: Pick<SettledTrainConfig, 'finalPanels' | 'devPanel'>,
  panels: readonly PanelInfo[],
): string | undefined {
  if (!finalPanels.includes(devPanel)) return undefined;
  const heldOut = panels.find(({ purpose }) => purpose === 'held-out');
  const how = heldOut === undefined ? '' : `. Play a panel that is held out: --final-panel ${heldOut.name}`;
  return `${devPanel} is also chosen on: what the run ends with there is too good for other tasks${how}`;
}

/** That a run chooses on the tasks that it is trained on, though the env has others for one of both; undefined where it does not, or cannot do better. */
export function warnOfPanels(
  { panel, devPanel }: Pick<SettledTrainConfig, 'panel' | 'devPanel'>,
  panels: readonly PanelInfo[],
): string | undefined {
  const others = panels.filter(({ name, purpose }) => name !== devPanel && purpose !== 'held-out');
  const other = others.find(({ purpose }) => purpose === 'dev') ?? others[0];
  if (panel !== devPanel || other === undefined) return undefined;
  const how =
    other.purpose === 'dev'
      ? `Choose on another panel: --with devPanel=${other.name}`
      : `Train on another panel: --panel ${other.name}`;
  return `${devPanel} is also trained on: its curve and the best checkpoint tell nothing of other tasks. ${how}`;
}
