import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectTwilioStream, type FakeTwilioCall } from '../twilio/call.ts';
import type { FakeStreamSettings } from '../twilio/stream.ts';
import { PLIVO_WIRE } from '../twilio/wire.ts';

/** An account of Plivo, or of Vobiz. */
export interface FakePlivoAccount {
  readonly kind: 'plivo' | 'vobiz';
  readonly authId: string;
  readonly authToken: string;
}

/** What a called phone does; a change applies to the next call. */
export interface FakePlivoSettings {
  callee: 'answers' | 'rings' | 'busy' | 'fails';
  /** Of a call that fails. */
  hangupCauseCode: string;
  ringMs: number;
  /** Sends every report twice. */
  duplicates: boolean;
  stream: Partial<FakeStreamSettings>;
}

/** One call, placed by the service or announced to it. */
export interface FakePlivoCall {
  readonly callUuid: string;
  /** The body of the place request; empty for a caller. */
  readonly order: Readonly<Record<string, unknown>>;
  /** As Plivo names it. */
  status: string;
  /** Null: no stream is connected. */
  stream: FakeTwilioCall | null;
  /** The document of a transfer; null: there was none. */
  redirect: string | null;
}

const FINAL: ReadonlySet<string> = new Set(['completed', 'busy', 'failed', 'timeout', 'cancel']);

/** Signs as version 3 does: Plivo's covers the form, that of Vobiz the address alone. */
export function plivoHeaders(
  { kind, authToken }: FakePlivoAccount,
  url: string,
  form: URLSearchParams,
): Record<string, string> {
  const nonce = randomUUID();
  const fields = [...form].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => name + value);
  const text = kind === 'vobiz' ? `${url}.${nonce}` : `${url}?${fields.join('')}.${nonce}`;
  return {
    'content-type': 'application/x-www-form-urlencoded',
    [`x-${kind}-signature-v3`]: createHmac('sha256', authToken).update(text, 'utf8').digest('base64'),
    [`x-${kind}-signature-v3-nonce`]: nonce,
  };
}

/**
 * The API of Plivo or Vobiz for one account: takes place requests, plays the called phones, asks the service for its
 * documents, connects streams and reports.
 */
export class FakePlivoApi {
  readonly settings: FakePlivoSettings = {
    callee: 'answers',
    hangupCauseCode: '5010',
    ringMs: 100,
    duplicates: false,
    stream: {},
  };
  /** Every call, in order. */
  readonly calls: FakePlivoCall[] = [];
  readonly #account: FakePlivoAccount;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(account: FakePlivoAccount) {
    this.#account = account;
  }

  /** Resolves with the address for the `uri` of the trunk. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const { stream } of this.calls) stream?.cut();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** A caller reaches a number with this answer URL. Rejects if the service refuses the call. */
  async dialIn(answerUrl: string, from: string, to: string): Promise<FakePlivoCall> {
    const call = this.#newCall({});
    await this.#up(call, answerUrl, { From: from, To: to, Direction: 'inbound', CallStatus: 'ringing' });
    return call;
  }

  /** The far side of a call hangs up. */
  async hangUp(call: FakePlivoCall): Promise<void> {
    call.stream?.hangUp();
    await this.#end(call, 'completed', '4000');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const say = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const base = `${this.#account.kind === 'vobiz' ? '/api' : ''}/v1/Account/${this.#account.authId}`;
    const { url = '', method } = request;
    const text = Buffer.concat(chunks).toString('utf8');
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    const [noun, callUuid] = url.slice(base.length + 1).split('/');
    const call = this.calls.find((one) => one.callUuid === callUuid);
    if (!this.#isAuthorised(request)) say(401, { error: 'authentication failed' });
    else if (method === 'GET' && url === `${base}/`) say(200, { auth_id: this.#account.authId });
    else if (method === 'POST' && url === `${base}/Call/`) {
      const placed = this.#newCall(body);
      say(201, { message: 'call fired', request_uuid: placed.callUuid });
      void this.#ring(placed);
    } else if (call === undefined || FINAL.has(call.status)) say(404, { error: 'not found' });
    else if (method === 'DELETE') {
      const isUp = call.status === 'in-progress';
      if (isUp !== (noun === 'Call')) return say(404, { error: 'not found' });
      response.writeHead(204).end();
      call.stream?.hangUp();
      await this.#end(call, isUp ? 'completed' : 'cancel', '1000');
    } else {
      say(202, { message: 'call transferred' });
      call.redirect = await this.#document(String(body['aleg_url']), { CallUUID: call.callUuid });
      call.stream?.hangUp();
    }
    return undefined;
  }

  #isAuthorised({ headers }: IncomingMessage): boolean {
    const { kind, authId, authToken } = this.#account;
    if (kind === 'vobiz') return headers['x-auth-id'] === authId && headers['x-auth-token'] === authToken;
    return headers.authorization === `Basic ${Buffer.from(`${authId}:${authToken}`).toString('base64')}`;
  }

  #newCall(order: Readonly<Record<string, unknown>>): FakePlivoCall {
    const call = { callUuid: randomUUID(), order, status: 'queued', stream: null, redirect: null };
    this.calls.push(call);
    return call;
  }

  async #ring(call: FakePlivoCall): Promise<void> {
    const { callee, ringMs, hangupCauseCode } = this.settings;
    call.status = 'ringing';
    await this.#report(call, 'ring_url', { CallStatus: 'ringing' });
    await this.#pause(callee === 'rings' ? Number(call.order['ring_timeout'] ?? 60) * 1_000 : ringMs);
    if (call.status !== 'ringing') return;
    if (callee === 'rings') return this.#end(call, 'timeout', '3000');
    if (callee === 'busy') return this.#end(call, 'busy', '3010');
    if (callee === 'fails') return this.#end(call, 'failed', hangupCauseCode);
    const { from = '', to = '', answer_url: answerUrl } = call.order;
    const fields = { From: String(from), To: String(to), Direction: 'outbound', CallStatus: 'in-progress' };
    await this.#up(call, String(answerUrl), fields).catch(() => this.#end(call, 'failed', '7011'));
    return undefined;
  }

  /** The call is up: its document runs, and the call ends with the stream. */
  async #up(call: FakePlivoCall, answerUrl: string, fields: Record<string, string>): Promise<void> {
    call.status = 'in-progress';
    const document = await this.#document(answerUrl, { CallUUID: call.callUuid, ...fields });
    const [before = ''] = document.split('</Stream>');
    const url = before.slice(before.lastIndexOf('>') + 1);
    const { origin } = new URL(url.replace(/^ws/, 'http'));
    const account = { accountSid: this.#account.authId, serviceUrl: origin };
    const { callUuid } = call;
    call.stream = await connectTwilioStream(account, callUuid, url, this.settings.stream, PLIVO_WIRE);
    void call.stream.ended.then(() => this.#end(call, 'completed', '4010'));
  }

  async #end(call: FakePlivoCall, status: string, code: string): Promise<void> {
    if (FINAL.has(call.status)) return;
    call.status = status;
    await this.#report(call, 'hangup_url', { CallStatus: status, HangupCauseCode: code });
  }

  async #report(call: FakePlivoCall, name: string, fields: Record<string, string>): Promise<void> {
    const url = call.order[name];
    if (typeof url !== 'string') return;
    for (let left = this.settings.duplicates ? 2 : 1; left > 0; left -= 1)
      await this.#document(url, { CallUUID: call.callUuid, ...fields }).catch(() => undefined);
  }

  /** What the service answers to a signed form. Rejects if it refuses. */
  async #document(url: string, fields: Record<string, string>): Promise<string> {
    const form = new URLSearchParams(fields);
    const headers = plivoHeaders(this.#account, url, form);
    const answer = await fetch(url, { method: 'POST', headers, body: form.toString() });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`the service answered ${answer.status}: ${text}`);
    return text;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        resolve();
      }, ms);
      this.#timers.add(timer);
    });
  }
}
