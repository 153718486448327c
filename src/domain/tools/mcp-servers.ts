import type { Seal } from '../../shared/seal.ts';
import type { ToolSpec } from '../../providers/ports/model.ts';
import { capped, type ToolOutcome } from './run-api-tool.ts';
import { openSecret, withoutSecrets } from './tool-secrets.ts';
import { secondsOf, type StoredMcpServer } from './tool-specs.ts';
import { TOOL_SECONDS } from './tool-types.ts';

/** A connection to an MCP server. Only methods documented to reject do so. */
export interface McpConnection {
  readonly tools: readonly { name: string; description: string; parameters: Record<string, unknown> }[];
  /** Rejects when the server does not answer, or answers an invalid message. */
  call(name: string, args: Record<string, unknown>, timeoutMs: number): Promise<ToolOutcome>;
  close(): Promise<void>;
}
/**
 * Connects and lists the tools. Rejects after `timeoutMs`, or with the `status` of a server that refused; the message
 * may contain secrets of the request.
 */
export type OpenMcp = (server: {
  workspaceId: string;
  url: string;
  headers: Record<string, string>;
  timeoutMs: number;
}) => Promise<McpConnection>;

interface Remote {
  readonly connection: McpConnection;
  readonly tool: string;
  readonly timeoutMs: number;
  /** Secrets to redact from answers. */
  readonly secrets: readonly string[];
}

/** The timeout for listing tools: the call starts without servers that have not answered. */
const LISTING_MS = 3000;
const MAX_TOOLS = 32;

/** The tools of a call's MCP servers, under unique names. */
export class McpServers {
  readonly specs: ToolSpec[] = [];
  /** Failed servers and the reasons. */
  readonly failed: { name: string; error: string; ms: number }[] = [];
  readonly #remote = new Map<string, Remote>();
  readonly #connections: McpConnection[] = [];
  #closed = false;

  static async open(
    deps: { readonly openMcp: OpenMcp; readonly seal: Seal },
    workspaceId: string,
    servers: readonly StoredMcpServer[],
    taken: readonly string[],
    now: () => number,
  ): Promise<McpServers> {
    const all = new McpServers();
    await Promise.all(servers.map((server) => all.#open(deps, workspaceId, server, new Set(taken), now)));
    return all;
  }

  has(name: string): boolean {
    return this.#remote.has(name);
  }

  async call(name: string, args: Record<string, unknown>): Promise<ToolOutcome> {
    const remote = this.#remote.get(name);
    if (remote === undefined) return { ok: false, result: { error: 'no such tool' } };
    try {
      const outcome = await remote.connection.call(remote.tool, args, remote.timeoutMs);
      return { ok: outcome.ok, result: capped(withoutSecrets(outcome.result, remote.secrets)) };
    } catch {
      return { ok: false, result: { error: 'the server did not answer' } };
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(
      this.#connections.splice(0).map((connection) => connection.close().catch(() => undefined)),
    );
  }

  async #open(
    deps: { readonly openMcp: OpenMcp; readonly seal: Seal },
    workspaceId: string,
    server: StoredMcpServer,
    taken: Set<string>,
    now: () => number,
  ): Promise<void> {
    const startedAt = now();
    try {
      const headers = Object.fromEntries(
        Object.entries(server.headers ?? {}).flatMap(([name, value]) => {
          const text = openSecret(deps.seal, value);
          return text === null ? [] : [[name, text]];
        }),
      );
      const secrets = secretsOf(server.url, Object.values(headers));
      const connection = await deps.openMcp({
        workspaceId,
        url: server.url,
        headers,
        timeoutMs: LISTING_MS,
      });
      if (this.#closed) return await connection.close();
      this.#connections.push(connection);
      const timeoutMs = secondsOf(server, TOOL_SECONDS.onCall.preset) * 1000;
      for (const tool of allowedTools(server, connection.tools)) {
        const name = uniqueName(`${server.name}_${tool.name}`, taken);
        this.#remote.set(name, { connection, tool: tool.name, timeoutMs, secrets });
        const description = String(withoutSecrets(tool.description, secrets));
        this.specs.push({
          name,
          description: description.slice(0, 1000),
          parameters: withoutSecrets(tool.parameters, secrets) as typeof tool.parameters,
          kind: 'remote',
          timeoutMs,
        });
      }
    } catch (error) {
      this.failed.push({ name: server.name, error: reasonOf(error), ms: now() - startedAt });
    }
  }
}

function reasonOf(error: unknown): string {
  const status = error instanceof Error && 'status' in error ? error.status : null;
  return typeof status === 'number' ? `the server answered ${status}` : 'not reached';
}

/** Secrets in headers, with and without the auth scheme, and in the query of the URL. */
function secretsOf(url: string, headers: readonly string[]): string[] {
  const query = URL.parse(url)?.search.slice(1).split('&') ?? [];
  const written = query.map((pair) => pair.slice(pair.indexOf('=') + 1));
  const read = [...new URLSearchParams(query.join('&')).values()];
  return [...headers, ...headers.flatMap((value) => value.split(' ').slice(1)), ...written, ...read];
}

const allowedTools = <T extends { name: string }>(server: StoredMcpServer, tools: readonly T[]): T[] =>
  tools.filter((tool) => server.allowedTools?.includes(tool.name) ?? true).slice(0, MAX_TOOLS);

/** A tool name that every model accepts: letters, digits and underscores, at most 64 characters, unique. */
function uniqueName(text: string, taken: Set<string>): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]/g, '_')
    .slice(0, 60);
  let name = plain;
  for (let n = 2; taken.has(name); n++) name = `${plain}_${n}`;
  taken.add(name);
  return name;
}
