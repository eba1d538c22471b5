import { createDockerProvider } from '../../../sandbox/index.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { describeAttacks } from '../suite/describe-attacks.ts';
import { describeSandboxContract } from '../suite/contract.ts';

const provider = () => Promise.resolve(createDockerProvider({ host: process.env['DOCKER_HOST'] ?? '', now: () => performance.now() }));
describeAttacks({ title: 'docker', provider });
describeSandboxContract({ title: 'docker', provider });
