import type { FakeCarrierAccount } from './account.ts';
import { credentials } from './proof.ts';
import type { FakeCallFacts, FakeCallState, FakeCarrierSpec } from './spec.ts';
import {
  type Hook,
  form,
  json,
  text,
  orNull,
  plus,
  bare,
  streamInXml,
  basicIs,
  NO_ORDER,
  idIn,
  NOT_FOUND,
  TWILIO_STATES,
} from './spec-parts.ts';

export function laml(base: string, sign: FakeCarrierSpec['sign']): FakeCarrierSpec {
  const hook = (call: FakeCallFacts, state: FakeCallState, { account }: FakeCarrierAccount): Hook =>
    form({
      AccountSid: account,
      CallSid: call.callId,
      CallStatus: TWILIO_STATES[state],
      Direction: call.direction,
      From: call.from,
      To: call.to,
      ...(call.sipCode === null ? {} : { SipResponseCode: String(call.sipCode) }),
    });
  return {
    isAuthorised: basicIs,
    act(request, { account }) {
      const at = `${base}/Accounts/${account}`;
      const { method, path, form: fields } = request;
      if (method === 'GET' && path === `${at}.json`)
        return { type: 'say', body: { sid: account, status: 'active' } };
      if (path === `${at}/Calls.json`) {
        const document = fields.get('Twiml');
        return {
          type: 'place',
          order: {
            ...NO_ORDER,
            from: fields.get('From') ?? '',
            to: fields.get('To') ?? '',
            ringMs: Number(fields.get('Timeout')) * 1_000,
            statusUrl: fields.get('StatusCallback'),
            answerUrl: fields.get('Url'),
            streamUrl: document === null ? null : streamInXml(document),
          },
        };
      }
      const callId = idIn(request, `${at}/Calls/`)[0].replace(/\.json$/, '');
      if (callId === '') return null;
      const document = fields.get('Twiml') ?? fields.get('Url');
      return document === null ? { type: 'end', callId } : { type: 'transfer', callId, document };
    },
    newId: (number) => `CA${String(number).padStart(32, '0')}`,
    placed: (sid) => ({ sid, status: 'queued' }),
    invalid: { code: 21_211, message: 'the number is not valid', status: 400 },
    gone: { status: 404, body: { code: 20_404, status: 404 } },
    announce: (call, account) => hook(call, 'ringing', account),
    report: hook,
    sign,
    streamIn: streamInXml,
  };
}

const PLIVO_STATES: Readonly<Record<FakeCallState, string>> = {
  ...TWILIO_STATES,
  no_answer: 'timeout',
  cancelled: 'cancel',
};

export function plivoLike(base: string, isVobiz: boolean, sign: FakeCarrierSpec['sign']): FakeCarrierSpec {
  const hook = (call: FakeCallFacts, state: FakeCallState): Hook =>
    form({
      CallUUID: call.callId,
      CallStatus: PLIVO_STATES[state],
      Direction: call.direction,
      From: bare(call.from),
      To: bare(call.to),
      ...(state === 'failed' ? { HangupCauseCode: '5010' } : {}),
    });
  return {
    isAuthorised: (request, account) =>
      isVobiz
        ? request.headers['x-auth-id'] === account.account &&
          request.headers['x-auth-token'] === account.secret
        : basicIs(request, account),
    act(request, { account }) {
      const at = `${base}/${account}`;
      const { method, path, json: body } = request;
      if (method === 'GET' && path === `${at}/`) return { type: 'say', body: { auth_id: account } };
      if (method === 'POST' && path === `${at}/Call/`)
        return {
          type: 'place',
          order: {
            ...NO_ORDER,
            from: plus(body['from']),
            to: plus(body['to']),
            ringMs: Number(body['ring_timeout']) * 1_000,
            statusUrl: orNull(body['hangup_url']),
            answerUrl: orNull(body['answer_url']),
          },
        };
      const callId = idIn(request, `${at}/Call/`)[0] || idIn(request, `${at}/Request/`)[0];
      if (callId === '') return null;
      return method === 'DELETE'
        ? { type: 'end', callId }
        : { type: 'transfer', callId, document: text(body['aleg_url']) };
    },
    newId: (number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    placed: (request_uuid) => ({ message: 'call fired', request_uuid }),
    gone: NOT_FOUND,
    announce: (call) => hook(call, 'ringing'),
    report: hook,
    sign,
    streamIn: streamInXml,
  };
}

export const exotel: FakeCarrierSpec = {
  isAuthorised: basicIs,
  act(request, { account }) {
    const at = `/v1/accounts/${account}`;
    const { method, path, form: fields } = request;
    if (method === 'GET' && path === `${at}.json`)
      return { type: 'say', body: { Account: { Sid: account } } };
    if (path === `${at}/calls/connect.json`)
      return {
        type: 'place',
        order: {
          ...NO_ORDER,
          from: fields.get('callerid') ?? '',
          to: fields.get('from') ?? '',
          ringMs: Number(fields.get('timeout')) * 1_000,
          statusUrl: fields.get('statuscallback'),
          streamUrl: fields.get('streamtype') === 'bidirectional' ? fields.get('streamurl') : null,
        },
      };
    const callId = idIn(request, `${at}/calls/`)[0].replace(/\.json$/, '');
    return callId === '' ? null : { type: 'end', callId };
  },
  newId: (number) => `exotel${String(number).padStart(26, '0')}`,
  placed: (Sid) => ({ Call: { Sid, Status: 'in-progress' } }),
  gone: NOT_FOUND,
  // The applet asks with GET.
  announce: (call) => ({
    method: 'GET',
    contentType: '',
    body: new URLSearchParams({ CallSid: call.callId, CallFrom: call.from, CallTo: call.to }).toString(),
  }),
  report: (call, state) =>
    state === 'queued'
      ? null
      : json({
          CallSid: call.callId,
          EventType: state === 'answered' || state === 'ringing' ? state : 'terminal',
          Status: state === 'answered' ? 'in-progress' : TWILIO_STATES[state],
        }),
  sign: credentials,
  streamIn: (document) => orNull((JSON.parse(document) as { url?: string }).url),
};
