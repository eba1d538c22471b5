import path from 'node:path';
import type { ResetContext } from '../core/context.ts';
import type { Json } from '../core/json.ts';
import { openChatModel } from '../engines/chat/chat-model.ts';
import { scripted } from '../engines/chat/model-config.ts';
import { callAction, type ToolAction } from '../engines/tools/action.ts';
import type { ToolWorld } from '../engines/tools/define-tool-env.ts';
import { startTable, type AnyRow, type TableSchemas } from '../engines/tools/tables.ts';
import type { ToolTask } from '../engines/tools/task.ts';
import { instructionFor } from '../engines/tools/user.ts';
import { airlineDomain } from './airline/domain.ts';
import type { Tau2Config } from './config.ts';
import { basisOf, Tau2Grader } from './criteria.ts';
import { findDomainFolder, readText } from './data-folder.ts';
import { readDatabase } from './database.ts';
import type { Domain } from './domain.ts';
import { mockDomain } from './mock/domain.ts';
import { wordFailure } from './python/call-errors.ts';
import { retailDomain } from './retail/domain.ts';
import { factsOf } from './start.ts';
import type { Tau2Task } from './task-file.ts';
import { readTasks } from './tasks.ts';
import { telecomDomain } from './telecom/domain.ts';
import { transcriptOf } from './transcript.ts';
import { tau2ModelUser } from './user/model-user.ts';
import { requestOf, scriptedTau2User } from './user/scripted-user.ts';

const domains: Readonly<Record<Tau2Config['domain'], Domain>> = {
  mock: mockDomain,
  retail: retailDomain,
  airline: airlineDomain,
  telecom: telecomDomain,
};

/**
 * Opens a domain of τ²-bench from the user's copy of its data.
 *
 * @throws UsageError for a folder or a file that is missing or damaged, and for a user without an address or a key
 */
export async function openTau2(config: Tau2Config, context: ResetContext): Promise<ToolWorld<TableSchemas>> {
  const domain = domains[config.domain];
  const folder = await findDomainFolder(config.data, domain.name);
  const schemas: TableSchemas = { ...domain.agent.tables, ...domain.user?.tables };
  const [own, users] = await Promise.all([
    readDatabase(path.join(folder, domain.agent.file), domain.agent),
    domain.user === undefined ? {} : readDatabase(path.join(folder, domain.user.file), domain.user),
  ]);
  const rows: Readonly<Record<string, readonly AnyRow[]>> = { ...own, ...users };
  const start = {
    domain,
    schemas,
    tables: Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [
        name,
        startTable(folder, name, schema, rows[name] ?? []),
      ]),
    ),
  };
  const tasks = await readTasks(folder, domain, config, context);
  for (const task of [...tasks.panels.values()].flat())
    factsOf(`${tasks.file}, task ${task.id}`, task, start);
  const policy =
    domain.policy === undefined
      ? await readText(path.join(folder, 'policy.md'))
      : await domain.policy(folder, config.policy);
  const { user } = config;
  const model = user === scripted ? undefined : openChatModel(user, { ...context, where: 'user simulator' });
  const userTools = domain.user?.tools ?? [];
  return {
    tables: schemas,
    tools: domain.agent.tools,
    userTools,
    panels: Object.fromEntries([...tasks.panels].map(([name, list]) => [name, list.length])),
    policy: policy.trim(),
    ends: ['done'],
    task: (ref) => {
      const task = tasks.of(ref);
      const facts = factsOf(`${tasks.file}, task ${task.id}`, task, start);
      return { start: rows, facts, ...toolTask(domain, task, config) } as ToolTask<TableSchemas>;
    },
    grader: new Tau2Grader(domain, config.judged, tasks.of),
    user: model === undefined ? scriptedTau2User(tasks.of) : tau2ModelUser(model, tasks.of),
    wordError: (failure) => {
      const isUsers = userTools.some((tool) => tool === failure.tool);
      return wordFailure(isUsers ? (domain.user?.className ?? '') : domain.agent.className, failure);
    },
    plan: (ref) => planFor(tasks.of(ref)),
    close: async () => await model?.close(),
  };
}

/** The parts of a task that the kit needs. */
function toolTask(domain: Domain, task: Tau2Task, { judged }: Tau2Config) {
  const { evaluation_criteria: criteria, initial_state: state } = task;
  return {
    family: domain.name,
    before: transcriptOf(task),
    requests: [
      {
        says: requestOf(task),
        gold: (criteria?.actions ?? []).map(({ requestor, name, arguments: given }) => ({
          name,
          arguments: given,
          ...(requestor === 'user' ? { by: 'user' as const } : {}),
        })),
      },
    ],
    criteria: asJson({ scenario: task.user_scenario, criteria, state, basis: basisOf(task, judged) }),
  };
}

/** The value as it was in the file, without members that are not there. */
const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

/** The gold actions, then one message with all that must be communicated. The scripted user ends there. */
function planFor({ evaluation_criteria: criteria }: Tau2Task): readonly ToolAction[] {
  const infos = criteria?.communicate_info ?? [];
  return [
    ...(criteria?.actions ?? []).map(({ requestor, name, arguments: given }): ToolAction =>
      requestor === 'user' ? { kind: 'say', text: instructionFor(name) } : callAction(name, given),
    ),
    infos.length === 0 ? { kind: 'done' } : { kind: 'say', text: infos.join('\n') },
  ];
}
