import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

// A server of one tool, for `mcp-calls.ts`.

serveStdio(() => {
  const server = new McpServer({ name: 'echo', version: '1' });
  server.registerTool(
    'echo',
    { description: 'says it again', inputSchema: z.strictObject({ text: z.string() }) },
    ({ text }) => ({ content: [{ type: 'text', text }] }),
  );
  return server;
});
