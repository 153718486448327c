import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { TestApi } from '../api/api.ts';

interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  /** The parsed text; an empty object if it is a sentence. */
  readonly body: Record<string, any>;
}

export interface McpClient {
  readonly client: Client;
  readonly call: (name: string, given?: Record<string, unknown>) => Promise<ToolAnswer>;
}

/** The official client, connected to a server that listens. */
export async function connectMcp(api: Pick<TestApi, 'server'>, key: string): Promise<McpClient> {
  const { port } = api.server.server.address() as AddressInfo;
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
    requestInit: { headers: { 'X-API-KEY': key } },
  });
  await client.connect(transport);
  return {
    client,
    call: async (name, given = {}) => {
      const answer = await client.callTool({ name, arguments: given });
      const [first] = answer.content as { text: string }[];
      const text = first?.text ?? '';
      return {
        isError: answer.isError === true,
        text,
        body: text.startsWith('{') ? (JSON.parse(text) as Record<string, any>) : {},
      };
    },
  };
}
