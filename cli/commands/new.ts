import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describePathError } from '../../envs/core/user-file.ts';
import { defineCommand } from '../program/define-command.ts';
import { assertNew, writeNew } from '../options/new-file.ts';

export const newCommand = defineCommand({
  arguments: [
    { name: 'kind', says: 'env (a world of words), or tools (a world behind typed tools)', required: true },
    { name: 'of', says: 'its name, such as rooms or your-lab/rooms', required: true },
  ],
  flags: [
    { flags: '--folder <folder>', says: 'where to write it (default: a folder of that name)' },
    { flags: '--config <file>', says: 'a JSON file of options; flags override it' },
  ],
  examples: [
    {
      line: 'npx cairn-gym new env rooms',
      says: 'rooms/rooms.ts with its test, ready for npx cairn-gym check, play and train',
    },
    {
      line: 'npx cairn-gym new env your-lab/rooms --folder envs',
      says: 'with an id of your own, in another folder',
    },
    {
      line: 'npx cairn-gym new tools library',
      says: 'library/library.ts: tables, typed tools and a task generator, with its test',
    },
  ],
  options: z.strictObject({
    kind: z.enum(['env', 'tools']),
    of: z.string(),
    folder: z.string().min(1, 'must be a folder').optional(),
  }),
  run: async ({ kind, of, folder: named }) => {
    const { envFiles, parseEnvName } = await import('../new/env-files.ts');
    const env = parseEnvName(of);
    const folder = named ?? env.name;
    await mkdir(folder, { recursive: true }).catch((thrown: unknown) => {
      throw new UsageError(
        {
          where: folder,
          what: `it cannot be a folder: ${describePathError(thrown)}.`,
          fix: 'Name another folder with --folder.',
        },
        { cause: thrown },
      );
    });
    const files = Object.entries(await envFiles(env, { folder, kind })).map(
      ([name, text]) => [join(folder, name), text] as const,
    );
    for (const [file] of files) await assertNew(file);
    for (const [file, text] of files) await writeNew(file, text);
    const id = `${env.scope}/${env.name}`;
    const from = `--env-module ${join(folder, `${env.name}.ts`)}`;
    return {
      document: { id: `${id}-v1`, folder, files: files.map(([file]) => file) },
      lines: [
        ...files.map(([file]) => file),
        '',
        `npx cairn-gym check ${id} ${from}`,
        `npx cairn-gym play ${id} ${from}`,
        `npx cairn-gym train ${id} ${from}`,
        `Run its test with npm install and npm test in ${folder}.`,
      ],
    };
  },
});
