import { Type } from 'typebox';
import type { LiveAccess } from '../../domain/access/live-access.ts';
import type { HostLimits } from '../../domain/users/host-limits.ts';
import type { NoteTranscriptRead } from '../calls/transcript-reads.ts';
import { failures } from '../common/schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { closingOf, streamEvents } from './event-stream.ts';
import { eventStream } from './schemas.ts';
import { StreamPlaces } from './stream-places.ts';
import { toLiveEvent } from './wire.ts';

/** At most 20 walls of a workspace, in all processes together. */
const WALLS = { places: 400, parts: 20 };
const WITH_WORDS = new Set(['line', 'words']);

/** GET /calling/live: the events of every live call of the workspace in one stream. */
export function wallRoutes(
  app: Server,
  deps: Pick<ServerDeps, 'clock' | 'onRefused' | 'watchAll'>,
  noteTranscriptRead: NoteTranscriptRead,
  live: LiveAccess,
  limits: HostLimits,
): void {
  const ends = { closing: closingOf(app), live };
  const streams = new StreamPlaces(WALLS, deps, limits.held('call_wall'));

  app.get(
    '/calling/live',
    {
      schema: {
        operationId: 'watchCalls',
        summary: 'Watch every live call',
        description:
          'Server-sent events of all live calls, whichever process carries them: those of GET /calling/{call_id}/live, each with call_id. The stream begins with begun, then the last status, take-over, request for a person and four lines of each call, and goes on with new calls. It ends with the session or key that may read.',
        tags: ['Calling'],
        response: {
          200: eventStream(Type.Ref('WallEvent#'), 'None: a stream that reconnects begins anew.'),
          ...failures(429),
        },
      },
    },
    async (request, reply) => {
      const { workspaceId } = request.caller;
      await streamEvents(request, reply, ends, (left, send) =>
        streams.within(workspaceId, left, async (signal) => {
          send({ type: 'begun', call_id: null });
          const isOver = Promise.withResolvers<void>();
          const stop = deps.watchAll(workspaceId, (event) => {
            const { type, callId = '' } = event;
            if (WITH_WORDS.has(type)) noteTranscriptRead(request, callId);
            // JSON leaves undefined keys out.
            send({ ...toLiveEvent(event), call_id: callId, callId: undefined, id: undefined });
          });
          if (signal.aborted) isOver.resolve();
          else signal.addEventListener('abort', () => isOver.resolve(), { once: true });
          await isOver.promise;
          stop();
        }),
      );
      return reply;
    },
  );
}
