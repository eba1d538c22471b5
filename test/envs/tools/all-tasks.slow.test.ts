// Slow: each test plays all 800 tasks of a world twice, or checks all laws.
import { describe, expect, it } from 'vitest';
import { checkEnv } from '../../../envs/check/check-env.ts';
import { describeFinding } from '../../../envs/check/report.ts';
import { openEnv } from '../../../envs/open.ts';
import { toolsEnv } from '../../../envs/tools/definition.ts';
import { context, failuresOf } from './play-tools.ts';

describe.each(['backoffice', 'airline', 'bank', 'office'] as const)('%s', (world) => {
  it('lets the gold calls and the searcher solve all tasks', async () => {
    const host = await openEnv(toolsEnv, { world, manual: false }, context);
    const tasks = host.panels.flatMap(({ name, size }) =>
      Array.from({ length: size }, (_, index) => ({ panel: name, index })),
    );
    expect(await failuresOf(host, tasks)).toEqual([]);
    await host.close();
  });

  it('keeps the laws', async () => {
    const report = await checkEnv(toolsEnv, { config: { world } });
    expect(report.findings.map(describeFinding)).toEqual([]);
  });
});
