import path from 'node:path';
import { readText } from '../data-folder.ts';
import type { Domain } from '../domain.ts';
import { agentChanges, agentTools } from './agent-tools.ts';
import { agentFunctions, userFunctions } from './functions.ts';
import { agentTables, keyFields, userTables, usualApps } from './models.ts';
import { phoneTools, userChanges } from './user-tools.ts';

type JsonObject = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lines of mobile phones. Users have a phone with tools of their own. */
export const telecomDomain: Domain = {
  name: 'telecom',
  agent: {
    className: 'TelecomTools',
    file: 'db.toml',
    tables: agentTables,
    asTables: (read) =>
      Object.fromEntries(
        Object.keys(keyFields).map((table) => [table, byKey(read[table], keyFields[table] ?? '')]),
      ),
    tools: agentTools,
    changing: agentChanges,
    functions: agentFunctions,
  },
  user: {
    className: 'TelecomUserTools',
    file: 'user_db.toml',
    tables: userTables,
    asTables: ({ device, surroundings = {} }) => ({
      device: {
        device: isObject(device)
          ? { app_statuses: usualApps, ...device }
          : (device ?? { app_statuses: usualApps }),
      },
      surroundings: { surroundings },
    }),
    tools: phoneTools,
    changing: userChanges,
    functions: userFunctions,
  },
  /** The main policy, and how to solve technical problems: in prose, or as a workflow. */
  policy: async (folder, kind) => {
    const [main, support] = await Promise.all([
      readText(path.join(folder, 'main_policy.md')),
      readText(path.join(folder, `tech_support_${kind}.md`)),
    ]);
    return `<main_policy>\n${main}\n</main_policy>\n<tech_support_policy>\n${support}\n</tech_support_policy>`;
  },
};

/**
 * A list of rows as a table by their keys; anything else as it is, which is refused later. The first of two rows with one key
 * is found by it, as in the original.
 */
function byKey(rows: unknown, field: string): unknown {
  if (!Array.isArray(rows)) return rows;
  const table = new Map<string, unknown>();
  for (const [at, row] of rows.entries()) {
    const key: unknown = isObject(row) ? row[field] : undefined;
    table.set(typeof key === 'string' && !table.has(key) ? key : `row ${at + 1}`, row);
  }
  return Object.fromEntries(table);
}
