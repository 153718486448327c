import { randomInt } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectTwilioStream, type FakeTwilioCall } from '../twilio/call.ts';
import type { FakeStreamSettings } from '../twilio/stream.ts';
import type { FakeCarrierAccount } from './account.ts';
import { connectAudioSocket } from './audiosocket.ts';
import { answerAboutNumbers, FakeNumberBook } from './numbers.ts';
import type { FakeHook } from './proof.ts';
import type { FakeAct, FakeCallState, FakeOrder, FakeRequest } from './spec.ts';
import { CARRIER_SPECS } from './specs.ts';
import { CARRIER_WIRES, type FakeCarrierKind } from './wires.ts';

/** What a called phone does, and how the carrier misbehaves; a change applies to the next call. */
export interface FakeCarrierSettings {
  /** `rings`: until the service or the timeout of the request ends it. `invalid`: the API refuses the number. */
  callee: 'answers' | 'rings' | 'busy' | 'fails' | 'invalid';
  /** The SIP status of a call that fails, where the carrier names one. */
  sipCode: number;
  ringMs: number;
  /** A callee who answered hangs up after this time; null: never. */
  talkMs: number | null;
  /** The connection of a place request closes without an answer, after the call was placed. */
  losesAnswers: boolean;
  /** Sends every report twice. */
  duplicates: boolean;
  /** Sends the report of a ringing phone after that of its answer. */
  disorder: boolean;
  stream: Partial<FakeStreamSettings>;
  /** How the upgrade of a stream is signed, where the carrier signs it. */
  signature: 'right' | 'wrong' | 'none';
  /** Where the phone of this number differs; null: every phone does the same. */
  phoneOf: ((number: string) => Partial<FakePhone>) | null;
  /** Called for every place request that the API takes, also a repeated one; null: no listener. */
  onPlaced: ((order: FakeOrder) => void) | null;
}

/** What a called phone does, and whether the answer to its place request arrives. */
type FakePhone = Pick<FakeCarrierSettings, 'callee' | 'sipCode' | 'ringMs' | 'talkMs' | 'losesAnswers'>;

/** One call, placed by the service or announced to it. */
export interface FakeCarrierCall {
  readonly callId: string;
  /** Null: a caller. */
  readonly order: FakeOrder | null;
  readonly from: string;
  readonly to: string;
  state: FakeCallState;
  /** Null: no stream is connected. */
  stream: FakeTwilioCall | null;
  /** The document of a transfer, or its target; null: there was none. */
  redirect: string | null;
  /** Place requests that named this call. */
  requests: number;
}

const OVER: ReadonlySet<FakeCallState> = new Set(['completed', 'busy', 'no_answer', 'cancelled', 'failed']);
const REDIRECT_MS = 100;
/** Carriers that sign the upgrade of a stream as they sign their other requests. */
const SIGNS_UPGRADES: ReadonlySet<FakeCarrierKind> = new Set([
  'twilio',
  'signalwire',
  'plivo',
  'vobiz',
  'vonage',
]);
const NO_STREAM = 'no stream is connected';

/**
 * One account of a carrier: takes requests of the service, plays the called phones and callers, asks the service for its
 * documents, connects streams and reports.
 */
export class FakeCarrierApi {
  readonly settings: FakeCarrierSettings = {
    callee: 'answers',
    sipCode: 503,
    ringMs: 100,
    talkMs: null,
    losesAnswers: false,
    duplicates: false,
    disorder: false,
    stream: {},
    signature: 'right',
    phoneOf: null,
    onPlaced: null,
  };
  /** Every call, in order. */
  readonly calls: FakeCarrierCall[] = [];
  /** The numbers of the account, and the applications that take their calls. */
  readonly book = new FakeNumberBook();
  /** Where a carrier without an address in its requests asks and reports: the webhook of the trunk. */
  webhookUrl: string | null = null;
  readonly #account: FakeCarrierAccount;
  readonly #serviceUrl: string | null;
  /** Ids of calls are of this stand-in alone: the service knows those of an earlier one. */
  readonly #firstNumber = randomInt(1, 1_000_000_000);
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #timers = new Set<NodeJS.Timeout>();

  /** `serviceUrl`: where the service listens, if not at its public address. */
  constructor(account: FakeCarrierAccount, serviceUrl: string | null = null) {
    this.#account = account;
    this.#serviceUrl = serviceUrl;
  }

  /** Resolves with the address for the `uri` of the trunk. */
  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const { stream } of this.calls) stream?.cut();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** A caller reaches a number with this webhook. Rejects if the service refuses the call. */
  async dialIn(webhookUrl: string, from: string, to: string): Promise<FakeCarrierCall> {
    const call = this.newCaller(from, to);
    const url = await this.announce(call, webhookUrl);
    // Without an address in the document the service takes the call by a request, which connects it.
    if (url !== null) await this.connect(call, url);
    return call;
  }

  /** A call that nothing has announced yet. */
  newCaller(from: string, to: string): FakeCarrierCall {
    return this.#newCall(null, from, to);
  }

  /** Announces a call; resolves with the address of its stream, if the answer has one. Rejects if the service refuses. */
  async announce(call: FakeCarrierCall, webhookUrl: string): Promise<string | null> {
    const { account, spec } = this.#parts();
    const document = await this.#ask(webhookUrl, spec.announce(this.#facts(call), account));
    return spec.streamIn(document, new URL(webhookUrl).origin.replace(/^http/, 'ws'));
  }

  /** Connects the stream of a call, which ends with it. Rejects if the service refuses it. */
  async connect(call: FakeCarrierCall, url: string): Promise<FakeTwilioCall> {
    const { account, wire } = this.#parts();
    const serviceUrl = this.#serviceUrl ?? new URL(url.replace(/^ws/, 'http')).origin;
    const place = { accountSid: account.account, serviceUrl };
    const headers = this.upgradeHeaders(url);
    const { stream: settings } = this.settings;
    const stream =
      account.kind === 'audiosocket'
        ? await connectAudioSocket(url, call.callId, settings)
        : await connectTwilioStream(place, call.callId, url, settings, wire, headers);
    call.state = 'answered';
    call.stream = stream;
    void stream.ended.then(() => this.#end(call, 'completed'));
    return stream;
  }

  /** Reports a state of a call as the account does; resolves with the status of the answer, null: the carrier reports none. */
  async report(call: FakeCarrierCall, state: FakeCallState): Promise<number | null> {
    const { account, spec } = this.#parts();
    // Without an address in the request, the account has one for all reports.
    const url = call.order?.statusUrl ?? this.webhookUrl?.replace(/voice$/, 'status') ?? null;
    const hook = spec.report(this.#facts(call), state, account);
    if (url === null || hook === null) return null;
    return (await this.#request(url, hook)).status;
  }

  /** The far side of a call hangs up. */
  async hangUp(call: FakeCarrierCall): Promise<void> {
    call.stream?.hangUp();
    await this.#end(call, 'completed');
  }

  /** The headers by which the carrier signs the upgrade of a stream; empty: it signs none. */
  upgradeHeaders(url: string): Readonly<Record<string, string>> {
    const { signature } = this.settings;
    const { account, spec } = this.#parts();
    if (!SIGNS_UPGRADES.has(account.kind) || signature === 'none') return {};
    const signed = {
      ...account,
      ...(signature === 'wrong' ? { secret: 'another', signingKey: 'another' } : {}),
    };
    return spec.sign({ url, method: 'GET', contentType: '', body: '' }, signed);
  }

  #parts() {
    const { kind } = this.#account;
    return { account: this.#account, spec: CARRIER_SPECS[kind], wire: CARRIER_WIRES[kind] };
  }

  #facts({ callId, from, to, order, state }: FakeCarrierCall) {
    const direction = order === null ? ('inbound' as const) : ('outbound' as const);
    const sipCode = state === 'busy' ? 486 : state === 'failed' ? this.#phone(to).sipCode : null;
    return { callId, from, to, direction, identifier: order?.identifier ?? null, sipCode };
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const say = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(status === 204 ? undefined : JSON.stringify(body));
    };
    const request = requestOf(incoming, Buffer.concat(chunks).toString('utf8'));
    const { account, spec } = this.#parts();
    if (!spec.isAuthorised(request, account)) return say(401, { error: 'authentication failed' });
    const about = answerAboutNumbers(request, account, this.book);
    if (about !== null) return say(about.status, about.body);
    const act = spec.act(request, account);
    if (act === null) return say(404, { error: 'no such request' });
    if (act.type === 'say') return say(200, act.body);
    if (act.type === 'place') return this.#place(act.order, say, () => incoming.destroy());
    const call = this.calls.find(({ callId }) => callId === act.callId);
    if (call === undefined || OVER.has(call.state)) return say(spec.gone.status, spec.gone.body);
    say(200, { data: { result: 'ok' } });
    await this.#change(call, act);
    return undefined;
  }

  #place(order: FakeOrder, say: (status: number, body: object) => void, cut: () => void): void {
    const { callee, losesAnswers } = this.#phone(order.to);
    const { spec } = this.#parts();
    if (callee === 'invalid') return say(400, spec.invalid ?? { error: 'the number is not valid' });
    const known = order.once === null ? undefined : this.calls.find((one) => one.order?.once === order.once);
    const call = known ?? this.#newCall(order, order.from, order.to);
    call.requests += 1;
    this.settings.onPlaced?.(order);
    if (losesAnswers && known === undefined) cut();
    else say(201, spec.placed(call.callId));
    if (known === undefined) void this.#ring(call);
    return undefined;
  }

  async #change(call: FakeCarrierCall, act: Extract<FakeAct, { callId: string }>): Promise<void> {
    if (act.type === 'answer') {
      await this.connect(call, act.streamUrl).catch(() => this.#end(call, 'failed'));
      return;
    }
    if (act.type === 'end') {
      call.stream?.hangUp();
      return this.#end(call, call.state === 'answered' ? 'completed' : 'cancelled');
    }
    const { document } = act;
    const { account, spec } = this.#parts();
    call.redirect = /^https?:\/\//.test(document)
      ? await this.#ask(document, spec.announce(this.#facts(call), account)).catch(String)
      : document;
    await this.#pause(REDIRECT_MS);
    call.stream?.hangUp();
    return undefined;
  }

  #newCall(order: FakeOrder | null, from: string, to: string): FakeCarrierCall {
    const callId = this.#parts().spec.newId(this.#firstNumber + this.calls.length, order);
    const call: FakeCarrierCall = {
      callId,
      order,
      from,
      to,
      state: order === null ? 'ringing' : 'queued',
      stream: null,
      redirect: null,
      requests: 0,
    };
    this.calls.push(call);
    return call;
  }

  #phone(number: string): FakePhone {
    return { ...this.settings, ...this.settings.phoneOf?.(number) };
  }

  async #ring(call: FakeCarrierCall): Promise<void> {
    const { callee, ringMs, talkMs } = this.#phone(call.to);
    const { disorder } = this.settings;
    await this.#report(call, 'queued');
    if (!disorder) await this.#report(call, 'ringing');
    if (call.state !== 'queued') return;
    call.state = 'ringing';
    await this.#pause(callee === 'rings' ? (call.order?.ringMs ?? ringMs) : ringMs);
    if (call.state !== 'ringing') return;
    if (callee === 'rings') return this.#end(call, 'no_answer');
    if (callee === 'busy') return this.#end(call, 'busy');
    if (callee === 'fails') return this.#end(call, 'failed');
    await this.#pickedUp(call).catch(() => this.#end(call, 'failed'));
    if (disorder) await this.#report(call, 'ringing');
    if (talkMs === null || call.stream === null) return undefined;
    await this.#pause(talkMs);
    return this.hangUp(call);
  }

  /** The callee answers: the stream of the request, or that of the document. */
  async #pickedUp(call: FakeCarrierCall): Promise<void> {
    const { account, spec } = this.#parts();
    const { answerUrl = null, streamUrl = null } = call.order ?? {};
    const from = answerUrl ?? this.webhookUrl ?? call.order?.statusUrl ?? '';
    const base = new URL(from).origin.replace(/^http/, 'ws');
    const document =
      streamUrl ?? (await this.#ask(answerUrl ?? from, spec.announce(this.#facts(call), account)));
    const url = /^wss?:/.test(document) ? document : spec.streamIn(document, base);
    if (url === null) throw new Error(NO_STREAM);
    call.state = 'answered';
    await this.connect(call, url);
    await this.#report(call, 'answered');
  }

  async #end(call: FakeCarrierCall, state: FakeCallState): Promise<void> {
    if (OVER.has(call.state)) return;
    call.state = state;
    await this.#report(call, state);
  }

  /** Sends a report; one that the service does not take is lost. */
  async #report(call: FakeCarrierCall, state: FakeCallState): Promise<void> {
    for (let left = this.settings.duplicates ? 2 : 1; left > 0; left -= 1)
      await this.report(call, state).catch(() => undefined);
  }

  /** What the service answers to a request of the carrier. Rejects if it refuses. */
  async #ask(address: string, hook: Omit<FakeHook, 'url'>): Promise<string> {
    const answer = await this.#request(address, hook);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`the service answered ${answer.status}: ${text}`);
    return text;
  }

  #request(address: string, hook: Omit<FakeHook, 'url'>): Promise<Response> {
    const { account, spec } = this.#parts();
    const { method, body } = hook;
    const isGet = method === 'GET';
    const separator = address.includes('?') ? '&' : '?';
    const url = isGet && body !== '' ? `${address}${separator}${body}` : address;
    const headers = spec.sign({ ...hook, url, body: isGet ? '' : body }, account);
    const { origin, pathname, search } = new URL(url);
    return fetch(`${this.#serviceUrl ?? origin}${pathname}${search}`, {
      method,
      headers: { ...headers, ...(isGet ? {} : { 'content-type': hook.contentType }) },
      ...(isGet ? {} : { body }),
    });
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

function requestOf({ method = '', url = '', headers }: IncomingMessage, text: string): FakeRequest {
  const [path = ''] = url.split('?', 1);
  return {
    method,
    path,
    headers,
    text,
    form: new URLSearchParams(text),
    json: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}
