import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import type { PlayerDecoding } from '../../lab/players/decoding.ts';
import type { PlayerSpec } from '../../lab/players/player-spec.ts';
import type { StoredRun } from '../../lab/players/stored-run.ts';
import { readAssignments } from '../options/assignments.ts';
import type { EvaluationOptions } from './options.ts';
import { readFields } from './text-options.ts';

/** A value of an assignment is JSON or text. */
const optionsSchema = z.record(z.string(), z.json());

/**
 * The player with its command-line options.
 * @param run the run of a player of kind `run`
 */
export function withOptions(
  spec: PlayerSpec,
  options: EvaluationOptions,
  run: StoredRun | undefined,
): PlayerSpec {
  const { prompt, history, maxTokens } = options;
  switch (spec.kind) {
    case 'random':
    case 'expert':
    case 'noisy':
    case 'baseline':
      return spec;
    case 'own':
      return options.agentOption === undefined
        ? spec
        : {
            ...spec,
            options: optionsSchema.parse(readAssignments('--agent-option', options.agentOption)),
          };
    case 'run':
      return {
        ...spec,
        checkpoint: spec.checkpoint ?? options.checkpoint,
        decoding: decodingOf(options, run?.evaluation.decoding ?? 'sampled'),
      };
    case 'model':
      return {
        ...spec,
        prompt,
        history,
        maxTokens,
        restricted: options.restricted,
        slots: options.slots,
        contextLength: options.contextLength,
        precision: options.precision,
        decoding: decodingOf(options, 'sampled'),
      };
    case 'openai':
      return {
        ...spec,
        prompt,
        history,
        maxTokens,
        maxTokensField: options.maxTokensField,
        observationCharacters: options.observationCharacters,
        hideAdmissible: options.hideAdmissible,
        temperature: serverTemperature(options),
        requestFields: readFields(options),
        omitFields: options.omitField,
        requestSeconds: options.requestTimeout,
        keyVariable: options.keyEnv,
      };
    default:
      return spec satisfies never;
  }
}

/** @param usual the decoding if no flag gives one */
function decodingOf(
  { decoding, temperature, topK, topP, minP }: EvaluationOptions,
  usual: 'sampled' | 'greedy',
): PlayerDecoding {
  if (temperature === 'default')
    throw new UsageError({
      where: '--temperature default',
      what: '"default" applies only to language models behind a server, and others play too.',
      fix: 'Give a number, or evaluate them one by one.',
    });
  const kind = temperature === 0 ? 'greedy' : (decoding ?? usual);
  return kind === 'greedy' ? { kind } : { kind, temperature, topK, topP, minP };
}

function serverTemperature({ temperature }: EvaluationOptions): 'default' | number | undefined {
  if (typeof temperature !== 'number' || temperature <= 2) return temperature;
  throw new UsageError({
    where: '--temperature',
    what: `${temperature} is above the limit of servers.`,
    fix: 'It must be a number from 0 to 2, or default.',
  });
}
