import { isApplicationToken, telnyxSignature, vonageSignature } from './proof.ts';
import type { FakeCallFacts, FakeCallState, FakeCarrierSpec } from './spec.ts';
import { type Hook, json, text, orNull, plus, bare, bearerIs, NO_ORDER, idIn } from './spec-parts.ts';

export const telnyx: FakeCarrierSpec = (() => {
  const hook = (call: FakeCallFacts, event_type: string, rest: object = {}): Hook =>
    json({
      data: {
        event_type,
        id: `event-of-${call.callId}`,
        payload: {
          call_control_id: call.callId,
          direction: call.direction === 'inbound' ? 'incoming' : 'outgoing',
          from: call.from,
          to: call.to,
          ...rest,
        },
      },
    });
  const causes: Readonly<Partial<Record<FakeCallState, string>>> = {
    completed: 'normal_clearing',
    busy: 'user_busy',
    no_answer: 'timeout',
    cancelled: 'originator_cancel',
    failed: 'unspecified',
  };
  return {
    isAuthorised: (request, { secret }) => bearerIs(request, secret),
    act(request, { application }) {
      const { method, path, json: body } = request;
      if (method === 'GET' && path === `/v2/call_control_applications/${application}`)
        return { type: 'say', body: { data: { id: application } } };
      if (path === '/v2/calls')
        return {
          type: 'place',
          order: {
            ...NO_ORDER,
            from: text(body['from']),
            to: text(body['to']),
            ringMs: Number(body['timeout_secs']) * 1_000,
            statusUrl: orNull(body['webhook_url']),
            streamUrl: body['stream_bidirectional_mode'] === 'rtp' ? orNull(body['stream_url']) : null,
            once: orNull(body['command_id']),
          },
        };
      const [callId, action] = idIn(request, '/v2/calls/');
      if (action === 'actions/hangup') return { type: 'end', callId };
      if (action === 'actions/answer') return { type: 'answer', callId, streamUrl: text(body['stream_url']) };
      return action === 'actions/transfer' ? { type: 'transfer', callId, document: text(body['to']) } : null;
    },
    newId: (number) => `v3:call-${number}`,
    placed: (call_control_id) => ({ data: { call_control_id, is_alive: false, record_type: 'call' } }),
    gone: { status: 422, body: { errors: [{ code: '90018', title: 'Call has already ended' }] } },
    announce: (call) => hook(call, 'call.initiated'),
    report(call, state) {
      if (state === 'queued') return hook(call, 'call.initiated');
      if (state === 'answered') return hook(call, 'call.answered');
      const hangup_cause = causes[state];
      return hangup_cause === undefined ? null : hook(call, 'call.hangup', { hangup_cause });
    },
    sign: telnyxSignature,
    streamIn: () => null,
  };
})();

const VONAGE_STATES: Readonly<Record<FakeCallState, string>> = {
  queued: 'started',
  ringing: 'ringing',
  answered: 'answered',
  completed: 'completed',
  busy: 'busy',
  no_answer: 'timeout',
  cancelled: 'cancelled',
  failed: 'failed',
};
interface Ncco {
  readonly endpoint?: readonly { readonly uri?: string }[];
}
const streamInNcco = (ncco: unknown): string | null =>
  orNull((ncco as readonly Ncco[] | undefined)?.[0]?.endpoint?.[0]?.uri);

export const vonage: FakeCarrierSpec = (() => {
  const hook = (call: FakeCallFacts, rest: object): Hook =>
    json({ uuid: call.callId, from: bare(call.from), to: bare(call.to), direction: call.direction, ...rest });
  return {
    isAuthorised: ({ headers }, account) => isApplicationToken(headers.authorization ?? '', account),
    act(request) {
      const { method, path, json: body } = request;
      if (method === 'GET' && path === '/v1/calls') return { type: 'say', body: { count: 0 } };
      if (method === 'POST' && path === '/v1/calls')
        return {
          type: 'place',
          order: {
            ...NO_ORDER,
            from: plus((body['from'] as { number?: string }).number),
            to: plus((body['to'] as { number?: string }[])[0]?.number),
            ringMs: Number(body['ringing_timer']) * 1_000,
            statusUrl: orNull((body['event_url'] as string[])[0]),
            streamUrl: streamInNcco(body['ncco']),
          },
        };
      const [callId] = idIn(request, '/v1/calls/');
      if (callId === '') return null;
      return body['action'] === 'hangup'
        ? { type: 'end', callId }
        : { type: 'transfer', callId, document: JSON.stringify(body['destination']) };
    },
    newId: (number) => `10000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    placed: (uuid) => ({ uuid, status: 'started', direction: 'outbound', conversation_uuid: `CON-${uuid}` }),
    gone: { status: 400, body: { title: 'Bad Request' } },
    announce: (call) => hook(call, { conversation_uuid: `CON-${call.callId}` }),
    report: (call, state) => hook(call, { status: VONAGE_STATES[state] }),
    sign: vonageSignature,
    streamIn: (document) => streamInNcco(JSON.parse(document)),
  };
})();
