import { z } from 'zod';
import { defineCommand } from '../program/define-command.ts';

export const reportCommand = defineCommand({
  arguments: [{ name: 'run', says: 'the folder of a run', required: true }],
  flags: [],
  examples: [
    {
      line: 'npx cairn-gym report runs/first',
      says: 'writes runs/first/report.html; it also works while the run is active',
    },
  ],
  options: z.strictObject({ run: z.string().min(1, 'a folder is wanted') }),
  run: async ({ run }, session) => {
    const { writeReport } = await import('../../lab/report/write-report.ts');
    const { damageOf, readRun } = await import('../../lab/read/read-run.ts');
    const report = await writeReport(run);
    const notes = damageOf(await readRun(run));
    for (const note of notes) session.progress.say(note);
    return { document: { report, ...(notes.length === 0 ? {} : { notes }) }, lines: [report] };
  },
});
