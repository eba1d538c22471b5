import { basename, extname, join } from 'node:path';
import { z } from 'zod';
import type { Outcome } from '../command.ts';
import { defineCommand } from '../program/define-command.ts';
import { trainInChild } from '../training/train-child.ts';
import { compareWords } from './compare.ts';

export const studyCommand = defineCommand({
  arguments: [
    {
      name: 'file',
      says: 'a JSON file: env, settings of every run, variants by name, seeds',
      required: true,
    },
  ],
  flags: [
    {
      flags: '--folder <folder>',
      says: 'holds a run folder for each variant and seed (default: runs/NAME of the file)',
    },
    { flags: '--jobs <count>', says: 'trainings at once, each in a process of its own (default: 1)' },
    {
      flags: '--env-module <file>',
      says: 'a file with environments of your own; may be given several times',
      repeatable: true,
    },
    { flags: '--page <file>', says: 'writes the comparison as a page' },
    { flags: '--out <file>', says: 'writes the comparison as JSON' },
    { flags: '--config <file>', says: 'a JSON file of options; flags override it' },
  ],
  examples: [
    {
      line: 'npx cairn-gym study gigpo-or-grpo.json --jobs 2 --page compare.html',
      says: 'trains what is missing, then compares the methods over their seeds',
    },
  ],
  options: z.strictObject({
    file: z.string().min(1, 'a file is expected'),
    folder: z.string().min(1, 'a folder is expected').optional(),
    jobs: z.coerce.number().int().min(1).max(256).default(1),
    envModule: z.array(z.string()).default([]),
    page: z.string().min(1).optional(),
    out: z.string().min(1).optional(),
  }),
  run: async (
    { file, folder = join('runs', basename(file, extname(file))), jobs, envModule, page, out },
    session,
  ) => {
    const { readStudy } = await import('../../lab/study/study-file.ts');
    const { runStudy } = await import('../../lab/study/run-study.ts');
    const plan = await readStudy(file);
    const modules = envModule.flatMap((each) => ['--env-module', each]);
    const folders = await runStudy(plan, {
      folder,
      jobs,
      signal: session.signal,
      train: (words) => trainInChild([...words, ...modules], session),
      onProgress: (done, total) => session.progress.report({ label: 'trainings', done, total }),
    });
    const words = Object.entries(folders).map(([variant, runs]) => `${variant}=${runs.join(',')}`);
    if (words.length < 2) return onlyTrained(folders);
    return compareWords({ results: words, page, out }, session);
  },
});

const onlyTrained = (folders: Readonly<Record<string, readonly string[]>>): Outcome => ({
  document: { folders },
  lines: Object.values(folders).flat(),
});
