import { basename, join } from 'node:path';
import { loadChatFormat } from '../../agents/render/chat-format.ts';
import type { StoredGroup } from '../../agents/rollout/store/skim-store.ts';
import type { DamagedStretch } from '../../agents/rollout/store/walk-groups.ts';
import { createContext, type Context } from '../../envs/core/context.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { Registry } from '../../envs/core/registry.ts';
import type { ValidatedEstimator } from '../../trainers/credit/validation/validated-estimator.ts';
import type { CreditOfRun } from '../../trainers/run/open-run-credit.ts';
import { policyFolder } from '../../trainers/run/checkpoint-names.ts';
import { promptFile } from '../../trainers/policy/tokens/prompt-format.ts';
import { readRun, type RunContent } from '../read/read-run.ts';
import { findCheckpoint } from '../../trainers/run/checkpoint-store.ts';
import { runPaths } from '../../trainers/run/open-run.ts';
import { chatRows, episodeRow, stepRows, tokenRowsOf, type EpisodeRows } from './episode-rows.ts';
import { loadTokenWords, Retelling } from './retelling.ts';
import { wellFormedRow, type EpisodeKind, type Row, type RowKind } from './row.ts';
import { openStored, passes, readEpisodes, type EpisodeFilter, type StoredSource } from './stored-source.ts';
import { Tally } from './tally.ts';

export interface ExportChoice extends EpisodeFilter {
  /** The folder of a run, a folder of kept episodes, or a file of trajectories. */
  readonly run: string;
  readonly prompt?: string | undefined;
  readonly tokenizer?: string | undefined;
}

/** What an export takes from its caller. */
export interface ExportSetting extends Pick<Context, 'now' | 'signal'> {
  readonly log: (line: string) => void;
  readonly onProgress: (done: number, total: number) => void;
  /** The envs whose texts and actions can be written out. */
  readonly openRegistry: () => Promise<Registry<readonly AnyEnvDefinition[]>>;
  /** The estimator of a run; undefined where the episodes belong to no run. */
  readonly openCredit: (run: CreditOfRun | undefined) => Promise<ValidatedEstimator | undefined>;
}

/** What is exported: the rows as they come, and what can be said of them when they have. */
export interface Export {
  readonly rows: AsyncIterable<Row>;
  /** Undefined where there is nothing to say. */
  readonly tally: Tally | undefined;
  /** What could not be read and was left out; it grows with the rows. */
  readonly damage: readonly DamagedStretch[];
}

/**
 * Exports a run, or the episodes of several folders one after the other, such as those of several players. The filters apply to all of them:
 * a limit counts over all folders.
 *
 * @param choice.folders the folders whose episodes are exported; default: `run` alone
 * @throws UsageError for what can be refused before the first row
 */
export async function exportRows(
  what: RowKind,
  { folders, ...choice }: ExportChoice & { readonly folders?: readonly string[] },
  setting: ExportSetting,
): Promise<Export> {
  if (what === 'metrics' || what === 'timings' || what === 'results')
    return { rows: eachWellFormed(runRows(choice.run, what)), tally: undefined, damage: [] };
  const tally = new Tally();
  const damage: DamagedStretch[] = [];
  const parts: AsyncIterable<Row>[] = [];
  for (const run of folders ?? [choice.run]) {
    const source = await openStored(run, choice, { say: setting.log, signal: setting.signal });
    damage.push(...source.damage);
    const make = await makerOf(what, { choice: { ...choice, run }, source, tally }, setting);
    parts.push(episodes(source, { what, make, filter: choice, tally, damage }, setting));
  }
  return { rows: eachWellFormed(inTurn(parts)), tally: isTold(what) ? tally : undefined, damage };
}

async function* inTurn(parts: readonly AsyncIterable<Row>[]): AsyncGenerator<Row> {
  for (const part of parts) yield* part;
}

async function* eachWellFormed(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  for await (const row of rows) yield wellFormedRow(row);
}

/** Kinds that people train on, so left-out episodes are reported. */
const isTold = (what: EpisodeKind): boolean => what === 'chat' || what === 'token-rows';

async function* runRows(folder: string, what: 'metrics' | 'timings' | 'results'): AsyncGenerator<Row> {
  const run = await readRun(folder); // also refuses a folder that is no run
  assertWhole(run, what);
  if (what === 'results')
    yield* run.results.flatMap((result) =>
      result.episodes.map((row) => ({ agent: result.agent, panel: result.panel.name, ...row })),
    );
  else yield* run[what];
}

/** @throws UsageError where what would be exported is not as the run wrote it */
export function assertWhole(run: RunContent, what: 'metrics' | 'timings' | 'results'): void {
  const [damage] =
    what === 'results'
      ? [...run.leftOut, ...run.notAsWritten]
      : run.damagedLogs.filter(({ parts }) => basename(parts.where).startsWith(what));
  if (damage !== undefined) throw damage;
}

async function makerOf(
  what: EpisodeKind,
  {
    choice,
    source,
    tally,
  }: { readonly choice: ExportChoice; readonly source: StoredSource; readonly tally: Tally },
  setting: ExportSetting,
): Promise<EpisodeRows> {
  if (what === 'episodes') return episodeRow;
  if (what === 'steps') return stepRows;
  const { identity } = source;
  const estimator = what === 'chat' ? undefined : await creditFor(choice, source, setting);
  const { prompt, tokenizer } = await wordsFor(choice, source);
  const tokens = tokenizer === undefined ? undefined : await loadTokenWords(tokenizer);
  if (what === 'chat' && source.ofModel && choice.tokenizer !== undefined)
    await assertOwnTokenizer(choice.tokenizer, await modelOf(choice.run));
  const retelling = new Retelling({ prompt, identity, tokens }, await setting.openRegistry());
  if (estimator === undefined) return chatRows({ retelling, hasTokenizer: tokens !== undefined, tally });
  const unheard = (['tokenizer', 'prompt'] as const).find((name) => choice[name] !== undefined);
  return tokenRowsOf(
    { retelling, tokens, estimator, tally, unheard },
    createContext({ seed: 0, now: setting.now, signal: setting.signal }),
  );
}

async function creditFor(
  { run }: ExportChoice,
  { ofRun }: StoredSource,
  { openCredit }: ExportSetting,
): Promise<ValidatedEstimator> {
  const estimator = await openCredit(ofRun);
  if (estimator !== undefined) return estimator;
  throw new UsageError({
    where: run,
    what: 'it has no credit settings, so that no advantages can be told: these episodes are of no run.',
    fix: 'Name the folder of a run, or use --what chat.',
  });
}

/** Prompt and tokenizer as they were given, or else those of the model that the run trains. */
async function wordsFor(
  { run, prompt, tokenizer }: ExportChoice,
  { ofModel }: StoredSource,
): Promise<Pick<ExportChoice, 'prompt' | 'tokenizer'>> {
  if (!ofModel || (prompt !== undefined && tokenizer !== undefined)) return { prompt, tokenizer };
  const model = await modelOf(run);
  return { prompt: prompt ?? join(model, promptFile), tokenizer: tokenizer ?? model };
}

/** The folder of the model that the run trains, in its newest checkpoint. */
async function modelOf(run: string): Promise<string> {
  const { folder } = await findCheckpoint(runPaths(run).checkpoints, 'last');
  return join(folder, policyFolder);
}

/** By another tokenizer the tokens that a model wrote would be other words. */
async function assertOwnTokenizer(given: string, model: string): Promise<void> {
  const [one, other] = await Promise.all(
    [given, model].map(async (folder) => (await loadChatFormat(folder)).fingerprint),
  );
  if (one === other) return;
  throw new UsageError({
    where: `--what chat, --tokenizer ${given}`,
    what: 'it is not the one by which the model of this run wrote.',
    fix: `Leave it out: the run has its own, in ${model}.`,
  });
}

async function* episodes(
  source: StoredSource,
  {
    what,
    make,
    filter,
    tally,
    damage,
  }: {
    readonly what: EpisodeKind;
    readonly make: EpisodeRows;
    readonly filter: EpisodeFilter;
    readonly tally: Tally;
    readonly damage: DamagedStretch[];
  },
  setting: ExportSetting,
): AsyncGenerator<Row> {
  const total = source.groups.reduce((sum, { stored }) => sum + stored.members, 0);
  let done = 0;
  let damaged = 0;
  const onDamage = ({ members }: StoredGroup, stretch: DamagedStretch): void => {
    damage.push(stretch);
    done += members;
    damaged += 1;
  };
  for await (const episode of readEpisodes(source, { signal: setting.signal, onDamage })) {
    if (tally.exported === filter.limit) break;
    if (filter.limit === undefined || filter.limit >= total) setting.onProgress(done, total);
    else setting.onProgress(tally.exported, filter.limit);
    done += 1;
    const { trajectory } = episode;
    if (!passes(trajectory, filter)) tally.filtered += 1;
    else if (!isTold(what) || !tally.refuse(trajectory)) {
      const rows = await make(episode);
      tally.take(trajectory, rows.length);
      yield* rows;
    }
  }
  const [first] = damage;
  if (first !== undefined && damaged === source.groups.length) throw first.error; // there is nothing else to export
  tally.unread += total - done;
}
