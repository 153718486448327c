import { Type } from 'typebox';
import { StreamLimit, watchCall, WatchedCalls } from '../../domain/calls/watch.ts';
import { closingOf, streamEvents } from '../event-stream.ts';
import { CallParams } from '../schemas/calls.ts';
import { failures } from '../schemas/common.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { NoteTranscriptRead } from '../transcript-reads.ts';
import type { Server } from '../type-provider.ts';

/** GET /calling/{call_id}/live: the events of a live call, as server-sent events. */
export function liveRoutes(app: Server, deps: ServerDeps, noteTranscriptRead: NoteTranscriptRead): void {
  const closing = closingOf(app);
  const streams = new StreamLimit();
  const calls = new WatchedCalls(deps);

  app.get(
    '/calling/:call_id/live',
    {
      schema: {
        operationId: 'watchCall',
        summary: 'Watch a call live',
        description:
          'Server-sent events: status, line (a finished line of the transcript), latency (one turn), ' +
          'interrupted, dtmf, notice, ended. The stream ends with the current attempt.',
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
      await streamEvents(
        request,
        reply,
        closing,
        (signal, send) => {
          const { workspaceId } = request.caller;
          return streams.within(workspaceId, () =>
            watchCall({ ...deps, calls }, workspaceId, request.params.call_id, signal, send),
          );
        },
        () => noteTranscriptRead(request, request.params.call_id),
      );
      return reply;
    },
  );
}
