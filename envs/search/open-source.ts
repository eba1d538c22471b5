import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ResetContext } from '../core/context.ts';
import { UsageError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import { talliesOf } from '../engines/retrieval/corpus/corpus-source.ts';
import { openCorpus } from '../engines/retrieval/corpus/open-corpus.ts';
import { createHttpRetriever } from '../engines/retrieval/http/http-retriever.ts';
import type { Retriever } from '../engines/retrieval/retriever.ts';
import { modelSource } from '../engines/retrieval/simulated/model-source.ts';
import { rankedSource } from '../engines/retrieval/simulated/ranked-source.ts';
import { SimulatedRetriever } from '../engines/retrieval/simulated/simulated-retriever.ts';
import type { SearchConfig } from './config.ts';
import { openQuestionFiles } from '../engines/questions/files/open-question-files.ts';
import type { QuestionSource } from '../engines/questions/files/question-source.ts';
import { openWorldQuestions } from '../engines/questions/world/open-world-questions.ts';
import { openWorld } from './world/open-world.ts';

export const cacheFolderOf = ({ cacheFolder }: Pick<SearchConfig, 'cacheFolder'>): string =>
  cacheFolder ?? join(homedir(), '.cache', 'cairn-gym');

/** Opens the search engine of a config. */
export async function openRetriever(config: SearchConfig, context: ResetContext): Promise<Retriever> {
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
  switch (backend.kind) {
    case 'world': {
      const opened = await openWorld({ ...world, cacheFolder, signal, onAdvance: onAdvance(), onRebuild });
      return opened.retriever;
    }
    case 'corpus': {
      const { file, fields } = backend;
      const corpus = await openCorpus(file, {
        fields,
        cacheFolder,
        signal,
        onAdvance: onAdvance('MiB'),
        onRebuild,
      });
      for (const [name, count] of talliesOf(corpus.report)) tell(name, count);
      return corpus.retriever;
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
      const opened = await openWorld({ ...world, cacheFolder, signal, onAdvance: onAdvance(), onRebuild });
      return new SimulatedRetriever(rankedSource(opened.retriever), { noise, seed });
    }
    default:
      return backend satisfies never;
  }
}

/**
 * Opens the questions of a config.
 *
 * @throws UsageError where a corpus has no file of questions
 */
export async function openQuestions(config: SearchConfig, context: ResetContext): Promise<QuestionSource> {
  const { backend, questions } = config;
  if (questions !== undefined)
    return openQuestionFiles({ env: 'search-v1', files: questions, form: config.questionForm }, context);
  if (backend.kind === 'corpus')
    throw new UsageError({
      where: 'search-v1, backend',
      what: 'a corpus needs questions about it.',
      fix: 'Set questions to a file of JSON lines with `question` and `answers`.',
    });
  return openWorldQuestions('search-v1', config.world);
}

/** What results depend on: without paths, limits of requests and addresses. */
export function identityOf(config: SearchConfig, retriever: Retriever): Json {
  const { mode, topk, passageWords, matching, weights, judging, maxSteps, world, questions } = config;
  return {
    retriever: retriever.identity,
    ...(questions === undefined
      ? { world: { seed: world.seed, documents: world.documents, wordings: world.wordings } }
      : {}),
    mode,
    topk,
    passageWords,
    matching,
    weights: { ...weights },
    judging,
    maxSteps,
  };
}
