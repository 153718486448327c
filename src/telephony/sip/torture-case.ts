/**
 * One case of RFC 4475, written from the RFC's description, with what this user agent does with it:
 * a status, `call` (an INVITE is offered to the application), `response` (a good response that matches nothing),
 * or `drop` (no answer, nothing happens). Lines are joined with CRLF.
 */
export interface TortureCase {
  readonly name: string;
  readonly lines: readonly string[];
  readonly body?: string;
  readonly expect: number | 'call' | 'response' | 'drop';
}

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
