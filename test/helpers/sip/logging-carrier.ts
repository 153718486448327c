import { createSocket, type RemoteInfo } from 'node:dgram';

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

/** `mediaPort`: where it wants the audio of `talking` callees; absent: the audio is discarded. */
export async function startLoggingCarrier(
  calleeOf: (number: string) => Callee,
  mediaPort = 9,
): Promise<LoggingCarrier> {
  const socket = createSocket('udp4');
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
    if (method === 'BYE') byes.add(callId);
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
    else if (callee === 'talking') answer(request, '200 OK', from, sdpOf(mediaPort));
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    port: socket.address().port,
    invites,
    byes,
    registers,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

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
