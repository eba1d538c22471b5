import type { ResetContext } from '../core/context.ts';
import type { EnvHost } from '../core/env.ts';
import { LruCache } from '../kit/lru-cache.ts';
import type { SearchAction } from './action.ts';
import { canBeListed } from './unlisted-answers.ts';
import { searchBaselines } from './baselines.ts';
import type { SearchConfig } from './config.ts';
import { SearchEnv } from './env.ts';
import type { SearchRules } from './episode.ts';
import { mentionsIn, type Mention } from '../engines/questions/answers/mentions.ts';
import type { SearchObservation } from './observation.ts';
import { factRelations } from '../engines/questions/facts/fact-relations.ts';
import type { OpenedFacts } from '../engines/questions/facts/open-facts.ts';
import { relations } from '../engines/questions/world/relations.ts';
import { identityOf, openFactsOf, openMasks, openQuestions, openRetriever } from './open-source.ts';
import type { Retriever } from '../engines/retrieval/retriever.ts';
import { isStoredRetriever } from '../engines/retrieval/stored-retriever.ts';
import { masksSchema } from './masks/mask-tasks.ts';
import type { QuestionSource } from '../engines/questions/files/question-source.ts';
import { planFor } from './planner.ts';
import { contentOf, familyOf } from '../engines/questions/files/question.ts';
import { SearchSearcher } from './searcher.ts';
import { swapHiddenIn } from './swap-hidden.ts';

/** Texts whose names are remembered. */
const readTexts = 20_000;

/**
 * Opens a search engine and questions.
 *
 * @throws UsageError where a file is invalid
 */
export async function openSearch(
  config: SearchConfig,
  context: ResetContext,
): Promise<EnvHost<SearchObservation, SearchAction>> {
  const { masks } = config;
  const facts = await factsFor(config, context);
  // questions first: a file that is wrong is refused before a large corpus is indexed
  const loaded = masks === undefined ? await openQuestions(config, context, facts) : undefined;
  const retriever = await openRetriever(config, context, facts);
  const source = loaded ?? (await sourceOfMasks(config, retriever));
  // no document without a model: experts answer from what they know
  const isSelf = config.backend.kind === 'self';
  const gold = config.questions === undefined && masks === undefined ? 'path' : goldOf(source, context);
  if (config.questions !== undefined && config.mode === 'choices') warnOfUnlisted(source, context);
  const mentions = new LruCache<string, readonly Mention[]>(readTexts);
  const rules: SearchRules = {
    config,
    retriever,
    question: (ref) => source.question(ref),
    misleads: source.misleads,
    readMentions: (text, title) => mentions.get(`${title}\n${text}`, () => mentionsIn(text, title)),
  };
  return {
    panels: source.panels,
    unavailablePanels: source.unavailablePanels,
    identity: identityOf(config, retriever),
    describeTask: (ref) => {
      const question = source.question(ref);
      return { family: familyOf(question), instruction: question.question, content: contentOf(question) };
    },
    create: () => Promise.resolve(new SearchEnv(rules)),
    close: () => retriever.close(),
    experts: {
      planner: (ref) => planFor(source.question(ref), isSelf ? 1 : config.maxSteps),
      ...(config.questions === undefined && masks === undefined && !isSelf
        ? { searcher: (rng) => new SearchSearcher(rng, facts === undefined ? relations : factRelations) }
        : {}),
      baselines: searchBaselines(source, {
        taskCount: (panel) => source.panels.find(({ name }) => name === panel)?.size ?? 1,
        maxSteps: config.maxSteps,
        canSearch: !isSelf,
        gold,
        documentNow: isStoredRetriever(retriever) ? (id) => retriever.documentNow(id) : undefined,
      }),
    },
    audit: { swapHidden: swapHiddenIn(source, config.weights) },
  };
}

/** Reports the questions that a choice policy cannot answer: `mode=choices` lists names and years as answers, and nothing else. */
function warnOfUnlisted(source: QuestionSource, { log, path }: ResetContext): void {
  let [all, count] = [0, 0];
  let example = '';
  for (const { name: panel, size } of source.panels) {
    all += size;
    for (let index = 0; index < size; index += 1) {
      const question = source.question({ panel, index });
      if (canBeListed(question)) continue;
      count += 1;
      example ||= question.answers[0] ?? '';
    }
  }
  if (count === 0) return;
  const name = `questions whose answers are no names or years, such as ${JSON.stringify(example.slice(0, 60))}; mode=choices does not list such answers, so a choice policy cannot solve these questions; set mode=text and use an agent that writes; this environment has ${all} ${all === 1 ? 'question' : 'questions'} in all`;
  log.event(path, { type: 'opening-tally', part: 'questions', name, count });
}

/** Whether all questions have supporting documents. The log reports how many have none. */
function goldOf(source: QuestionSource, { log, path }: ResetContext): 'supporting' | undefined {
  let count = 0;
  for (const { name: panel, size } of source.panels)
    for (let index = 0; index < size; index += 1)
      if (source.question({ panel, index }).supporting.length === 0) count += 1;
  if (count === 0) return 'supporting';
  const name = 'questions without `supporting` documents, so there is no baseline `gold documents`';
  log.event(path, { type: 'opening-tally', part: 'questions', name, count });
  return undefined;
}

/** The facts of the world, opened once for questions and documents. */
async function factsFor(
  { world, backend, questions, masks }: SearchConfig,
  { signal }: ResetContext,
): Promise<OpenedFacts | undefined> {
  const isAsked = questions === undefined && masks === undefined && backend.kind !== 'corpus';
  const isRead = backend.kind === 'world' || (backend.kind === 'simulated' && backend.model === undefined);
  return world.kind === 'facts' && (isAsked || isRead) ? openFactsOf(world, signal) : undefined;
}

/** The tasks of masks. The engine is closed where there are none. */
async function sourceOfMasks(config: SearchConfig, retriever: Retriever): Promise<QuestionSource> {
  try {
    return openMasks(config.masks ?? masksSchema.parse({}), retriever, config);
  } catch (thrown) {
    await retriever.close();
    throw thrown;
  }
}
