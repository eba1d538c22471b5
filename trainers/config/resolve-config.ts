import type { EnvHost } from '../../envs/core/env.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { UnavailablePanel, PanelInfo } from '../../envs/core/task.ts';
import type { TrainConfig } from './config.ts';

/**
 * The number of demonstrations if the env has a searcher and the config gives none. It is half of the
 * maximum. With five families, or a task whose start varies, six demonstrations of each still cover the
 * variants, and cloning them takes seconds.
 */
export const defaultDemonstrations = 32;

/** A training config in which the keys that depend on the env are resolved. */
export type ResolvedTrainConfig = Omit<TrainConfig, 'devPanel' | 'finalPanels' | 'warmStart'> & {
  readonly devPanel: string;
  readonly finalPanels: readonly string[];
  readonly warmStart: TrainConfig['warmStart'] & { readonly episodes: number };
};

/**
 * Resolves the keys that depend on the env. These are the demonstrations if it has a searcher, the panel for
 * model selection, and its first held-out panel. The run then ends with a table of before and after.
 * @throws UsageError if no panel for model selection exists and none is named
 */
export function resolveConfig(
  config: TrainConfig,
  {
    panels,
    unavailablePanels: emptied,
    experts,
  }: Pick<EnvHost<unknown, unknown>, 'panels' | 'unavailablePanels' | 'experts'>,
): ResolvedTrainConfig {
  const { warmStart, policy } = config;
  // initial weights were trained before
  const clones = policy.model === undefined && experts?.searcher !== undefined;
  const heldOut = panels.find(({ purpose }) => purpose === 'held-out');
  return {
    ...config,
    devPanel: config.devPanel ?? usualDevPanel(config.env, panels, emptied ?? []),
    finalPanels: config.finalPanels ?? (heldOut === undefined ? [] : [heldOut.name]),
    warmStart: { ...warmStart, episodes: warmStart.episodes ?? (clones ? defaultDemonstrations : 0) },
  };
}

function usualDevPanel(
  env: string,
  panels: readonly PanelInfo[],
  emptied: readonly UnavailablePanel[],
): string {
  const open = panels.filter(({ purpose }) => purpose !== 'held-out');
  const usual = open.find(({ name }) => name === 'dev') ?? open.find(({ purpose }) => purpose === 'dev');
  if (usual !== undefined) return usual.name;
  const [trained] = open;
  const heldOut = panels.flatMap(({ name, purpose }) => (purpose === 'held-out' ? [name] : []));
  const there = [
    ...open.map(({ name }) => name),
    ...(heldOut.length === 0 ? [] : [`${heldOut.join(', ')} (held out: never used for model selection)`]),
  ];
  const lost = emptied.find(({ name }) => name === 'dev');
  throw new UsageError({
    where: 'training config, devPanel',
    what: `${env}, as opened, has no panel "dev" and no other panel for model selection: it has ${there.join(', ')}${lost === undefined ? '' : `; dev is empty: ${lost.why}`}.`,
    fix: `Open it with more data or with a panel of purpose "dev"${trained === undefined ? '' : `, or select on training tasks: --with devPanel=${trained.name}`}.`,
  });
}

/**
 * Why a run of that config ends without a table of before and after, and how to get one; undefined if it has
 * one.
 */
export function tableRefusal(
  { finalPanels, devPanel }: ResolvedTrainConfig,
  { panels }: Pick<EnvHost<unknown, unknown>, 'panels'>,
): string | undefined {
  if (finalPanels.length > 0) return undefined;
  const heldOut = panels.find(({ purpose }) => purpose === 'held-out');
  const why =
    heldOut === undefined
      ? 'the environment has no held-out panel to play at the end'
      : 'finalPanels is empty';
  const how =
    heldOut === undefined
      ? `Give it a panel of purpose "held-out", or play ${devPanel}: --final-panel ${devPanel}.`
      : `To get one: --final-panel ${heldOut.name}.`;
  return `No table of before and after: ${why}. ${how}`;
}
