import { Type } from 'typebox';
import type { LiveAccess } from '../../domain/access/live-access.ts';
import type { HostLimits } from '../../domain/users/host-limits.ts';
import { watchCall, WatchedCalls } from '../../domain/calls/watch.ts';
import { closingOf, lastEventId, streamEvents } from './event-stream.ts';
import { CallParams } from '../calls/schemas.ts';
import { failures } from '../common/schemas.ts';
import { eventStream } from './schemas.ts';
import { StreamPlaces } from './stream-places.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { NoteTranscriptRead } from '../calls/transcript-reads.ts';
import type { Server } from '../server/type-provider.ts';
import { toLiveEvent } from './wire.ts';

type LiveRouteDeps = Pick<ServerDeps, 'db' | 'clock' | 'watch' | 'onRefused'>;

/** At most 50 streams of a workspace, in all processes together. */
const STREAMS = { places: 1_000, parts: 20 };

/** GET /calling/{call_id}/live: the events of a live call, as server-sent events. */
export function liveRoutes(
  app: Server,
  deps: LiveRouteDeps,
  noteTranscriptRead: NoteTranscriptRead,
  live: LiveAccess,
  limits: HostLimits,
): void {
  const ends = { closing: closingOf(app), live };
  const streams = new StreamPlaces(STREAMS, deps, limits.held('call_stream'));
  const calls = new WatchedCalls(deps);

  app.get(
    '/calling/:call_id/live',
    {
      schema: {
        operationId: 'watchCall',
        summary: 'Watch a call live',
        description:
          'Server-sent events: status, line (a finished line of the transcript), latency (one turn), ' +
          'interrupted, dtmf, notice, ended. The stream begins with what happened so far in the current attempt, and ' +
          'ends with it, or when the session or key may no longer read. With the header Last-Event-ID it leaves out what the client has: the id of an event is good ' +
          'while the attempt lasts. Events of a queued call have no id.',
        tags: ['Calling'],
        params: CallParams,
        response: {
          200: eventStream(Type.Ref('LiveEvent#'), 'The attempt and the number of the event in it.'),
          ...failures(404),
        },
      },
    },
    async (request, reply) => {
      await streamEvents(
        request,
        reply,
        ends,
        (left, send) => {
          const { workspaceId } = request.caller;
          return streams.within(workspaceId, left, (signal) =>
            watchCall(
              { ...deps, calls },
              workspaceId,
              request.params.call_id,
              signal,
              (event, id) => send(toLiveEvent(event), id),
              lastEventId(request),
            ),
          );
        },
        () => noteTranscriptRead(request, request.params.call_id),
      );
      return reply;
    },
  );
}
