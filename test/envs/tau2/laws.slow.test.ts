// Slow: the laws are checked in four domains, ten seconds of a core each.
import { afterAll, expect, it } from 'vitest';
import { checkEnv } from '../../../envs/check/check-env.ts';
import { describeFinding } from '../../../envs/check/report.ts';
import { tau2Env } from '../../../envs/tau2/definition.ts';
import { writeTau2Folder } from '../../support/tau2-folder.ts';

const data = writeTau2Folder();
afterAll(data.remove);

it.each(['mock', 'retail', 'airline', 'telecom'] as const)(
  'keeps every law of the contract in %s',
  async (domain) => {
    const report = await checkEnv(tau2Env, { config: { data: data.folder, domain } });
    expect(report.findings.map(describeFinding)).toEqual([]);
    // in telecom nearly every listed action is a message, after which the user may use any of 30 tools
    const unchecked = domain === 'telecom' ? ['secrets', 'hidden'] : ['secrets'];
    expect(report.unchecked.map(({ law }) => law)).toEqual(unchecked);
  },
);
