import type { createMCPClient as CreateClient, MCPClient } from '@ai-sdk/mcp';

/** One tool from a server's list. */
export interface McpTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}
export interface McpSession {
  readonly tools: readonly McpTool[];
  /** Rejects on a timeout and on a malformed response. */
  call(
    name: string,
    args: Record<string, unknown>,
    timeoutMs: number,
  ): Promise<{ ok: boolean; result: unknown }>;
  close(): Promise<void>;
}

const MAX_SCHEMA = 8000;
const MOST_LISTED = 100;

/**
 * Connects to a Model Context Protocol server over streamable HTTP and lists its tools. Every request goes through
 * `fetch`, which enforces the address rules. Rejects after `timeoutMs`, and with the `status` of an HTTP error.
 */
export async function openMcp(
  fetch: typeof globalThis.fetch,
  server: { url: string; headers: Record<string, string>; timeoutMs: number },
): Promise<McpSession> {
  // The client's modules are loaded by the first call that needs them, not at each start.
  const { createMCPClient } = await import('@ai-sdk/mcp');
  const deadline = AbortSignal.timeout(server.timeoutMs);
  const refused: { status?: number } = {};
  try {
    return await openWithin(createMCPClient, overPost(fetch, refused), server, deadline);
  } catch (error) {
    throw Object.assign(error instanceof Error ? error : new Error('failed'), refused);
  }
}

async function openWithin(
  createMCPClient: typeof CreateClient,
  fetch: typeof globalThis.fetch,
  server: { url: string; headers: Record<string, string> },
  deadline: AbortSignal,
): Promise<McpSession> {
  const client = await inTime(
    createMCPClient({
      transport: {
        type: 'http',
        url: server.url,
        headers: server.headers,
        fetch,
        redirect: 'error',
      },
      initializationOptions: { signal: deadline },
      protocolVersionDiscovery: false,
      clientName: 'callwright',
      onUncaughtError: () => undefined,
    }),
    deadline,
    (late) => late.close(),
  );
  try {
    const listed = await inTime(client.listTools({ options: { signal: deadline } }), deadline);
    return { tools: listed.tools.slice(0, MOST_LISTED).flatMap(toolOf), ...methods(client) };
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
}

const methods = (client: MCPClient): Omit<McpSession, 'tools'> => ({
  async call(name, args, timeoutMs) {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await inTime(client.callTool({ name, arguments: args, options: { signal } }), signal);
    return { ok: answer['isError'] !== true, result: contentOf(answer) };
  },
  close: () => client.close(),
});

/**
 * Answers the client's GET for a notification stream with 405, because a call has no use for notifications. Records the
 * status of an HTTP error in `refused`.
 */
const overPost =
  (fetch: typeof globalThis.fetch, refused: { status?: number }): typeof globalThis.fetch =>
  async (input, init) => {
    if (init?.method === undefined || init.method === 'GET') return new Response(null, { status: 405 });
    const response = await fetch(input, init);
    if (!response.ok) refused.status = response.status;
    return response;
  };

function toolOf(tool: { name: string; description?: string | undefined; inputSchema: unknown }): McpTool[] {
  const schema = tool.inputSchema;
  const fits = typeof schema === 'object' && schema !== null && JSON.stringify(schema).length <= MAX_SCHEMA;
  if (!fits) return [];
  return [
    { name: tool.name, description: tool.description ?? '', parameters: schema as Record<string, unknown> },
  ];
}

/** A tool's result: its structured content, else its texts. */
function contentOf(answer: object): unknown {
  const { structuredContent, content } = answer as { structuredContent?: unknown; content?: unknown };
  if (structuredContent !== undefined) return structuredContent;
  if (!Array.isArray(content)) return { error: 'no content' };
  const texts = content.flatMap((part: { type?: unknown; text?: unknown }) =>
    part.type === 'text' && typeof part.text === 'string' ? [part.text] : [],
  );
  return { text: texts.join('\n') };
}

/** Rejects when the signal fires, even if the peer ignores the signal. */
function inTime<T>(work: Promise<T>, signal: AbortSignal, onLate?: (late: T) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    let over = false;
    signal.addEventListener('abort', () => {
      over = true;
      reject(new Error('no answer in time'));
    });
    work.then(
      (value) => {
        if (over) void Promise.resolve(onLate?.(value)).catch(() => undefined);
        else resolve(value);
      },
      (error: unknown) => reject(error instanceof Error ? error : new Error('failed')),
    );
  });
}
