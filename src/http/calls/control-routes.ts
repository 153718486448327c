import { controlCall } from '../../domain/calls/control.ts';
import { errors } from '../../errors.ts';
import type { CallOrder, InviteOrder, TransferOrder } from '../../shared/call-order.ts';
import { answers } from '../common/schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { ControlBody } from './control-schemas.ts';
import { CallParams, HangUpAnswer } from './schemas.ts';

interface Body {
  readonly operation: Exclude<CallOrder['operation'], 'note' | 'announce'>;
  readonly text?: string;
  readonly transfer_to?: string;
  readonly mode?: TransferOrder['mode'];
  readonly invite_to?: string;
  readonly invite_name?: string;
}

/** The order of a request. Throws 422 for a field that is missing or belongs to another operation. */
function orderOf({ invite_to: inviteTo, invite_name: inviteName, ...body }: Body, by: string): CallOrder {
  const { operation, text, transfer_to: to, mode } = body;
  if (operation === 'invite') return inviteOf({ ...body, inviteTo, inviteName }, by);
  if (inviteTo !== undefined) throw errors.invalid('invite_to', `is for invite, not for ${operation}`);
  if (inviteName !== undefined) throw errors.invalid('invite_name', `is for invite, not for ${operation}`);
  if (operation === 'transfer') {
    if (to === undefined) throw errors.invalid('transfer_to', 'is required for transfer');
    const briefing = text?.trim();
    return {
      operation,
      to,
      mode: mode ?? 'warm',
      ...(briefing === undefined ? {} : { text: briefing }),
      by,
    };
  }
  if (to !== undefined) throw errors.invalid('transfer_to', `is for transfer, not for ${operation}`);
  if (mode !== undefined) throw errors.invalid('mode', `is for transfer, not for ${operation}`);
  if (operation === 'whisper' || operation === 'say') {
    if (text === undefined) throw errors.invalid('text', `is required for ${operation}`);
    return { operation, text: text.trim(), by };
  }
  if (text !== undefined)
    throw errors.invalid('text', `is for whisper, say, transfer and invite, not for ${operation}`);
  return { operation, by };
}

function inviteOf(
  {
    text,
    transfer_to: transferTo,
    mode,
    inviteTo: to,
    inviteName,
  }: Omit<Body, 'operation' | 'invite_to' | 'invite_name'> & {
    readonly inviteTo: string | undefined;
    readonly inviteName: string | undefined;
  },
  by: string,
): InviteOrder {
  if (transferTo !== undefined) throw errors.invalid('transfer_to', 'is for transfer, not for invite');
  if (mode !== undefined) throw errors.invalid('mode', 'is for transfer, not for invite');
  if (to === undefined) throw errors.invalid('invite_to', 'is required for invite');
  const name = inviteName?.trim() ?? to;
  return { operation: 'invite', to, name, ...(text === undefined ? {} : { text: text.trim() }), by };
}

/** POST /calling/{call_id}/control. */
export function controlRoutes(app: Server, deps: Pick<ServerDeps, 'db' | 'control' | 'countries'>): void {
  app.post(
    '/calling/:call_id/control',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'controlCall',
        summary:
          'Control a live call: give the agent a note or a sentence to say, take over, hand back, put on hold, transfer, or invite a third party',
        description:
          'For an answered call that is in progress; 400 otherwise. The audit log names the member, and the transcript names the speaker of each line. While the caller is connected to a transfer target, nothing happens: the live stream has a notice CONTROL_IGNORED.',
        tags: ['Calling'],
        params: CallParams,
        body: ControlBody,
        response: answers(HangUpAnswer, 400, 404, 422),
      },
    },
    async ({ caller, params, body, changeEntry }) => {
      const order = orderOf(body, caller.actor.name);
      const { callId } = await controlCall(deps, caller.workspaceId, changeEntry, params.call_id, order);
      return { status: 'success', data: { call_id: callId }, message: 'The call gets the request' };
    },
  );
}
