import { type TortureCase } from './torture-case.ts';

const request = (method: string, uri: string, extra: readonly string[]): string[] => [
  `${method} ${uri} SIP/2.0`,
  'Max-Forwards: 70',
  'To: <sip:user@example.com>',
  'From: <sip:user@example.com>;tag=81x2',
  'Call-ID: SSG9559905523997077@hlau_4100',
  `CSeq: 98176 ${method}`,
  ...extra,
];
const VIA = 'Via: SIP/2.0/UDP [2001:db8::9:1];branch=z9hG4bKas3-111';
const CONTACT = 'Contact: <sip:caller@[2001:db8::1]>';

const register = (uri: string): string[] =>
  request('REGISTER', uri, [VIA, 'Contact: "Caller" <sip:caller@[2001:db8::1]>', 'Content-Length: 0']);

/** A case as lines, which CRLF joins, and a body. */
type Written = Omit<TortureCase, 'bytes'> & { readonly lines: readonly string[]; readonly body?: string };

const invite = (sdp: string): Pick<Written, 'lines' | 'body' | 'expect'> => ({
  lines: request('INVITE', 'sip:user@[2001:db8::10]', [
    VIA,
    CONTACT,
    'Content-Type: application/sdp',
    `Content-Length: ${sdp.length}`,
  ]),
  body: sdp,
  expect: 'call',
});
const sdp = (origin: string, ...rest: string[]): string =>
  ['v=0', `o=assistant 971731711378798081 0 ${origin}`, 's=Live video feed', ...rest, ''].join('\r\n');

const farewell = (...vias: string[]): string[] =>
  request('BYE', 'sip:user@[2001:db8::10]', [...vias, 'Content-Length: 0']).map((line) =>
    line.startsWith('To:') ? `${line};tag=bd76ya` : line,
  );

const CASES: readonly Written[] = [
  { name: '4.1 valid message with an IPv6 reference', lines: register('sip:[2001:db8::10]'), expect: 405 },
  { name: '4.2 IPv6 address without its brackets', lines: register('sip:2001:db8::10'), expect: 400 },
  {
    name: '4.3 port that is part of the address',
    lines: register('sip:[2001:db8::10:5070]'),
    expect: 405,
  },
  { name: '4.4 port behind the brackets', lines: register('sip:[2001:db8::10]:5070'), expect: 405 },
  {
    name: '4.5 received with brackets in Via',
    lines: farewell('Via: SIP/2.0/UDP [2001:db8::9:1];received=[2001:db8::9:255];branch=z9hG4bKas3-111'),
    expect: 481,
  },
  {
    name: '4.5 received without brackets in Via',
    lines: farewell('Via: SIP/2.0/UDP [2001:db8::9:1];received=2001:db8::9:255;branch=z9hG4bKas3'),
    expect: 481,
  },
  {
    name: '4.6 IPv6 in SDP',
    ...invite(
      sdp(
        'IN IP6 2001:db8::20',
        'c=IN IP6 2001:db8::20',
        't=3338481189 3370017201',
        'm=audio 6000 RTP/AVP 2',
        'a=rtpmap:2 G726-32/8000',
        'm=video 6024 RTP/AVP 107',
        'a=rtpmap:107 H263-1998/90000',
      ),
    ),
  },
  {
    name: '4.7 several addresses in the headers',
    lines: farewell(
      'Via: SIP/2.0/UDP [2001:db8::9:1]:6050;branch=z9hG4bKas3-111',
      'Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKjhja8781hjuaij65144',
      'Via: SIP/2.0/TCP [2001:db8::9:255];branch=z9hG4bK451jj;received=192.0.2.200',
    ),
    expect: 481,
  },
  {
    name: '4.8 several addresses in SDP',
    ...invite(
      sdp(
        'IN IP6 2001:db8::20',
        't=0 0',
        'm=audio 22334 RTP/AVP 0',
        'c=IN IP4 192.0.2.1',
        'm=video 6024 RTP/AVP 107',
        'c=IN IP6 2001:db8::1',
        'a=rtpmap:107 H263-1998/90000',
      ),
    ),
  },
  {
    name: '4.9 IPv4-mapped IPv6 addresses in SDP',
    ...invite(
      sdp(
        'IN IP6 ::ffff:192.0.2.2',
        'c=IN IP6 ::ffff:192.0.2.2',
        't=0 0',
        'm=audio 49217 RTP/AVP 0 12',
        'm=video 3227 RTP/AVP 31',
        'a=rtpmap:31 LPC',
      ),
    ),
  },
  {
    name: '4.10 three colons, as the grammar of RFC 3261 had them',
    lines: request('OPTIONS', 'sip:user@[2001:db8:::192.0.2.1]', [
      'Via: SIP/2.0/UDP [2001:db8:::192.0.2.1];branch=z9hG4bKas3-111',
      'Contact: "Caller" <sip:caller@[2001:db8:::192.0.2.1]>',
      'Content-Length: 0',
    ]),
    expect: 200,
  },
];

/** RFC 5118 section 4: IPv6 in SIP, written after the RFC's description. The service is no registrar: it answers a valid REGISTER with 405. */
export const TORTURE_IPV6: readonly TortureCase[] = CASES.map(({ lines, body = '', ...one }) => ({
  ...one,
  bytes: Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`),
}));
