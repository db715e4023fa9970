// A server of the protocol 2026-07-28 and nothing older, over stdio.
import { inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

serveStdio(
  () => {
    const server = new McpServer({ name: 'modern', version: '1' });
    const text = (words) => ({ content: [{ type: 'text', text: words }] });
    server.registerTool('add', { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) =>
      text(String(a + b)),
    );
    server.registerTool('confirm', { inputSchema: z.object({}) }, () =>
      inputRequired({
        inputRequests: {
          sure: inputRequired.elicit({
            message: 'Sure?',
            requestedSchema: z.object({ sure: z.boolean() }),
          }),
        },
      }),
    );
    return server;
  },
  { legacy: 'reject' },
);
