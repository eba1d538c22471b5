import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../../envs/core/errors.ts';
import { playerDecodingSchema, resolveDecoding } from '../decoding.ts';
import { folderIn, isModelFolder } from '../named-folder.ts';
import { definePlayerKind } from '../player-kind.ts';

const schema = z.strictObject({
  kind: z.literal('run'),
  folder: z.string().min(1).describe('the folder of the run'),
  checkpoint: z.string().min(1).optional().describe('last, best or the name of a checkpoint; default: last'),
  decoding: playerDecodingSchema.optional().describe('default: as the run decodes in its own evaluations'),
});

const scheme = 'run:';
const checkpoints = 'checkpoints';

/** The policy of a run, with the weights of one of its checkpoints. */
export const runKind = definePlayerKind({
  kind: 'run',
  schema,
  words: [],
  scheme: 'run',
  usage: ['the folder of a run or a checkpoint'],
  parse: (text): z.output<typeof schema> | undefined => {
    const named = text.startsWith(scheme) ? text.slice(scheme.length) : folderIn(text);
    if (named === undefined || named === '' || (named === text && isModelFolder(text))) return undefined;
    const path = resolve(named);
    if (basename(dirname(path)) !== checkpoints) return { kind: 'run', folder: named };
    return { kind: 'run', folder: dirname(dirname(path)), checkpoint: basename(path) };
  },
  describe,
  resolve: async (spec, options) => {
    const { envSession } = options;
    const { folder, checkpoint = 'last' } = spec;
    const readRun = options.readRun ?? (await import('../stored-run.ts')).readStoredRun;
    const run = await readRun(folder, checkpoint);
    const usual = { decoding: run.evaluation.decoding, temperature: run.temperature };
    const decoding = resolveDecoding(spec.decoding, usual);
    if (run.policy.kind !== 'token') refuseFilters(spec);
    return {
      kind: 'run',
      text: spec.checkpoint === undefined ? folder : `${folder} (${spec.checkpoint})`,
      words: `the policy ${run.checkpoint} of ${run.name}`,
      sameAs: JSON.stringify({ weights: realpathSync(run.weights), decoding }),
      identity: { kind: 'run', checkpoint: run.checkpoint, weights: run.weightsDigest },
      folder: run.folder,
      names: (label) => [label, `${label} (${run.checkpoint})`],
      entry: (name) => (name.endsWith(` (${run.checkpoint})`) ? name : `${name} (${run.checkpoint})`),
      run,
      open: async (name) => {
        const { openStoredPolicy } = await import('../open-stored.ts');
        const { trainedOn } = await import('../trained-on.ts');
        const { policy, weights, training } = run;
        return openStoredPolicy(
          {
            name,
            policy: policy.kind === 'token' ? { ...policy, prompt: undefined } : policy, // a checkpoint has the prompt that it was trained with
            folder: weights,
            checkpoint: run.checkpoint,
            decoding,
            trainedWith: run.document.versions['backend'],
            trainedOn: trainedOn(run, envSession),
            training,
          },
          options,
        );
      },
    };
  },
});

function describe({ folder, checkpoint }: z.output<typeof schema>): string {
  return `${scheme}${checkpoint === undefined ? folder : join(folder, checkpoints, checkpoint)}`;
}

function refuseFilters(spec: z.output<typeof schema>): void {
  if (spec.decoding?.kind !== 'sampled') return;
  const { topK, topP, minP } = spec.decoding;
  const [given] = Object.entries({ topK, topP, minP }).find(([, value]) => value !== undefined) ?? [];
  if (given === undefined) return;
  throw new UsageError({
    where: `player ${describe(spec)}, decoding.${given}`,
    what: 'it filters tokens, and the policy of this run chooses whole actions.',
    fix: 'Leave it out.',
  });
}
