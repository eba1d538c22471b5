import type { z } from 'zod';
import { defineEnv, type EnvDefinition, type EnvId } from '../core/env.ts';
import { describeAction, programActionSchema, readAction, type ProgramAction } from './action.ts';
import { describeObservation, programObservationSchema, type ProgramObservation } from './observation.ts';

/** The differences between the envs whose answers are programs. */
type Parts<Id extends EnvId, Config extends z.ZodType> = Pick<
  EnvDefinition<Id, Config, ProgramObservation, ProgramAction>,
  'id' | 'summary' | 'config' | 'recipes' | 'unchecked' | 'open'
>;

export const defineProgramEnv = <
  const Id extends EnvId,
  Config extends z.ZodType<{ readonly maxSteps: number }>,
>(
  parts: Parts<Id, Config>,
) =>
  defineEnv({
    ...parts,
    catalogue: {
      family: 'code',
      tags: ['programs', 'step-wise', 'generated'],
      licence: 'Apache-2.0',
      needs: ['sandbox'],
    },
    observation: programObservationSchema,
    action: programActionSchema,
    deterministic: true,
    text: {
      observation: describeObservation,
      action: describeAction,
      parse: readAction,
      isSample: ({ kind }: ProgramAction) => kind === 'submit',
    },
    feedback: 'how well the last program did on what is hidden',
    turnLimit: ({ maxSteps }: z.output<Config>) => maxSteps,
  });
