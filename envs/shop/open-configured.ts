import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ResetContext } from '../core/context.ts';
import type { Json } from '../core/json.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import { TallySums } from './catalogue/opening-report.ts';
import { fileDigest, readAtEachOpening } from './catalogue/original/file-digest.ts';
import { tellingLine } from './catalogue/original/tell-line.ts';
import type { ShopConfig } from './config.ts';
import { openShop, type ShopHost } from './host.ts';
import { openGenerated } from './open-generated.ts';
import { openOriginal, type Assortment, type OpeningPlace } from './open-original.ts';
import { checkTitles, nounFileFixes, readRecordedNouns } from './reward/recorded-nouns.ts';
import { scorePurchase } from './reward/score-purchase.ts';
import type { NounSource } from './reward/score.ts';
import { tagNouns } from './reward/tagged-nouns.ts';

type OpeningContext = Pick<OpeningPlace, 'signal' | 'report' | 'tell'>;

/**
 * Opens the configured shop: reads or creates products and goals, and loads the source of nouns. Errors in
 * files name the line.
 */
export function openConfigured(config: ShopConfig, context: OpeningContext): Promise<ShopHost> {
  return tellingLine(context.signal, () => openTelling(config, context));
}

/** The same, with progress reported as events of a context. */
export function openInContext(config: ShopConfig, { path, signal, log }: ResetContext): Promise<ShopHost> {
  return openConfigured(config, {
    signal,
    report: (part, done, total, unit) =>
      log.event(path, { type: 'opening-advance', part, done, total, unit }),
    tell: (part, name, count) => log.event(path, { type: 'opening-tally', part, name, count }),
  });
}

/** Sums reports, because several files may report the same thing. */
async function openTelling(config: ShopConfig, context: OpeningContext): Promise<ShopHost> {
  const { tell } = context;
  if (tell === undefined) return openParts(config, context);
  const sums = new TallySums();
  try {
    return await openParts(config, { ...context, tell: sums.add });
  } finally {
    sums.tellAll(tell);
  }
}

async function openParts(config: ShopConfig, context: OpeningContext): Promise<ShopHost> {
  const { catalogue: choice, observationMode, strict, showAttributes, maxSteps } = config;
  const at = { cacheFolder: config.cacheFolder ?? join(homedir(), '.cache', 'cairn-gym'), ...context };
  const nouns = await openNouns(config.nouns, at);
  const assortment: Assortment =
    choice.kind === 'original' ? await openOriginal(choice, at) : await openGenerated(choice, at);
  const { catalogue, panels } = assortment;
  if (nouns.source.origin.recorded)
    await closingOnError(catalogue, () => checkTitles(nouns.source, catalogue));
  const identity = {
    catalogue: assortment.identity,
    nouns: nouns.identity,
    observationMode,
    strict,
    showAttributes,
    maxSteps,
  };
  return {
    ...openShop(
      { catalogue, panels, nouns: nouns.source, score: scorePurchase },
      { observationMode, strict, showAttributes },
    ),
    identity,
  };
}

async function closingOnError(catalogue: Catalogue, check: () => void): Promise<void> {
  try {
    check();
  } catch (thrown) {
    await catalogue.close();
    throw thrown;
  }
}

/** Recorded nouns are identified by the content of their file. */
async function openNouns(
  choice: ShopConfig['nouns'],
  at: OpeningPlace,
): Promise<{ readonly source: NounSource; readonly identity: Json }> {
  if (choice.kind === 'tagger') {
    const source = tagNouns();
    return { source, identity: { ...source.origin } };
  }
  const { sha256, isKept } = await fileDigest(choice.file, {
    memoFolder: at.cacheFolder,
    signal: at.signal,
    fixes: nounFileFixes,
  });
  if (!isKept) at.tell?.('files', readAtEachOpening, 1);
  const source = await readRecordedNouns(choice.file, at.signal);
  return { source, identity: { ...source.origin, sha256 } };
}
