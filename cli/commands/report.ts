import { z } from 'zod';
import { defineCommand } from '../program/define-command.ts';

export const reportCommand = defineCommand({
  name: 'report',
  summary: "rewrite a run's report page",
  arguments: [{ name: 'run', says: 'the folder of a run', required: true }],
  flags: [],
  examples: [
    {
      line: 'cairn report runs/first',
      says: 'writes runs/first/report.html; it also works while the run is active',
    },
  ],
  options: z.strictObject({ run: z.string().min(1, 'must be a folder') }),
  run: async ({ run }) => {
    const { writeReport } = await import('../../lab/report/write-report.ts');
    const report = await writeReport(run);
    return { document: { report }, lines: [report] };
  },
});
