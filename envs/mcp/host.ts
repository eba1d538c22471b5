import type { ResetContext } from '../core/context.ts';
import type { EnvHost } from '../core/env.ts';
import { UsageError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import { didYouMean, nearest } from '../core/near-miss.ts';
import { assertTask, type TaskRef } from '../core/task.ts';
import { ends, type ToolAction } from '../engines/tools/action.ts';
import { instructionFor } from '../engines/tools/manual.ts';
import type { ToolObservation } from '../engines/tools/observation.ts';
import { planFor } from '../engines/tools/plan.ts';
import type { EpisodeRules } from '../engines/tools/rules.ts';
import { settingsOf } from '../engines/tools/settings.ts';
import { toolWords } from '../engines/tools/tool-words.ts';
import { scriptedUser } from '../engines/tools/user.ts';
import { openJudging, type Judging } from './checks.ts';
import type { McpConfig, ServerConfig } from './config.ts';
import { realConnector } from './connect.ts';
import { McpEnv } from './env.ts';
import { loadMcpSdk } from './load-sdk.ts';
import { runnableTools } from './mcp-world.ts';
import { offerTool, type OfferedTool } from './offered-tool.ts';
import { ServerSet, usesFolder, type Connector, type NamedCall, type ServerPlan } from './server-set.ts';
import { panelsOf, readTaskFile, type McpTask, type TaskFile } from './task.ts';
import { ToolServer } from './tool-server.ts';
import { WorkFolder } from './work-folder.ts';

const id = 'mcp-v1';

/** The client, as a host uses it. */
type Sdk = Awaited<ReturnType<typeof loadMcpSdk>>;

/**
 * Opens the servers of a config once, to learn their tools, and closes them again. Each env then starts its own.
 *
 * @param connector the ways to servers; by default processes and addresses
 * @throws UsageError where the package is missing, or servers, tasks and tools do not fit each other
 * @throws FaultError where a server does not start
 */
export async function openMcp(
  config: McpConfig,
  context: ResetContext,
  connector?: (sdk: Sdk) => Connector,
): Promise<EnvHost<ToolObservation, ToolAction>> {
  assertConfigured(config);
  const file = await readTaskFile(config.tasks);
  const sdk = await loadMcpSdk();
  const connect =
    connector?.(sdk) ?? realConnector(sdk, { system: context.system ?? {}, startMs: config.startMs });
  const plans = Object.entries(config.servers).map(([name, server]) =>
    planOf(name, server, { sdk, config, connect }),
  );
  const listed = await listTools(plans, context);
  const offered = offeredOf(plans, listed, sdk);
  const known = new Set(
    [...listed].flatMap(([server, { tools }]) => tools.map(({ name }) => `${server}.${name}`)),
  );
  assertCalls(config, file, { known, offered });
  const tasks = [...file.panels.values()].flat();
  const needsPrograms = tasks.some(({ checks }) => checks.flat().some((check) => 'program' in check));
  const judging = needsPrograms ? await openJudging(config, context) : undefined;
  return hostOf({ config, file, plans, offered, judging });
}

function assertConfigured({ servers, tasks }: McpConfig): void {
  if (Object.keys(servers).length === 0)
    throw new UsageError({
      where: `config of ${id}, servers`,
      what: 'no server is named.',
      fix: 'Name one, such as --set servers.files.command=node --set \'servers.files.args=["server.js"]\'.',
    });
  if (tasks === '')
    throw new UsageError({
      where: `config of ${id}, tasks`,
      what: 'no file of tasks is named.',
      fix: 'Give one: --set tasks=FILE.json; docs/environments/mcp.md has its form.',
    });
}

function planOf(
  name: string,
  server: ServerConfig,
  { sdk, config, connect }: { readonly sdk: Sdk; readonly config: McpConfig; readonly connect: Connector },
): ServerPlan {
  const plan: ServerPlan = {
    name,
    config: server,
    digest: undefined,
    prior: undefined,
    open: (folder, signal) =>
      ToolServer.open(
        {
          name,
          sdk,
          connect: connect(name, server, folder),
          startMs: config.startMs,
          callMs: config.timeMs,
          answerBytes: config.answerBytes,
          prior: plan.prior,
        },
        signal,
      ),
  };
  return plan;
}

type Listed = ReadonlyMap<string, Pick<ToolServer, 'tools' | 'digest'>>;

/** Starts each server once. */
async function listTools(plans: readonly ServerPlan[], { signal }: ResetContext): Promise<Listed> {
  const folder = new WorkFolder();
  try {
    const path = plans.some(({ config }) => usesFolder(config)) ? await folder.fill({}) : undefined;
    const opened = await Promise.allSettled(
      plans.map(async (plan) => {
        const server = await plan.open(path, signal);
        plan.prior = server.prior;
        plan.digest = server.digest;
        const { tools, digest } = server;
        await server.close();
        return [plan.name, { tools, digest }] as const;
      }),
    );
    const failed = opened.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return new Map(opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
  } finally {
    await folder.remove();
  }
}

function offeredOf(plans: readonly ServerPlan[], listed: Listed, sdk: Sdk): ReadonlyMap<string, OfferedTool> {
  const validator = new sdk.AjvJsonSchemaValidator();
  const offered = plans.flatMap(({ name, config }) => {
    const tools = listed.get(name)?.tools ?? [];
    const names = tools.map((tool) => tool.name);
    for (const wanted of config.tools ?? [])
      assertNamed(`config of ${id}, servers.${name}.tools`, wanted, names);
    const { reset } = config;
    if (typeof reset === 'object')
      assertNamed(`config of ${id}, servers.${name}.reset.tool`, reset.tool, names);
    if (tools.length === 0)
      throw new UsageError({
        where: `config of ${id}, servers.${name}`,
        what: 'the server lists no tools.',
        fix: 'Check its arguments, or remove it.',
      });
    return tools
      .filter((tool) => config.tools?.includes(tool.name) ?? true)
      .map((tool) =>
        offerTool(name, tool, (schema) => {
          const validate = validator.getValidator(schema as Parameters<typeof validator.getValidator>[0]);
          return (structured) => {
            const read = validate(structured);
            return read.valid ? undefined : read.errorMessage.slice(0, 500);
          };
        }),
      );
  });
  return new Map(offered.map((tool) => [tool.name, tool]));
}

function assertNamed(where: string, name: string, names: Iterable<string>): void {
  const all = [...names];
  if (all.includes(name)) return;
  throw new UsageError({
    where,
    what: `there is no tool ${name}.`,
    fix: `${didYouMean(nearest(name, all))}There are ${all.slice(0, 50).join(', ')}.`,
  });
}

/** Every call of the file names a tool: gold calls one that is offered, others one of any server. */
function assertCalls(
  config: McpConfig,
  { panels }: TaskFile,
  {
    known,
    offered,
  }: { readonly known: ReadonlySet<string>; readonly offered: ReadonlyMap<string, OfferedTool> },
): void {
  for (const [panel, tasks] of panels)
    for (const [index, { setup, checks, read }] of tasks.entries()) {
      const where = `tasks ${config.tasks}, ${panel}/${index}`;
      const asked: readonly NamedCall[] = [
        ...setup,
        ...checks.flat().flatMap((check) => ('program' in check ? check.program.calls : [check.call])),
      ];
      for (const { name } of asked) assertNamed(where, name, known);
      for (const { gold } of read.requests)
        for (const { name } of gold) assertNamed(`${where}, gold`, name, offered.keys());
      for (const name of read.withheld) assertNamed(`${where}, withheld`, name, offered.keys());
    }
}

interface Opened {
  readonly config: McpConfig;
  readonly file: TaskFile;
  readonly plans: readonly ServerPlan[];
  readonly offered: ReadonlyMap<string, OfferedTool>;
  readonly judging: Judging | undefined;
}

function hostOf({ config, file, plans, offered, judging }: Opened): EnvHost<ToolObservation, ToolAction> {
  const settings = settingsOf(config);
  const panels = panelsOf(id, file);
  const taskOf = ({ panel, index }: TaskRef): McpTask => {
    assertTask({ panels }, id, { panel, index });
    return file.panels.get(panel)?.[index] as McpTask; // the panel was found
  };
  const rules: EpisodeRules = {
    id,
    settings,
    limits: { resultCharacters: settings.resultCharacters, timeMs: settings.timeMs },
    userTools: [],
    user: scriptedUser,
    slots: slotsOf(file),
    rules: file.rules,
    ends,
    wordError: undefined,
    task: (ref) => taskOf(ref).read,
  };
  const manual = runnableTools(offered, new ServerSet([]), settings.resultCharacters);
  const instructionOf = (ref: TaskRef): string => {
    const { withheld, requests } = rules.task(ref);
    return instructionFor({
      policy: file.policy,
      rules: file.rules,
      request: requests[0]?.says ?? '',
      before: undefined,
      tools: settings.manual ? [...manual.values()].filter(({ name }) => !withheld.has(name)) : undefined,
      slots: rules.slots,
      ends,
    });
  };
  const open = new Set<ServerSet>();
  const hasGold = [...file.panels.values()]
    .flat()
    .every(({ read }) => read.requests.every(({ gold }) => gold.length > 0));
  return {
    panels,
    identity: identityOf(config, plans),
    maxConcurrency: config.atOnce,
    describeTask: (ref) => {
      const { family = 'mcp', content } = rules.task(ref);
      return { family, instruction: instructionOf(ref), content };
    },
    create: async () => {
      const servers = new ServerSet(plans);
      open.add(servers);
      const runnable = runnableTools(offered, servers, settings.resultCharacters);
      const parts = { rules, offered, runnable, servers, judging, task: taskOf, instructionOf };
      return new McpEnv({ ...parts, onClose: () => open.delete(servers) });
    },
    close: async () => {
      await Promise.all([...open].map((servers) => servers.close()));
      await judging?.provider[Symbol.asyncDispose]();
    },
    tools: toolWords({ tools: [...manual.values()], rules: file.rules }),
    experts: hasGold ? { planner: (ref) => planFor(rules.task(ref)) } : {},
  };
}

const slotsOf = ({ panels }: TaskFile): readonly string[] => {
  const slots = [...panels.values()]
    .flat()
    .flatMap(({ read }) => read.requests.flatMap(({ slots: own = {} }) => Object.keys(own)));
  return [...new Set(slots)].sort();
};

/** What results depend on: which tools there are, and not where their servers lie. */
function identityOf(config: McpConfig, plans: readonly ServerPlan[]): Json {
  const { listed, manual, weights, maxSteps, resultCharacters } = config;
  const servers = plans.map(({ name, digest = '', config: { tools } }) => ({
    name,
    digest,
    ...(tools === undefined ? {} : { tools }),
  }));
  return { servers, listed, manual, weights, maxSteps, resultCharacters };
}
