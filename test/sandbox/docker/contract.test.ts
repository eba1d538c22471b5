import { dockerProvider } from '../../support/docker.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { describeSandboxContract } from '../suite/contract.ts';

await describeWithParts(['docker'], 'containers', () => {
  describeSandboxContract({ title: 'docker', provider: () => Promise.resolve(dockerProvider()) });
});
