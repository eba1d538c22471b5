import { weightsFile } from '../model/choice/choice-checkpoint.ts';
import type { PolicyConfig } from './policy-config.ts';

/** Name of the one file in a policy's folder that playing needs. */
export function weightsFileOf({ kind }: Pick<PolicyConfig, 'kind'>): string {
  switch (kind) {
    case 'choice':
      return weightsFile;
    default:
      return kind satisfies never;
  }
}
