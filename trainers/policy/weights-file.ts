import { weightsFile as choiceWeights } from '../../models/choice/choice-checkpoint.ts';
import { factorsFile } from '../../models/token/adapter-files.ts';
import { weightsFile as tokenWeights } from '../../models/token/checkpoint.ts';
import type { PolicyConfig } from './policy-config.ts';

/** Name of the one file in a policy's folder that holds its weights. */
export function weightsFileOf(config: PolicyConfig): string {
  switch (config.kind) {
    case 'choice':
      return choiceWeights;
    case 'token':
      return config.adapter === undefined ? tokenWeights : factorsFile;
    default:
      return config satisfies never;
  }
}
