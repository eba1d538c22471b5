import type { PanelInfo } from '../../../envs/core/task.ts';
import type { ResolvedTrainConfig } from '../../config/resolve-config.ts';

/** Warnings before the training starts: configs that can run but will disappoint. */
export function warningsOf(config: ResolvedTrainConfig, panels: readonly PanelInfo[]): readonly string[] {
  return [warnOfClips(config), warnOfPanels(config, panels), warnOfFinalPanels(config, panels)].filter(
    (warning) => warning !== undefined,
  );
}

/** Warns of a final panel that is also used for model selection. */
export function warnOfFinalPanels(
  { finalPanels, devPanel }: Pick<ResolvedTrainConfig, 'finalPanels' | 'devPanel'>,
  panels: readonly PanelInfo[],
): string | undefined {
  if (!finalPanels.includes(devPanel)) return undefined;
  const heldOut = panels.find(({ purpose }) => purpose === 'held-out');
  const how = heldOut === undefined ? '' : `. Play a panel that is held out: --final-panel ${heldOut.name}`;
  return `${devPanel} is also used for model selection: final results on it overestimate other tasks${how}`;
}

/** Warns of a dev panel that is trained on, if the env has another panel for either. */
export function warnOfPanels(
  { panel, devPanel }: Pick<ResolvedTrainConfig, 'panel' | 'devPanel'>,
  panels: readonly PanelInfo[],
): string | undefined {
  const others = panels.filter(({ name, purpose }) => name !== devPanel && purpose !== 'held-out');
  const other = others.find(({ purpose }) => purpose === 'dev') ?? others[0];
  if (panel !== devPanel || other === undefined) return undefined;
  const how =
    other.purpose === 'dev'
      ? `Select on another panel: --with devPanel=${other.name}`
      : `Train on another panel: --panel ${other.name}`;
  return `${devPanel} is also trained on: its curve and the best checkpoint say nothing about other tasks. ${how}`;
}

/**
 * The ratio of a whole row is a geometric mean over its tokens and seldom differs from 1 by more than this.
 */
const widest = 0.01;

/** Warns of clip ranges that are too wide for ratios of whole rows (GSPO). */
export function warnOfClips({
  policy,
  update: { clipLow, clipHigh },
}: Pick<ResolvedTrainConfig, 'policy' | 'update'>): string | undefined {
  if (policy.kind !== 'token' || policy.loss.ratio !== 'sequence' || Math.max(clipLow, clipHigh) <= widest)
    return undefined;
  return (
    `policy.loss.ratio=sequence clips the ratio of whole rows, which stays near 1: update.clipLow ${clipLow} and update.clipHigh ${clipHigh} are meant for tokens and clip almost nothing. ` +
    'GSPO uses --with update.clipLow=3e-4 --with update.clipHigh=4e-4 --with policy.loss.aggregation.unit=sequence'
  );
}
