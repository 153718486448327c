import type { FakeCarrierAccount } from './account.ts';
import { audioSocketUrl } from './audiosocket.ts';
import { credentials, jambonzSignature } from './proof.ts';
import type { FakeCallFacts, FakeCallState, FakeCarrierSpec } from './spec.ts';
import {
  type Hook,
  form,
  json,
  text,
  orNull,
  streamInXml,
  plus,
  bare,
  bearerIs,
  basicIs,
  NO_ORDER,
  idIn,
  NOT_FOUND,
  TWILIO_STATES,
} from './spec-parts.ts';

/** Smartflo and Acefone: the bot of the key asks for the address of its stream when the callee has answered. */
export const smartflo: FakeCarrierSpec = {
  isAuthorised: (request, { secret }) => bearerIs(request, secret),
  act(request, { application }) {
    const { path, json: body } = request;
    if (path === '/v1/my_number') return { type: 'say', body: { numbers: [] } };
    if (path === '/v1/click_to_call_support' && body['api_key'] === application)
      return {
        type: 'place',
        order: {
          ...NO_ORDER,
          from: plus(body['caller_id']),
          to: plus(body['customer_number']),
          ringMs: Number(body['customer_ring_timeout']) * 1_000,
          identifier: orNull(body['custom_identifier']),
        },
      };
    const callId = text(body['call_id']);
    if (path === '/v1/call/hangup') return { type: 'end', callId };
    return path === '/v1/call/options'
      ? { type: 'transfer', callId, document: text(body['intercom']) }
      : null;
  },
  newId: (number) => `1700000000.${number}`,
  placed: (call_id) => ({ success: true, message: 'Originate successfully queued', call_id }),
  gone: NOT_FOUND,
  announce: (call) =>
    json({
      call_id: call.callId,
      caller_id_number: bare(call.from),
      call_to_number: bare(call.to),
      direction: call.direction,
      ...(call.identifier === null ? {} : { custom_identifier: call.identifier }),
    }),
  report: (call, state) =>
    json({
      call_id: call.callId,
      ...(call.identifier === null ? {} : { custom_identifier: call.identifier }),
      call_status: SMARTFLO_STATES[state],
    }),
  sign: credentials,
  streamIn: (document) => orNull((JSON.parse(document) as { wss_url?: string }).wss_url),
};
const SMARTFLO_STATES: Readonly<Record<FakeCallState, string>> = {
  ...TWILIO_STATES,
  answered: 'answered',
  no_answer: 'noanswer',
};

export const bandwidth: FakeCarrierSpec = (() => {
  const hook = (call: FakeCallFacts, eventType: string, { account }: FakeCarrierAccount, rest = {}): Hook =>
    json({
      eventType,
      accountId: account,
      callId: call.callId,
      from: call.from,
      to: call.to,
      direction: call.direction,
      ...rest,
    });
  const causes: Readonly<Partial<Record<FakeCallState, string>>> = {
    completed: 'hangup',
    busy: 'busy',
    no_answer: 'timeout',
    cancelled: 'cancel',
    failed: 'error',
  };
  const token = ({ secret }: FakeCarrierAccount): string => `bearer-for-${secret}`;
  return {
    isAuthorised: (request, account) =>
      request.path === '/api/v1/oauth2/token' ? basicIs(request, account) : bearerIs(request, token(account)),
    act(request, account) {
      const { method, path, json: body } = request;
      if (path === '/api/v1/oauth2/token')
        return {
          type: 'say',
          body: { access_token: token(account), expires_in: 3_600, token_type: 'Bearer' },
        };
      const at = `/api/v2/accounts/${account.account}/calls`;
      if (path === at && method === 'GET') return { type: 'say', body: {} };
      if (path === at)
        return {
          type: 'place',
          order: {
            ...NO_ORDER,
            from: text(body['from']),
            to: text(body['to']),
            ringMs: Number(body['callTimeout']) * 1_000,
            statusUrl: orNull(body['disconnectUrl']),
            answerUrl: orNull(body['answerUrl']),
          },
        };
      const [callId] = idIn(request, `${at}/`);
      if (callId === '') return null;
      return body['state'] === 'completed'
        ? { type: 'end', callId }
        : { type: 'transfer', callId, document: text(body['redirectUrl']) };
    },
    newId: (number) => `c-call-${number}`,
    placed: (callId) => ({ callId, state: 'queued' }),
    gone: NOT_FOUND,
    announce: (call, account) => hook(call, call.direction === 'inbound' ? 'initiate' : 'answer', account),
    report(call, state, account) {
      const cause = causes[state];
      return cause === undefined ? null : hook(call, 'disconnect', account, { cause });
    },
    sign: credentials,
    streamIn: streamInXml,
  };
})();

export const jambonz: FakeCarrierSpec = (() => {
  const hook = (call: FakeCallFacts, { account }: FakeCarrierAccount, call_status: string): Hook =>
    json({
      call_sid: call.callId,
      account_sid: account,
      from: call.from,
      to: call.to,
      direction: call.direction,
      call_status,
    });
  return {
    isAuthorised: (request, { secret }) => bearerIs(request, secret),
    act(request, { account }) {
      const at = `/v1/Accounts/${account}`;
      const { method, path, json: body } = request;
      const hookUrl = (name: string): string | null =>
        orNull((body[name] as { url?: string } | undefined)?.url);
      if (method === 'GET' && path === at) return { type: 'say', body: { account_sid: account } };
      if (path === `${at}/Calls`)
        return {
          type: 'place',
          order: {
            ...NO_ORDER,
            from: text(body['from']),
            to: text((body['to'] as { number?: string }).number),
            ringMs: Number(body['timeout']) * 1_000,
            statusUrl: hookUrl('call_status_hook'),
            answerUrl: hookUrl('call_hook'),
          },
        };
      const [callId] = idIn(request, `${at}/Calls/`);
      if (callId === '') return null;
      const document = hookUrl('call_hook');
      return document === null ? { type: 'end', callId } : { type: 'transfer', callId, document };
    },
    newId: (number) => `20000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    placed: (sid) => ({ sid, callId: sid }),
    gone: NOT_FOUND,
    announce: (call, account) => hook(call, account, 'trying'),
    report: (call, state, account) =>
      state === 'queued'
        ? hook(call, account, 'trying')
        : hook(call, account, state === 'cancelled' ? 'no-answer' : TWILIO_STATES[state]),
    sign: jambonzSignature,
    streamIn: (document) =>
      orNull(
        (JSON.parse(document) as { verb?: string; url?: string }[]).find(({ verb }) => verb === 'listen')
          ?.url,
      ),
  };
})();

const DIAL_STATUS: Readonly<Record<FakeCallState, string>> = {
  queued: '',
  ringing: 'RINGING',
  answered: 'ANSWER',
  completed: 'COMPLETED',
  busy: 'BUSY',
  no_answer: 'NOANSWER',
  cancelled: 'CANCEL',
  failed: 'CONGESTION',
};

const variables = (body: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  (body['variables'] ?? {}) as Record<string, string>;

/** Asterisk with the dialplan of docs/carriers.md. */
export const asterisk: FakeCarrierSpec = {
  isAuthorised: basicIs,
  act(request) {
    const { method, path, json: body } = request;
    if (method === 'GET' && path === '/ari/asterisk/info') return { type: 'say', body: { status: {} } };
    if (method === 'POST' && path === '/ari/channels')
      return {
        type: 'place',
        order: {
          ...NO_ORDER,
          from: text(body['callerId']),
          to: text(body['endpoint']).slice('Local/'.length).split('@', 1)[0] ?? '',
          ringMs: Number(body['timeout']) * 1_000,
          statusUrl: orNull(variables(body)['__CALLWRIGHT_STATUS']),
          streamUrl: orNull(variables(body)['__CALLWRIGHT_TOKEN']),
          once: orNull(body['channelId']),
        },
      };
    const [callId, rest] = idIn(request, '/ari/channels/');
    if (callId === '') return null;
    return rest === 'redirect'
      ? { type: 'transfer', callId, document: text(body['endpoint']) }
      : { type: 'end', callId };
  },
  newId: (number, order) => order?.once ?? `1700000000.${number}`,
  placed: (id) => ({ id, state: 'Down' }),
  gone: NOT_FOUND,
  announce: (call) => form({ CallSid: call.callId, From: call.from, To: call.to }),
  report: (call, state) =>
    state === 'queued' ? null : form({ CallSid: call.callId, CallStatus: DIAL_STATUS[state] }),
  sign: credentials,
  streamIn: (document, base) => `${base}/carrier/${document}`,
};

/** The same with AudioSocket instead of the WebSocket channel. */
export const audiosocket: FakeCarrierSpec = {
  ...asterisk,
  act(request, account) {
    const act = asterisk.act(request, account);
    if (act?.type !== 'place') return act;
    const streamUrl = orNull(variables(request.json)['__CALLWRIGHT_AUDIOSOCKET']);
    return { ...act, order: { ...act.order, streamUrl } };
  },
  announce: (call) => form({ CallSid: call.callId, From: call.from, To: call.to, Stream: 'AudioSocket' }),
  streamIn: audioSocketUrl,
};
