import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ResetContext } from '../core/context.ts';
import { UsageError } from '../core/errors.ts';
import { canonicalJson, type Json } from '../core/json.ts';
import { talliesOf } from '../engines/retrieval/corpus/corpus-source.ts';
import { openCorpus } from '../engines/retrieval/corpus/open-corpus.ts';
import { textOf, titleOf } from '../engines/retrieval/document.ts';
import { splitPage } from '../engines/retrieval/split-page.ts';
import { openCorpusIndex } from '../engines/retrieval/corpus-index/open-corpus-index.ts';
import { createHttpRetriever } from '../engines/retrieval/http/http-retriever.ts';
import type { DenseConfig } from '../engines/retrieval/dense/embedder.ts';
import { openDense } from '../engines/retrieval/dense/open-dense.ts';
import type { VectorTable } from '../engines/retrieval/dense/vector-table.ts';
import type { IndexRetriever } from '../engines/retrieval/index-retriever.ts';
import type { Retriever } from '../engines/retrieval/retriever.ts';
import { isStoredRetriever } from '../engines/retrieval/stored-retriever.ts';
import { modelSource } from '../engines/retrieval/simulated/model-source.ts';
import { rankedSource } from '../engines/retrieval/simulated/ranked-source.ts';
import { SelfRetriever } from '../engines/retrieval/simulated/self-retriever.ts';
import { SimulatedRetriever } from '../engines/retrieval/simulated/simulated-retriever.ts';
import { shortDigest } from '../kit/short-digest.ts';
import type { SearchConfig, WorldConfig } from './config.ts';
import { maskTasks, type AnswersOf, type MasksConfig } from './masks/mask-tasks.ts';
import { listedAnswers } from './offered-actions.ts';
import { passageOf } from './observation.ts';
import { normalise } from '../engines/questions/answers/normalise.ts';
import { keyOf } from '../engines/chat/chat-model.ts';
import { openQuestionFiles } from '../engines/questions/files/open-question-files.ts';
import {
  questionSource,
  type PanelName,
  type QuestionSource,
} from '../engines/questions/files/question-source.ts';
import {
  factQuestionSource,
  factsVersion,
  openFacts,
  type OpenedFacts,
} from '../engines/questions/facts/open-facts.ts';
import { openWorldQuestions } from '../engines/questions/world/open-world-questions.ts';
import { openFactPages } from './world/open-fact-pages.ts';
import { openWorld } from './world/open-world.ts';

export const cacheFolderOf = ({ cacheFolder }: Pick<SearchConfig, 'cacheFolder'>): string =>
  cacheFolder ?? join(homedir(), '.cache', 'cairn-gym');

/** Opens the facts of a world. */
export const openFactsOf = (
  { sources, population, packages }: Extract<WorldConfig, { readonly kind: 'facts' }>,
  signal: AbortSignal,
): Promise<OpenedFacts> => openFacts({ sources, population, packages, signal });

/**
 * Opens the search engine of a config.
 *
 * @param facts the facts of the world, if they are open already
 */
export async function openRetriever(
  config: SearchConfig,
  context: ResetContext,
  facts?: OpenedFacts,
): Promise<Retriever> {
  const { backend, world } = config;
  const { path, signal, log, now } = context;
  const cacheFolder = cacheFolderOf(config);
  const tell = (name: string, count: number): void =>
    log.event(path, { type: 'opening-tally', part: 'documents', name, count });
  const onRebuild = (why: string): void => tell(`indexes built again (${why})`, 1);
  const onAdvance =
    (unit?: 'MiB') =>
    (done: number, total: number): void =>
      log.event(path, {
        type: 'opening-advance',
        part: 'documents',
        done: unit === undefined ? done : done / 2 ** 20,
        total: unit === undefined ? total : total / 2 ** 20,
        unit,
      });
  const withDense = async (
    base: IndexRetriever,
    dense: DenseConfig | undefined,
    given?: VectorTable,
  ): Promise<Retriever> =>
    dense === undefined
      ? base
      : openDense(base, dense, {
          given,
          fileOf: (documents) => join(cacheFolder, `vectors-${shortDigest(canonicalJson(documents))}.bin`),
          key: keyOf(dense, 'search-v1, backend.dense', context.system),
          now,
          signal,
          onAdvance: onAdvance(),
          onRebuild,
        });
  const openPages = async (): Promise<IndexRetriever> => {
    const options = { cacheFolder, signal, onAdvance: onAdvance(), onRebuild };
    if (world.kind === 'generated') return (await openWorld({ ...world, ...options })).retriever;
    return openFactPages(facts ?? (await openFactsOf(world, signal)), {
      ...options,
      wordings: world.wordings,
    });
  };
  switch (backend.kind) {
    case 'world':
      return withDense(await openPages(), backend.dense);
    case 'corpus': {
      const { file, index, fields, dense } = backend;
      if (index !== undefined) {
        const opened = await openCorpusIndex(index, { corpus: file, signal });
        for (const [name, count] of talliesOf(opened.report)) tell(name, count);
        return withDense(opened.retriever, dense);
      }
      const corpus = await openCorpus(file ?? '', {
        fields,
        cacheFolder,
        signal,
        onAdvance: onAdvance('MiB'),
        onRebuild,
      });
      for (const [name, count] of talliesOf(corpus.report)) tell(name, count);
      return withDense(corpus.retriever, dense, corpus.vectors);
    }
    case 'http': {
      const { kind: _kind, ...settings } = backend;
      return createHttpRetriever(settings, now);
    }
    case 'simulated': {
      const { model, noise, seed } = backend;
      if (model !== undefined) {
        const source = modelSource(model, { system: context.system, now });
        return new SimulatedRetriever(source, { noise, seed });
      }
      return new SimulatedRetriever(rankedSource(await openPages()), { noise, seed });
    }
    case 'self':
      return new SelfRetriever(backend.words);
    default:
      return backend satisfies never;
  }
}

/**
 * Opens the questions of a config.
 *
 * @throws UsageError where a corpus has no file of questions
 */
export async function openQuestions(
  config: SearchConfig,
  context: ResetContext,
  facts?: OpenedFacts,
): Promise<QuestionSource> {
  const { backend, questions, world } = config;
  if (questions !== undefined) {
    const files = { env: 'search-v1', files: questions, form: config.questionForm };
    const source = await openQuestionFiles(files, context);
    assertHasDocuments(config, source);
    return source;
  }
  if (backend.kind === 'corpus')
    throw new UsageError({
      where: 'search-v1, backend',
      what: 'a corpus needs questions about it.',
      fix: 'Set questions to a file of JSON lines with `question` and `answers`, or masks={} for tasks made of the corpus.',
    });
  if (world.kind === 'generated') return openWorldQuestions('search-v1', world);
  const { graph } = facts ?? (await openFactsOf(world, context.signal));
  return factQuestionSource('search-v1', graph, world);
}

/**
 * Questions of a file may be about pages of the generated world, as `cairn-gym questions` makes them: they name these pages. Others
 * need documents of their own.
 *
 * @throws UsageError where questions are about other documents than those of the config
 */
function assertHasDocuments({ backend, world }: SearchConfig, source: QuestionSource): void {
  const isWorld = backend.kind === 'world' || (backend.kind === 'simulated' && backend.model === undefined);
  if (!isWorld || world.kind !== 'generated') return;
  const isPage = (id: string): boolean => /^\d{1,7}$/.test(id) && Number(id) < world.documents;
  let [all, foreign] = [0, 0];
  for (const { name: panel, size } of source.panels) {
    all += size;
    for (let index = 0; index < size; index += 1) {
      const { supporting } = source.question({ panel, index });
      if (supporting.length === 0 || !supporting.every(isPage)) foreign += 1;
    }
  }
  if (foreign === 0) return;
  throw new UsageError({
    where: 'search-v1, questions',
    what: `${foreign} of ${all} questions are about no page of the invented world, and backend is that world.`,
    fix: 'Set backend.kind=corpus with backend.file, http, self, or simulated with a model.',
  });
}

/**
 * Makes the tasks of masks from the documents of an engine.
 *
 * @throws UsageError where none can be made
 */
export function openMasks(
  masks: MasksConfig,
  retriever: Retriever,
  { mode, passageWords }: Pick<SearchConfig, 'mode' | 'passageWords'>,
): QuestionSource {
  if (!isStoredRetriever(retriever)) throw new RangeError('the documents of masks cannot be read');
  const tasks = maskTasks(retriever, masks, mode === 'choices' ? listedIn(passageWords) : undefined);
  const panelOf = (name: PanelName) => ({ size: tasks[name].length, list: () => tasks[name] });
  return questionSource(
    { train: panelOf('train'), dev: panelOf('dev'), test: panelOf('test') },
    {
      env: 'search-v1',
      summary: () => 'masked sentences of documents that no other panel has',
      misleads: () => undefined,
      empty: {
        why: 'no document of it has a sentence with enough to mask, or masks gives it no task',
        fix: 'Give a larger corpus, or raise the size of the panel in masks',
      },
    },
  );
}

/** The answers that are listed when a document was found, and opened where its passage is cut. */
const listedIn =
  (passageWords: number): AnswersOf =>
  (document) => {
    const [title, text] = [titleOf(document), textOf(document)];
    const { passage, isCut } = passageOf(text, passageWords);
    const shown = isCut ? splitPage(text) : [passage];
    return new Set(shown.flatMap((part) => listedAnswers(part, title)).map(normalise));
  };

/** What results depend on: without paths, limits of requests and addresses. */
export function identityOf(config: SearchConfig, retriever: Retriever): Json {
  const { mode, topk, passageWords, matching, weights, judging, maxSteps, world, questions, masks } = config;
  return {
    retriever: retriever.identity,
    ...(masks === undefined ? {} : { masks: { ...masks, counts: [...masks.counts] } }),
    ...(questions === undefined && masks === undefined ? { world: worldIdentity(world) } : {}),
    mode,
    topk,
    passageWords,
    matching,
    weights: { ...weights },
    judging,
    maxSteps,
  };
}

const worldIdentity = (world: WorldConfig): Json =>
  world.kind === 'generated'
    ? { seed: world.seed, documents: world.documents, wordings: world.wordings }
    : {
        kind: world.kind,
        version: factsVersion,
        seed: world.seed,
        sources: [...world.sources],
        population: world.population,
        wordings: world.wordings,
      };
