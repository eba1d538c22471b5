import { z } from 'zod';
import { toolSettings } from '../engines/tools/settings.ts';

/** How the state of a server is reset before each episode. */
const resetCall = z.strictObject({
  tool: z.string().min(1).describe('name of a tool of this server that resets its state'),
  arguments: z.record(z.string(), z.json()).default({}).describe('arguments of that call'),
});

const tools = z
  .array(z.string().min(1))
  .min(1)
  .optional()
  .describe('names of the tools to offer; default: all of the server');

const processServer = z.strictObject({
  type: z
    .literal('stdio')
    .optional()
    .transform(() => 'stdio' as const)
    .describe('stdio: a process of this machine, the default; http: an address'),
  command: z.string().min(1).describe('program of a server that speaks over standard input and output'),
  args: z.array(z.string()).default([]).describe('its arguments; {folder} stands for the work folder'),
  env: z
    .record(z.string(), z.string())
    .default({})
    .describe('its environment variables, beside HOME, PATH and a few others; {folder} works here too'),
  pass: z
    .array(z.string().min(1))
    .default([])
    .describe('names of environment variables to pass on, such as those of keys; values are not stored'),
  reset: z
    .union([z.enum(['restart', 'keep']), resetCall])
    .default('restart')
    .describe('restart: a new process each episode; keep: it has no state; or a tool that resets it'),
  tools,
});

const httpServer = z.strictObject({
  type: z.literal('http'),
  url: z.url({ protocol: /^https?$/ }).describe('address of a server that speaks streamable HTTP'),
  headers: z.record(z.string(), z.string()).default({}).describe('headers of each request'),
  pass: z
    .record(z.string(), z.string().min(1))
    .default({})
    .describe('headers by the environment variable that has their value, such as those of keys'),
  reset: z
    .union([z.literal('keep'), resetCall])
    .describe('keep: the server has no state; or a tool that resets it'),
  tools,
});

const serverSchema = z.discriminatedUnion('type', [processServer, httpServer]);
export type ServerConfig = z.output<typeof serverSchema>;
export type ProcessServerConfig = z.output<typeof processServer>;
export type HttpServerConfig = z.output<typeof httpServer>;

// the end state after gold calls cannot be compared: the world is not ours
const { grading: _grading, ...settings } = toolSettings;

export const mcpConfig = z.strictObject({
  servers: z
    .record(z.string().regex(/^[A-Za-z_][\w-]{0,31}$/, 'must be a short word'), serverSchema)
    .default({})
    .describe('MCP servers by name; the tools of the server files are files.NAME'),
  tasks: z.string().default('').describe('JSON file of tasks; docs/environments/mcp.md has its form'),
  startMs: z
    .int()
    .min(100)
    .max(600_000)
    .default(30_000)
    .describe('milliseconds that a server may take to start and to list its tools'),
  answerBytes: z
    .int()
    .min(10_000)
    .max(256 * 2 ** 20)
    .default(8 * 2 ** 20)
    .describe('bytes that a server may send for one call, after which the episode has a fault'),
  atOnce: z.int().min(1).max(256).default(8).describe('concurrent episodes, each with processes of its own'),
  sandbox: z
    .enum(['auto', 'bubblewrap', 'docker', 'wasm'])
    .default('auto')
    .describe('sandbox of programs that check tasks: auto takes the strongest that works'),
  allowWeakSandbox: z
    .boolean()
    .default(false)
    .describe('allow wasm, which is no security boundary: only for programs that you trust'),
  ...settings,
});

export type McpConfig = z.output<typeof mcpConfig>;
