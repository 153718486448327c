import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';

/** One received INVITE datagram, including retransmissions. */
export interface LoggedInvite {
  readonly to: string;
  readonly callId: string;
  /** Source port, which identifies the sending process. */
  readonly from: number;
}

/** Behaviour of a callee. */
export type Callee = 'silent' | 'ringing' | 'talking' | 'busy';

/** A UDP carrier that logs every INVITE and BYE datagram. */
export interface LoggingCarrier {
  readonly port: number;
  readonly invites: readonly LoggedInvite[];
  /** Call-IDs that received BYE. */
  readonly byes: ReadonlySet<string>;
  /** `user expires` of every REGISTER, without retransmissions. */
  readonly registers: readonly string[];
  close(): Promise<void>;
}

/**
 * `mediaPort`: where it wants the audio of `talking` callees, who send none. Absent: it discards their audio and sends a packet of
 * silence a second, so that no call ends for want of audio.
 */
export async function startLoggingCarrier(
  calleeOf: (number: string) => Callee,
  mediaPort?: number,
): Promise<LoggingCarrier> {
  const socket = createSocket('udp4');
  const media = await boundSocket();
  const silences = new Map<string, NodeJS.Timeout>();
  const invites: LoggedInvite[] = [];
  const byes = new Set<string>();
  const registers: string[] = [];
  const invitesById = new Map<string, string>();
  const answer = (request: string, status: string, to: RemoteInfo, sdp = ''): void => {
    const { address, port } = socket.address();
    const copied = ['Via', 'From', 'Call-ID', 'CSeq'].map((name) => `${name}: ${header(request, name)}`);
    const lines = [
      `SIP/2.0 ${status}`,
      ...copied,
      `To: ${header(request, 'To')};tag=far`,
      `Contact: <sip:far@${address}:${port}>`,
      ...(sdp === '' ? [] : ['Content-Type: application/sdp']),
      `Content-Length: ${sdp.length}`,
    ];
    socket.send(`${lines.join('\r\n')}\r\n\r\n${sdp}`, to.port, to.address);
  };
  socket.on('message', (data, from) => {
    const request = data.toString();
    const method = request.slice(0, request.indexOf(' '));
    const callId = header(request, 'Call-ID');
    if (method === 'OPTIONS' || method === 'CANCEL' || method === 'BYE') answer(request, '200 OK', from);
    if (method === 'BYE') {
      byes.add(callId);
      clearInterval(silences.get(callId));
    }
    if (method === 'REGISTER') {
      const user = /<sip:([^@>]+)@/.exec(header(request, 'To'))?.[1] ?? '';
      const expires = header(request, 'Expires') || /expires=(\d+)/.exec(header(request, 'Contact'))?.[1];
      registers.push(`${user} ${Number(expires) > 0 ? 'on' : 'off'}`);
      answer(request, '200 OK', from);
    }
    if (method === 'CANCEL') answer(invitesById.get(callId) ?? '', '487 Request Terminated', from);
    if (method !== 'INVITE') return;
    invitesById.set(callId, request);
    const to = /^INVITE sip:([^@;\s]+)/.exec(request)?.[1] ?? '';
    invites.push({ to, callId, from: from.port });
    const callee = calleeOf(to);
    if (callee === 'ringing') answer(request, '180 Ringing', from);
    else if (callee === 'busy') answer(request, '486 Busy Here', from);
    else if (callee === 'talking') {
      answer(request, '200 OK', from, sdpOf(mediaPort ?? media.address().port));
      if (mediaPort === undefined && !silences.has(callId))
        silences.set(callId, sendSilence(media, audioPortOf(request)));
    }
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    port: socket.address().port,
    invites,
    byes,
    registers,
    close: async () => {
      for (const timer of silences.values()) clearInterval(timer);
      await Promise.all([socket, media].map((one) => new Promise<void>((resolve) => one.close(resolve))));
    },
  };
}

async function boundSocket(): Promise<Socket> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return socket;
}

const FRAME_SAMPLES = 160;
const PCMU_SILENCE = 0xff;
const SAMPLES_PER_SECOND = 8_000;

/** Sends 20 ms of silence (PCMU, RFC 3551) to the port every second. */
function sendSilence(media: Socket, port: number): NodeJS.Timeout {
  let sent = 0;
  return setInterval(() => {
    const packet = Buffer.alloc(12 + FRAME_SAMPLES, PCMU_SILENCE);
    packet.writeUInt16BE(0x8000);
    packet.writeUInt16BE(sent & 0xffff, 2);
    packet.writeUInt32BE((sent * SAMPLES_PER_SECOND) >>> 0, 4);
    packet.writeUInt32BE(0x5117e7ce, 8);
    media.send(packet, port, '127.0.0.1');
    sent += 1;
  }, 1_000).unref();
}

const audioPortOf = (invite: string): number => Number(/^m=audio (\d+)/m.exec(invite)?.[1]);

const sdpOf = (mediaPort: number): string =>
  [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    'c=IN IP4 127.0.0.1',
    't=0 0',
    `m=audio ${mediaPort} RTP/AVP 0`,
    '',
  ].join('\r\n');

const header = (message: string, name: string): string =>
  new RegExp(`^${name}:\\s*(.*?)\\s*$`, 'im').exec(message)?.[1] ?? '';
