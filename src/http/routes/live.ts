import { Type } from 'typebox';
import { watchCall } from '../../domain/calls/watch.ts';
import { CallParams } from '../schemas/calls.ts';
import { failures } from '../schemas/common.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Server } from '../type-provider.ts';

/** A proxy between us and the watcher keeps a stream open that says something now and then. */
const KEEP_ALIVE_MS = 15_000;
/** A watcher that reads slower than the call talks is let go. */
const MAX_BUFFERED = 1_048_576;

/** GET /calling/{call_id}/live: what happens on a call while it happens, as server-sent events. */
export function liveRoutes(app: Server, deps: ServerDeps): void {
  // A server that closes waits for open answers: streams end when it begins to.
  const closing = new AbortController();
  app.addHook('preClose', (done) => {
    closing.abort();
    done();
  });

  app.get(
    '/calling/:call_id/live',
    {
      schema: {
        operationId: 'watchCall',
        summary: 'Watch a call live',
        description:
          'Server-sent events: status, line (a finished line of the transcript), latency (one turn), ' +
          'interrupted, dtmf, notice, ended. The stream ends with the attempt under way.',
        tags: ['Calling'],
        params: CallParams,
        response: {
          200: {
            description: 'The stream.',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
          ...failures(404),
        },
      },
    },
    async (request, reply) => {
      const leave = new AbortController();
      const signal = AbortSignal.any([leave.signal, closing.signal]);
      const out = reply.raw;
      let begun = false;
      const begin = (): void => {
        if (begun) return;
        begun = true;
        reply.hijack();
        out.writeHead(200, {
          'content-type': 'text/event-stream',
          'cache-control': 'no-store',
          // Kept alive, the connection would hold up a closing server for its idle time.
          connection: 'close',
          'x-request-id': request.id,
        });
      };
      out.on('close', () => leave.abort());
      const keepAlive = setInterval(() => {
        if (begun) out.write(': still here\n\n');
      }, KEEP_ALIVE_MS);
      try {
        await watchCall(deps, request.caller.workspaceId, request.params.call_id, signal, (event) => {
          begin();
          if (out.writableLength > MAX_BUFFERED) return leave.abort();
          out.write(`data: ${JSON.stringify(event)}\n\n`);
          return undefined;
        });
      } catch (error) {
        // Once the stream has begun there is no error answer any more: it breaks off.
        if (!begun) throw error;
        out.destroy();
        return reply;
      } finally {
        clearInterval(keepAlive);
      }
      begin();
      out.end();
      return reply;
    },
  );
}
