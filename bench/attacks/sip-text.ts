import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** A UDP socket on one loopback address, which stands for one source. */
export interface Source {
  readonly address: string;
  readonly port: number;
  readonly received: string[];
  send(text: string | Buffer, port: number): void;
  close(): void;
}

const MOST_RECEIVED = 20_000;

/** `onMessage` replaces the list of received messages. */
export async function openSource(
  address: string,
  onMessage?: (text: string, bytes: Buffer) => void,
): Promise<Source> {
  const socket: Socket = createSocket({ type: 'udp4', sendBufferSize: 1 << 20, recvBufferSize: 1 << 20 });
  const received: string[] = [];
  socket.on('message', (bytes) => {
    const text = bytes.toString('latin1');
    if (onMessage !== undefined) onMessage(text, bytes);
    else if (received.length < MOST_RECEIVED) received.push(text);
  });
  socket.on('error', () => undefined);
  socket.bind({ address, port: 0 });
  await once(socket, 'listening');
  let isClosed = false;
  return {
    address,
    port: socket.address().port,
    received,
    send: (text, port) => {
      if (isClosed) return;
      socket.send(
        typeof text === 'string' ? Buffer.from(text, 'latin1') : text,
        port,
        '127.0.0.1',
        () => undefined,
      );
    },
    close: () => {
      isClosed = true;
      socket.close();
    },
  };
}

export interface RequestParts {
  readonly method: string;
  readonly from: Pick<Source, 'address' | 'port'>;
  readonly id: string;
  readonly user?: string;
  readonly caller?: string;
  readonly transport?: 'UDP' | 'TCP';
  readonly branch?: string;
  readonly toTag?: string | null;
  readonly uri?: string;
  readonly sequence?: number;
  readonly contact?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** A SIP request. */
export function sipRequest(parts: RequestParts): string {
  const { method, from, id, user = '100', caller = '"Sam" <sip:+14155550188@127.0.0.9>', body = '' } = parts;
  const contact = parts.contact ?? `sip:caller@${from.address}:${from.port}`;
  return [
    `${method} ${parts.uri ?? `sip:${user}@127.0.0.1`} SIP/2.0`,
    `Via: SIP/2.0/${parts.transport ?? 'UDP'} ${from.address}:${from.port};branch=z9hG4bK${parts.branch ?? `${method}${id}`};rport`,
    `From: ${caller};tag=f${id}`,
    `To: <sip:${user}@127.0.0.1>${parts.toTag == null ? '' : `;tag=${parts.toTag}`}`,
    `Call-ID: ${id}`,
    `CSeq: ${parts.sequence ?? 1} ${method}`,
    `Max-Forwards: 70`,
    `Contact: <${contact}>`,
    ...(parts.headers ?? []),
    ...(body === '' ? [] : ['Content-Type: application/sdp']),
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

/** Status of a response, or the method of a request. */
export const startOf = (text: string): string =>
  /^SIP\/2\.0 (\d{3})/.exec(text)?.[1] ?? text.slice(0, Math.max(0, text.indexOf(' ')));

export const headerOf = (text: string, name: string): string | null =>
  new RegExp(`^${name}: *(.*)$`, 'im').exec(text)?.[1]?.trim() ?? null;

export const tagOf = (text: string): string | null =>
  /;tag=([^;\s>]+)/.exec(headerOf(text, 'To') ?? '')?.[1] ?? null;

/** A response to a request, with its own header fields. */
export function responseTo(text: string, status: string, headers: readonly string[] = []): string {
  const kept = text.split('\r\n').filter((line) => /^(via|from|call-id|cseq|record-route):/i.test(line));
  const to = text.split('\r\n').find((line) => /^to:/i.test(line)) ?? 'To: <sip:x@127.0.0.1>';
  return [
    `SIP/2.0 ${status}`,
    ...kept,
    to.includes(';tag=') ? to : `${to};tag=attack`,
    ...headers,
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
}

/** An offer of PCMU at this address. */
export const sdpOffer = (address: string, port: number): string =>
  [
    'v=0',
    `o=caller 1 1 IN IP4 ${address}`,
    's=-',
    `c=IN IP4 ${address}`,
    't=0 0',
    `m=audio ${port} RTP/AVP 0 101`,
    'a=rtpmap:0 PCMU/8000',
    'a=rtpmap:101 telephone-event/8000',
    '',
  ].join('\r\n');
