import { markFollowUp } from '../../domain/calls/follow-up.ts';
import { answers } from '../common/schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { FollowUpAnswer, FollowUpBody } from './follow-up-schemas.ts';
import { toFollowUp } from './follow-up-wire.ts';
import { CallParams } from './schemas.ts';

type Deps = Pick<ServerDeps, 'db' | 'clock'>;

/** PUT /calling/{call_id}/follow-up: a member or a key marks a call as done, or takes the mark away. */
export function followUpRoutes(app: Server, deps: Deps): void {
  app.put(
    '/calling/:call_id/follow-up',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'markFollowUp',
        summary: 'Mark a call as done',
        description:
          'For calls whose person asked for a person: the lists of the dashboard leave a call out that is done, and followed_up filters the history. The first mark stays until it is taken away.',
        tags: ['Calling'],
        params: CallParams,
        body: FollowUpBody,
        response: answers(FollowUpAnswer, 400, 404, 413, 415, 422),
      },
    },
    async ({ caller, params, body, changeEntry }) => ({
      follow_up: toFollowUp(
        await markFollowUp(deps, caller.workspaceId, changeEntry, {
          callId: params.call_id,
          isDone: body.done,
          by: caller.actor.name,
        }),
      ),
    }),
  );
}
