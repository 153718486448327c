import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectTwilioStream, twilioSignature, type FakeTwilioCall } from './call.ts';
import type { FakeStreamSettings } from './stream.ts';

/** What a called phone does, and how the carrier misbehaves; a change applies to the next call. */
export interface FakeTwilioApiSettings {
  /** `rings`: until the caller or the timeout of the request ends it. `invalid`: the API refuses the number. */
  callee: 'answers' | 'rings' | 'busy' | 'fails' | 'invalid';
  /** The SIP status of a call that fails. */
  sipCode: number;
  ringMs: number;
  /** The connection of a place request closes without an answer, after the call was placed. */
  losesAnswers: boolean;
  /** Sends every report twice. */
  duplicates: boolean;
  /** Sends the reports of a ringing phone after those of its answer. */
  disorder: boolean;
  stream: Partial<FakeStreamSettings>;
}

/** The stream of a redirected call ends so long after the answer to the request. */
const REDIRECT_MS = 100;

const SETTINGS: FakeTwilioApiSettings = {
  callee: 'answers',
  sipCode: 503,
  ringMs: 100,
  losesAnswers: false,
  duplicates: false,
  disorder: false,
  stream: {},
};

/** One call that the service has the carrier place. */
export interface FakePlacedCall {
  readonly callSid: string;
  /** The form of the place request. */
  readonly form: URLSearchParams;
  /** As Twilio names it. */
  status: string;
  /** The stream of an answered call; null: none is connected. */
  stream: FakeTwilioCall | null;
  /** The document of a redirected call; null: it was not. */
  redirect: string | null;
}

/**
 * Twilio's API of calls for one account: takes place requests, plays the called phones, connects the streams of those that
 * answer, and reports as the request demands.
 */
export class FakeTwilioApi {
  readonly settings: FakeTwilioApiSettings = { ...SETTINGS };
  /** Every call that was placed, in order. */
  readonly calls: FakePlacedCall[] = [];
  readonly #account: { readonly accountSid: string; readonly authToken: string };
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #serviceUrl: string | null;

  /** `serviceUrl`: where the service listens, if not at its public address. */
  constructor(
    account: { readonly accountSid: string; readonly authToken: string },
    serviceUrl: string | null = null,
  ) {
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

  /** The called party of an answered call hangs up. */
  async hangUp(call: FakePlacedCall): Promise<void> {
    call.stream?.hangUp();
    await this.#end(call, 'completed');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
    const { accountSid, authToken } = this.#account;
    const say = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const known = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
    const base = `/2010-04-01/Accounts/${accountSid}`;
    const { url = '', method } = request;
    if (request.headers.authorization !== known)
      say(401, { code: 20_003, message: 'Authenticate', status: 401 });
    else if (method === 'GET' && url === `${base}.json`) say(200, { sid: accountSid, status: 'active' });
    else if (method === 'POST' && url === `${base}/Calls.json`)
      this.#place(form, say, () => request.destroy());
    else if (method === 'POST' && url.startsWith(`${base}/Calls/`)) {
      const callSid = url.slice(`${base}/Calls/`.length).replace(/\.json$/, '');
      const call = this.calls.find((one) => one.callSid === callSid);
      if (call === undefined) return say(404, { code: 20_404, status: 404 });
      say(200, { sid: callSid, status: call.status });
      await this.#change(call, form);
    } else say(404, { code: 20_404, status: 404 });
    return undefined;
  }

  #place(form: URLSearchParams, say: (status: number, body: object) => void, cut: () => void): void {
    const { callee, losesAnswers } = this.settings;
    if (callee === 'invalid')
      return say(400, { code: 21_211, message: `${form.get('To')} is not valid`, status: 400 });
    const callSid = `CA${String(this.calls.length + 1).padStart(32, '0')}`;
    const call: FakePlacedCall = { callSid, form, status: 'queued', stream: null, redirect: null };
    this.calls.push(call);
    if (losesAnswers) cut();
    else say(201, { sid: callSid, status: 'queued' });
    void this.#ring(call);
    return undefined;
  }

  async #ring(call: FakePlacedCall): Promise<void> {
    const { callee, ringMs, sipCode, disorder } = this.settings;
    await this.#report(call, 'initiated');
    if (!disorder) await this.#report(call, 'ringing');
    call.status = 'ringing';
    const timeoutMs = Number(call.form.get('Timeout') ?? 60) * 1_000;
    await this.#pause(callee === 'rings' ? timeoutMs : ringMs);
    if (call.status !== 'ringing') return;
    if (callee === 'rings') return this.#end(call, 'no-answer');
    if (callee === 'busy') return this.#end(call, 'busy', 486);
    if (callee === 'fails') return this.#end(call, 'failed', sipCode);
    await this.#up(call);
    if (disorder) await this.#report(call, 'ringing');
    return undefined;
  }

  /** The callee answers: the document of the request runs. */
  async #up(call: FakePlacedCall): Promise<void> {
    call.status = 'in-progress';
    const url = /<Connect>\s*<Stream url="([^"]+)"/.exec(call.form.get('Twiml') ?? '')?.[1] ?? '';
    const { accountSid } = this.#account;
    const streamUrl = url.replaceAll('&amp;', '&');
    const serviceUrl = this.#serviceUrl ?? new URL(streamUrl.replace(/^ws/, 'http')).origin;
    const stream = await connectTwilioStream(
      { accountSid, serviceUrl },
      call.callSid,
      streamUrl,
      this.settings.stream,
    ).catch(() => null);
    await this.#report(call, 'in-progress');
    // The document has no other verb: without a stream the call ends.
    if (stream === null) return this.#end(call, 'completed');
    call.stream = stream;
    void stream.ended.then(() => this.#end(call, 'completed'));
    return undefined;
  }

  async #change(call: FakePlacedCall, form: URLSearchParams): Promise<void> {
    const document = form.get('Twiml');
    if (document !== null) {
      call.redirect = document;
      await this.#pause(REDIRECT_MS);
      call.stream?.hangUp();
    } else if (form.get('Status') === 'completed') {
      call.stream?.hangUp();
      await this.#end(call, call.status === 'in-progress' ? 'completed' : 'canceled');
    }
  }

  async #end(call: FakePlacedCall, status: string, sipCode?: number): Promise<void> {
    if (!['queued', 'ringing', 'in-progress'].includes(call.status)) return;
    call.status = status;
    await this.#report(call, status, sipCode);
  }

  /** Sends a report; one that the service does not take is lost, as Twilio does not repeat it. */
  async #report(call: FakePlacedCall, status: string, sipCode?: number): Promise<void> {
    const url = call.form.get('StatusCallback');
    if (url === null) return;
    const form = new URLSearchParams({
      AccountSid: this.#account.accountSid,
      CallSid: call.callSid,
      CallStatus: status,
      From: call.form.get('From') ?? '',
      To: call.form.get('To') ?? '',
      ...(sipCode === undefined ? {} : { SipResponseCode: String(sipCode) }),
    });
    const headers = {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'x-twilio-signature': twilioSignature(url, form, this.#account.authToken),
    };
    for (let left = this.settings.duplicates ? 2 : 1; left > 0; left -= 1)
      await fetch(this.#reached(url), { method: 'POST', headers, body: form.toString() }).catch(
        () => undefined,
      );
  }

  /** The same path at the address of the service. */
  #reached(url: string): string {
    return this.#serviceUrl === null ? url : `${this.#serviceUrl}${new URL(url).pathname}`;
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
