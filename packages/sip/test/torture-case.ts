/**
 * One case of RFC 4475, written after the RFC's description. `expect` is the reaction of our user agent: a status,
 * `call` (the application gets an inbound call), `response` (a valid response without a transaction) or `drop` (no
 * response). Lines are joined with CRLF.
 */
export interface TortureCase {
  readonly name: string;
  readonly lines: readonly string[];
  readonly body?: string | Buffer;
  readonly expect: number | 'call' | 'response' | 'drop';
  /** The reaction over TCP, where Content-Length frames the message; absent: the same as over UDP. */
  readonly overTcp?: StreamReaction;
}

/** What one stream of bytes draws. */
export interface StreamReaction {
  readonly statuses: readonly number[];
  readonly calls: number;
  /** The stream loses its framing and is closed. */
  readonly closes?: true;
}

export const bytesOf = ({ lines, body = '' }: TortureCase): Buffer =>
  Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'utf8'), Buffer.from(body as string)]);

export const SDP =
  'v=0\r\no=mhandley 29739 7272939 IN IP4 192.0.2.3\r\ns=-\r\nc=IN IP4 192.0.2.4\r\nt=0 0\r\nm=audio 49217 RTP/AVP 0 12\r\n';
export const sdpTail = ['Content-Type: application/sdp', `Content-Length: ${SDP.length}`];

export const base = (method: string, id: string, extra: readonly string[] = []): string[] => [
  'Max-Forwards: 70',
  `Via: SIP/2.0/UDP 192.0.2.9:5060;branch=z9hG4bK${id}`,
  'To: sip:user@example.com',
  `From: sip:caller@example.net;tag=t${id}`,
  `Call-ID: ${id}.torture`,
  `CSeq: 8 ${method}`,
  ...(method === 'INVITE' ? ['Contact: <sip:caller@192.0.2.9>'] : []),
  ...extra,
];
