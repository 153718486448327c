import { once } from 'node:events';
import { connect } from 'node:net';
import type { FakeTwilioCall } from '../twilio/call.ts';
import { FakeTwilioStream, type FakeStreamSettings } from '../twilio/stream.ts';
import { NO_MESSAGE, type FakeWire } from '../twilio/wire.ts';

const STEP_MS = 20;
const HEADER_BYTES = 3;
const [HANGUP, UUID, KEY, AUDIO] = [0x00, 0x01, 0x03, 0x10];

/** AudioSocket of Asterisk: texts are keys, and binary messages audio; `connectAudioSocket` puts them into frames. */
export const AUDIOSOCKET_WIRE: FakeWire = {
  sends: 'l16',
  plays: 'l16',
  begin: () => [],
  common: () => ({}),
  text: ({ event }) => event,
  media: (bytes) => bytes,
  key: (event) => ({ event, rest: {} }),
  mark: () => null,
  cleared: null,
  stop: () => null,
  read: () => ({ type: 'error', code: NO_MESSAGE }),
  readPlain: (text) => (text === 'hangup' ? { type: 'end' } : { type: 'error', code: NO_MESSAGE }),
};

/** Where the application AudioSocket connects, of its arguments `uuid,host:port`. */
export function audioSocketUrl(document: string): string {
  const [uuid = '', at = ''] = document.split(',');
  return `tcp://${at}/${uuid}`;
}

function frame(type: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(type, 0);
  header.writeUInt16BE(payload.length, 1);
  return Buffer.concat([header, payload]);
}

/** Connects a call as Asterisk does: the UUID first, then audio. Rejects if nothing listens there. */
export async function connectAudioSocket(
  url: string,
  callId: string,
  settings: Partial<FakeStreamSettings>,
): Promise<FakeTwilioCall> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  const stream = new FakeTwilioStream({
    callSid: callId,
    accountSid: '',
    settings,
    wire: AUDIOSOCKET_WIRE,
    send: (message) => {
      if (!socket.writable) return;
      socket.write(typeof message === 'string' ? frame(KEY, Buffer.from(message)) : frame(AUDIO, message));
    },
    onEnd: () => socket.end(),
  });
  let held: Buffer = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    held = Buffer.concat([held, bytes]);
    while (held.length >= HEADER_BYTES && held.length >= HEADER_BYTES + held.readUInt16BE(1)) {
      const end = HEADER_BYTES + held.readUInt16BE(1);
      const [type, payload] = [held.readUInt8(0), held.subarray(HEADER_BYTES, end)];
      held = held.subarray(end);
      if (type === AUDIO) stream.receive(payload);
      else stream.receive(type === HANGUP ? 'hangup' : 'another frame');
    }
  });
  socket.write(frame(UUID, Buffer.from(pathname.replace(/[/-]/g, ''), 'hex')));
  const timer = setInterval(() => stream.step(performance.now()), STEP_MS);
  const ended = new Promise<void>((resolve) => {
    socket.once('close', () => {
      clearInterval(timer);
      resolve();
    });
  });
  return {
    stream,
    ended,
    // Asterisk closes the connection without a frame.
    hangUp: () => socket.end(),
    cut: () => socket.destroy(),
  };
}
