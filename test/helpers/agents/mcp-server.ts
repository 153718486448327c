import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

export interface McpPeer {
  readonly url: string;
  /** Received tool calls. */
  readonly calls: { name: string; args: unknown; authorization: string | undefined }[];
  readonly requests: () => number;
  close(): Promise<void>;
}

/** A Model Context Protocol server built with the official SDK: tools `find`, `fail`, `hang` and `echo`. */
export async function startMcpServer(
  options: { silent?: boolean; echo?: 'refusing' } = {},
): Promise<McpPeer> {
  const calls: McpPeer['calls'] = [];
  const transports = new Map<string, StreamableHTTPServerTransport>();
  let requests = 0;

  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const server = new Server({ name: 'crm', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: ['find', 'fail', 'hang', 'echo'].map((name) => ({
        name,
        description: `Does ${name}.`,
        inputSchema: { type: 'object', properties: { phone: { type: 'string' } } },
      })),
    }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
      const { authorization } = extra.requestInfo?.headers ?? {};
      calls.push({
        name: params.name,
        args: params.arguments,
        authorization: authorization as string | undefined,
      });
      if (params.name === 'hang') await new Promise(() => undefined);
      if (params.name === 'fail')
        return { isError: true, content: [{ type: 'text', text: 'no such customer' }] };
      if (params.name === 'echo') {
        const text = JSON.stringify([extra.requestInfo?.headers, extra.requestInfo?.url]);
        return { content: [{ type: 'text', text }], structuredContent: { [String(authorization)]: text } };
      }
      return { content: [{ type: 'text', text: 'Priya, a customer since May.' }] };
    });
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => {
        transports.set(id, transport);
      },
    });
    await server.connect(transport);
    return transport;
  };

  const http = createServer((request, response) => {
    requests++;
    if (options.silent === true) return;
    if (options.echo === 'refusing') {
      response.writeHead(401).end(`${request.url} ${JSON.stringify(request.headers)}`);
      return;
    }
    const known = transports.get(String(request.headers['mcp-session-id']));
    void (known === undefined ? open() : Promise.resolve(known)).then((transport) =>
      transport.handleRequest(request, response),
    );
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    calls,
    requests: () => requests,
    async close() {
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}
