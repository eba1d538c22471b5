import type { ResetContext } from '../core/context.ts';
import { UsageError } from '../core/errors.ts';
import { createRng } from '../core/rng.ts';
import { openChatModel } from '../engines/chat/chat-model.ts';
import type { ModelConfig } from '../engines/chat/model-config.ts';
import type { Question } from '../engines/questions/files/question.ts';
import { QuestionHardener, type HarderQuestion } from '../engines/questions/synthesis/harder-question.ts';
import {
  generatedRelations,
  InverseFacts,
  trueRelations,
} from '../engines/questions/synthesis/relation-world.ts';
import { synthesiseWithModel } from '../engines/questions/synthesis/synthesise-with-model.ts';
import { WorldGraph } from '../engines/questions/world/world-graph.ts';
import type { SearchConfig } from './config.ts';
import { openFactsOf, openQuestions, openRetriever } from './open-source.ts';

export interface SynthesisOptions {
  readonly panel: string;
  /** Questions to make, at most. */
  readonly count: number;
  /** Changes of each question, at most. */
  readonly rounds: number;
  /** The seed of all choices that no model makes. */
  readonly seed: number;
  /** A model that writes and verifies; without one, the relations of a world do. */
  readonly model: ModelConfig | undefined;
  /** Answers of the model with the documents, and without them. */
  readonly tries: number;
  /** Receives how many seeds were tried, and how many questions made. */
  readonly onAdvance?: (tried: number, made: number) => void;
}

/** A line of a file of questions, which `questions` of `search-v1` reads. */
export interface SynthesisedRow extends HarderQuestion {
  readonly id: string;
  /** The number of supporting documents. */
  readonly hops: number;
  readonly seed: { readonly id: string; readonly question: string };
}

export interface Synthesis {
  readonly rows: readonly SynthesisedRow[];
  /** Seeds that led to no question, by reason. */
  readonly rejected: Readonly<Record<string, number>>;
}

/**
 * Makes harder questions of the questions of a config: by the relations of its world, where each answer is certain, or with a model
 * over any documents.
 *
 * @throws UsageError where there is neither a world nor a model, or a file is invalid
 * @throws FaultError where the model or the search engine fails
 */
export async function synthesiseQuestions(
  config: SearchConfig,
  context: ResetContext,
  options: SynthesisOptions,
): Promise<Synthesis> {
  const { signal } = context;
  if (config.masks !== undefined || (config.questions !== undefined && options.model === undefined))
    throw new UsageError({
      where: 'synthesis of questions',
      what:
        config.masks === undefined
          ? 'the facts behind questions of a file are not known.'
          : 'tasks of masks name no entity of a question.',
      fix: 'Name a model that writes and verifies, or use the questions of a world.',
    });
  const facts = config.world.kind === 'facts' ? await openFactsOf(config.world, signal) : undefined;
  const source = await openQuestions(config, context, facts);
  const size = source.panels.find(({ name }) => name === options.panel)?.size ?? 0;
  // a panel without questions is refused here
  const seedAt = (index: number): Question => source.question({ panel: options.panel, index });
  if (size === 0) seedAt(0);
  const make = await makerOf(config, context, { options, facts });
  const rows: SynthesisedRow[] = [];
  const rejected: Record<string, number> = {};
  const seen = new Set<string>();
  try {
    for (let index = 0; index < size && rows.length < options.count; index += 1) {
      signal.throwIfAborted();
      const seed = seedAt(index);
      const made = await make.one(seed, index);
      const why =
        typeof made === 'string' ? made : seen.has(made.question) ? 'the same question twice' : undefined;
      if (typeof made === 'string' || why !== undefined) rejected[why ?? ''] = (rejected[why ?? ''] ?? 0) + 1;
      else {
        seen.add(made.question);
        rows.push({
          id: `${options.panel}-${rows.length}`,
          question: made.question,
          answers: made.answers,
          supporting: made.supporting,
          changes: made.changes,
          hops: Math.max(1, made.supporting.length),
          seed: { id: seed.id, question: seed.question },
        });
      }
      options.onAdvance?.(index + 1, rows.length);
    }
  } finally {
    await make.close();
  }
  return { rows, rejected };
}

/** Makes one question, or says why none. */
interface Maker {
  one(seed: Question, index: number): Promise<HarderQuestion | string>;
  close(): Promise<void>;
}

async function makerOf(
  config: SearchConfig,
  context: ResetContext,
  {
    options,
    facts,
  }: {
    readonly options: SynthesisOptions;
    readonly facts: Awaited<ReturnType<typeof openFactsOf>> | undefined;
  },
): Promise<Maker> {
  const { model: modelConfig, rounds, tries, seed: choices } = options;
  if (modelConfig === undefined) {
    const { world } = config;
    const known =
      facts === undefined
        ? generatedRelations(new WorldGraph(world.kind === 'generated' ? world : neverFacts()))
        : trueRelations(facts.graph);
    const hardener = new QuestionHardener(known, new InverseFacts(known));
    const rng = createRng(choices).fork('synthesis');
    return {
      one: (seed, index) =>
        Promise.resolve(
          hardener.harden(seed, rounds, rng.fork(index)) ?? 'no facts describe its subject uniquely',
        ),
      close: () => Promise.resolve(),
    };
  }
  const model = openChatModel(modelConfig, {
    where: 'synthesis of questions, model',
    system: context.system,
    now: context.now,
  });
  const retriever = await openRetriever(config, context, facts).catch(async (thrown: unknown) => {
    await model.close();
    throw thrown;
  });
  return {
    one: async (seed) => {
      const { signal } = context;
      const result = await synthesiseWithModel(seed, { model, retriever }, { rounds, tries, signal });
      return result.kind === 'kept' ? result.made : result.why;
    },
    close: async () => {
      await model.close();
      await retriever.close();
    },
  };
}

function neverFacts(): never {
  throw new RangeError('the facts of the world are not open');
}
