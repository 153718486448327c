import { createSocket, type RemoteInfo } from 'node:dgram';

/** One datagram with an INVITE, repeated ones too. */
export interface LoggedInvite {
  readonly to: string;
  readonly callId: string;
  /** The SIP port it came from: of which process it is. */
  readonly from: number;
}

/** What a callee does with a call. */
export type Callee = 'silent' | 'ringing' | 'talking' | 'busy';

/** The far end of a trunk over UDP that writes down every datagram that could make a phone ring, or ends a call. */
export interface LoggingCarrier {
  readonly port: number;
  readonly invites: readonly LoggedInvite[];
  /** Call-IDs that were ended by BYE. */
  readonly byes: ReadonlySet<string>;
  close(): Promise<void>;
}

export async function startLoggingCarrier(calleeOf: (number: string) => Callee): Promise<LoggingCarrier> {
  const socket = createSocket('udp4');
  const invites: LoggedInvite[] = [];
  const byes = new Set<string>();
  const asked = new Map<string, string>();
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
    if (method === 'CANCEL') answer(asked.get(callId) ?? '', '487 Request Terminated', from);
    if (method !== 'INVITE') return;
    asked.set(callId, request);
    const to = /^INVITE sip:([^@;\s]+)/.exec(request)?.[1] ?? '';
    invites.push({ to, callId, from: from.port });
    const callee = calleeOf(to);
    if (callee === 'ringing') answer(request, '180 Ringing', from);
    else if (callee === 'busy') answer(request, '486 Busy Here', from);
    else if (callee === 'talking') answer(request, '200 OK', from, SDP);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    port: socket.address().port,
    invites,
    byes,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** Audio that goes nowhere. */
const SDP = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 9 RTP/AVP 0',
  '',
].join('\r\n');

const header = (message: string, name: string): string =>
  new RegExp(`^${name}:\\s*(.*?)\\s*$`, 'im').exec(message)?.[1] ?? '';
