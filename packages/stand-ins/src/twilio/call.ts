import { WebSocket } from 'ws';
import { FakeTwilioStream, type FakeStreamSettings } from './stream.ts';
import { TWILIO_WIRE, type FakeWire } from './wire.ts';

const STEP_MS = 20;

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

/** Connects the stream of an announced call. Rejects if the service refuses it. */
export async function connectTwilioStream(
  { accountSid, serviceUrl }: { readonly accountSid: string; readonly serviceUrl: string },
  callSid: string,
  streamUrl: string,
  settings: Partial<FakeStreamSettings> = {},
  wire: FakeWire = TWILIO_WIRE,
  headers: Readonly<Record<string, string>> = {},
): Promise<FakeTwilioCall> {
  const address = new URL(through(serviceUrl, streamUrl));
  address.protocol = 'ws:';
  const socket = new WebSocket(address, { perMessageDeflate: false, headers });
  const stream = new FakeTwilioStream({
    callSid,
    accountSid,
    settings,
    wire,
    send: (message) => {
      if (socket.readyState === socket.OPEN) socket.send(message);
    },
    onEnd: () => socket.close(1000),
  });
  const ended = Promise.withResolvers<void>();
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  socket.on('error', () => undefined);
  socket.on('message', (data: Buffer, isBinary) => stream.receive(isBinary ? data : data.toString('utf8')));
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
