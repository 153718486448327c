import { createHmac } from 'node:crypto';
import { WebSocket } from 'ws';
import { FakeTwilioStream, type FakeStreamSettings } from './stream.ts';
import { TWILIO_WIRE, type FakeWire } from './wire.ts';

const STEP_MS = 20;

/** An account of the carrier, and where its calls go. */
export interface FakeTwilioAccount {
  readonly accountSid: string;
  readonly authToken: string;
  /** The voice webhook as the number has it, under the public address of the service. */
  readonly webhookUrl: string;
  /** Where the service listens, such as `http://127.0.0.1:8080`: stands for the proxy at its public address. */
  readonly serviceUrl: string;
}

export interface FakeTwilioCaller {
  readonly callSid: string;
  readonly from: string;
  readonly to: string;
}

/** A call whose stream is connected; `step` is called by a timer of 20 ms. */
export interface FakeTwilioCall {
  readonly stream: FakeTwilioStream;
  /** Resolves when the service, or the caller, ended the stream. */
  readonly ended: Promise<void>;
  /** The caller hangs up. */
  hangUp(): void;
  /** The network cuts the connection. */
  cut(): void;
}

/** The signature of a form: base64 HMAC-SHA1 of the address and the sorted fields. */
export function twilioSignature(url: string, form: URLSearchParams, authToken: string): string {
  const fields = [...form].sort(([a], [b]) => (a < b ? -1 : 1));
  const text = url + fields.map(([name, value]) => name + value).join('');
  return createHmac('sha1', authToken).update(text, 'utf8').digest('base64');
}

/** Announces a call at the voice webhook; resolves with the address of the stream. Rejects if the service refuses. */
export async function announceTwilioCall(
  account: FakeTwilioAccount,
  { callSid, from, to }: FakeTwilioCaller,
): Promise<string> {
  const { accountSid, authToken, webhookUrl, serviceUrl } = account;
  const form = new URLSearchParams({
    AccountSid: accountSid,
    ApiVersion: '2010-04-01',
    CallSid: callSid,
    CallStatus: 'ringing',
    Direction: 'inbound',
    From: from,
    To: to,
  });
  const answer = await fetch(through(serviceUrl, webhookUrl), {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'x-twilio-signature': twilioSignature(webhookUrl, form, authToken),
    },
    body: form.toString(),
  });
  const document = await answer.text();
  const url = /<Connect>\s*<Stream url="([^"]+)"/.exec(document)?.[1];
  if (!answer.ok || url === undefined) throw new Error(`the service answered ${answer.status}: ${document}`);
  return url.replaceAll('&amp;', '&');
}

/** Connects the stream of an announced call. Rejects if the service refuses it. */
export async function connectTwilioStream(
  { accountSid, serviceUrl }: Pick<FakeTwilioAccount, 'accountSid' | 'serviceUrl'>,
  callSid: string,
  streamUrl: string,
  settings: Partial<FakeStreamSettings> = {},
  wire: FakeWire = TWILIO_WIRE,
): Promise<FakeTwilioCall> {
  const address = new URL(through(serviceUrl, streamUrl));
  address.protocol = 'ws:';
  const socket = new WebSocket(address, { perMessageDeflate: false });
  const stream = new FakeTwilioStream({
    callSid,
    accountSid,
    settings,
    wire,
    send: (text) => {
      if (socket.readyState === socket.OPEN) socket.send(text);
    },
  });
  const ended = Promise.withResolvers<void>();
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  socket.on('error', () => undefined);
  socket.on('message', (data: Buffer) => stream.receive(data.toString('utf8')));
  stream.open();
  const timer = setInterval(() => stream.step(performance.now()), STEP_MS);
  socket.on('close', () => {
    clearInterval(timer);
    ended.resolve();
  });
  return {
    stream,
    ended: ended.promise,
    hangUp() {
      stream.hangUp();
      socket.close(1000);
    },
    cut: () => socket.terminate(),
  };
}

/** The same path and query at the address of the service. */
function through(serviceUrl: string, url: string): string {
  const { pathname, search } = new URL(url);
  return `${serviceUrl}${pathname}${search}`;
}
