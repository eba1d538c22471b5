import { z } from 'zod';
import { scripted, userConfig } from '../engines/chat/model-config.ts';
import { defineToolEnv, type ToolWorld } from '../engines/tools/define-tool-env.ts';
import type { TableSchemas } from '../engines/tools/tables.ts';
import { airline } from './airline/world.ts';
import { backOffice } from './backoffice/world.ts';
import { bank } from './bank/world.ts';
import { office } from './office/world.ts';
import { toolRecipes } from './recipes.ts';

const worlds = { backoffice: backOffice, airline, bank, office };

export const toolsEnv = defineToolEnv({
  id: 'tools-v1',
  summary:
    'Requests of users, done with typed tools on the data of a shop, an airline, a bank or an office; policies, questions, errors and missing tools',
  settings: {
    world: z
      .enum(['backoffice', 'airline', 'bank', 'office'])
      .default('backoffice')
      .describe(
        'backoffice: orders and customers of a shop; airline: bookings and flights; bank: accounts, payments and cards; office: files, meetings, mails, and the phones of users',
      ),
    seed: z.int().min(0).default(1).describe('seed of rows and tasks'),
    user: userConfig('answers questions for the facts that its first message leaves out, always alike'),
  },
  world: async ({ world, seed, user }, context): Promise<ToolWorld<TableSchemas>> => {
    const generated = worlds[world](seed) as unknown as ToolWorld<TableSchemas>;
    if (user === scripted) return generated;
    const [{ openChatModel }, { toolsModelUser }] = await Promise.all([
      import('../engines/chat/chat-model.ts'), // the client of servers is loaded only where a model plays
      import('./model-user.ts'),
    ]);
    const model = openChatModel(user, { ...context, where: 'user simulator' });
    return { ...generated, user: toolsModelUser(model), close: () => model.close() };
  },
  catalogue: {
    family: 'tools',
    tags: ['tool-calls', 'step-wise', 'hidden-information', 'generated'],
    licence: 'Apache-2.0',
  },
  recipes: toolRecipes,
});
