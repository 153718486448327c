import { createMCPClient, type MCPClient } from '@ai-sdk/mcp';

/** One tool of a server, as it lists it. */
export interface McpTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}
export interface McpSession {
  readonly tools: readonly McpTool[];
  /** Rejects when the server does not answer in time or answers nonsense. */
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
 * Connects to a server of the Model Context Protocol over streamable HTTP and lists its tools. Every request goes
 * through `fetch`, which knows where connections may lead. Rejects after `timeoutMs`, and with the `status` of a server
 * that answered one of refusal.
 */
export async function openMcp(
  fetch: typeof globalThis.fetch,
  server: { url: string; headers: Record<string, string>; timeoutMs: number },
): Promise<McpSession> {
  const deadline = AbortSignal.timeout(server.timeoutMs);
  const refused: { status?: number } = {};
  try {
    return await openWithin(overPost(fetch, refused), server, deadline);
  } catch (error) {
    throw Object.assign(error instanceof Error ? error : new Error('failed'), refused);
  }
}

async function openWithin(
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
 * The stream a client may hold open for notices has no use in a call: a server that is told so sends none. A refusal is
 * told by its status.
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

/** What a tool answered: its structured content where it has one, else its texts. */
function contentOf(answer: object): unknown {
  const { structuredContent, content } = answer as { structuredContent?: unknown; content?: unknown };
  if (structuredContent !== undefined) return structuredContent;
  if (!Array.isArray(content)) return { error: 'no content' };
  const texts = content.flatMap((part: { type?: unknown; text?: unknown }) =>
    part.type === 'text' && typeof part.text === 'string' ? [part.text] : [],
  );
  return { text: texts.join('\n') };
}

/** The outcome, or a rejection once the signal fires: a peer that ignores its signal holds nobody up. */
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
