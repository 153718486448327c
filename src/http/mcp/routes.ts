import type { FastifyReply, FastifyRequest } from 'fastify';
import { allows } from '../../domain/access/access.ts';
import { accessOf } from '../../domain/access/table.ts';
import { VERSION } from '../../shared/version.ts';
import { refuseCrossSite } from '../server/authenticate.ts';
import type { Server } from '../server/type-provider.ts';
import { ArgumentError, requestOf, type ApiOperation } from './operations.ts';
import { CODES, failureOf, initialized, readMessage, readToolCall, resultOf, speaks } from './protocol.ts';
import { toolsOf, type Answer, type Send, type Tool } from './tools.ts';

/** A tool's request obeys the rules of its route: table of permissions, budgets, validation, audit and request log. */
const sending =
  (app: Server, operations: ReadonlyMap<string, ApiOperation>, { headers, ip, id }: FastifyRequest): Send =>
  async (name, given) => {
    const operation = operations.get(name);
    if (operation === undefined) throw new Error(`${name} is no operation of the API`);
    const { method, url, body } = requestOf(operation, given);
    const answer = await app.inject({
      method,
      url,
      remoteAddress: ip,
      headers: {
        'x-api-key': headers['x-api-key'],
        'user-agent': headers['user-agent'],
        'x-request-id': id,
        // A misspelt argument is an error, which the model can mend.
        prefer: 'handling=strict',
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === null ? {} : { payload: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, body: answer.json<Answer['body']>() };
  };

const listed = ({ name, description, inputSchema, isReadOnly }: Tool): object => ({
  name,
  description,
  inputSchema,
  annotations: { readOnlyHint: isReadOnly },
});

const content = (text: string, isError: boolean): object => ({ content: [{ type: 'text', text }], isError });

async function call(tool: Tool, given: Readonly<Record<string, unknown>>, send: Send): Promise<object> {
  try {
    const { status, body } = await tool.run(given, send);
    return content(JSON.stringify(body), status >= 400);
  } catch (error) {
    if (error instanceof ArgumentError) return content(error.message, true);
    throw error;
  }
}

/**
 * POST /mcp: the Model Context Protocol by streamable HTTP, without sessions and streams. `operations` are those of the routes
 * that `app` serves. Throws if a tool names an operation that no route has.
 */
export function mcpRoutes(app: Server, operations: ReadonlyMap<string, ApiOperation>): void {
  const tools = toolsOf(operations);
  const reached = ({ caller }: FastifyRequest): Tool[] =>
    tools.filter((tool) => tool.operations.every((name) => allows(accessOf(name), caller.principal)));

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<object | null> {
    refuseCrossSite(request);
    if (!speaks(request.headers['mcp-protocol-version'])) {
      void reply.code(400);
      return failureOf(null, CODES.invalidRequest, 'MCP-Protocol-Version is not supported');
    }
    const message = readMessage(request.body);
    if (message.kind === 'invalid') {
      void reply.code(400);
      return failureOf(null, CODES.invalidRequest, message.reason);
    }
    if (message.kind === 'other') {
      void reply.code(202);
      return null;
    }
    const { id, method, params } = message;
    if (method === 'initialize') return resultOf(id, initialized(params, VERSION));
    if (method === 'ping') return resultOf(id, {});
    if (method === 'tools/list') return resultOf(id, { tools: reached(request).map(listed) });
    if (method !== 'tools/call') return failureOf(id, CODES.methodNotFound, `there is no method ${method}`);
    const wanted = readToolCall(params);
    if (wanted === null)
      return failureOf(id, CODES.invalidParams, 'name must be text, and arguments an object');
    const tool = reached(request).find(({ name }) => name === wanted.name);
    if (tool === undefined)
      return failureOf(id, CODES.invalidParams, `this key reaches no tool ${wanted.name}`);
    return resultOf(id, await call(tool, wanted.given, sending(app, operations, request)));
  }

  app.post(
    '/mcp',
    // The request log has the operations that a tool sends.
    { config: { rateClass: 'read', requestLog: 'nothing' }, schema: { hide: true } },
    async (request, reply) => {
      const body = await answer(request, reply);
      return body === null ? reply.send() : reply.send(body);
    },
  );
}
