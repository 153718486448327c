import { TORTURE as TORTURE_MESSAGES } from '../../../packages/sip/test/torture-rfc4475.ts';
import { tokens } from '../mutate.ts';
import { THEM, US } from '../../../packages/sip/test/virtual-call.ts';

export const SDP = [
  'v=0',
  `o=them 1 1 IN IP4 ${THEM}`,
  's=-',
  `c=IN IP4 ${THEM}`,
  't=0 0',
  'm=audio 30000 RTP/AVP 0 8 101',
  'a=rtpmap:0 PCMU/8000',
  'a=rtpmap:101 telephone-event/8000',
  'a=fmtp:101 0-15',
  'a=sendrecv',
  '',
].join('\r\n');

const written = (lines: readonly string[], body = ''): string => `${lines.join('\r\n')}\r\n\r\n${body}`;

/** The messages of RFC 4475, as text: binary bodies lose the octets that are no UTF-8. */
export const TORTURE: readonly string[] = TORTURE_MESSAGES.map(({ bytes }) => bytes.toString('utf8'));

/** `{to-tag}` is the tag that we gave the peer's call; a call's requests share Call-ID and From tag. */
const request = (method: string, sequence: number, more: readonly string[] = [], body = ''): string =>
  written(
    [
      `${method} sip:+15550100@${US} SIP/2.0`,
      `Via: SIP/2.0/UDP ${THEM}:5060;branch=z9hG4bK${method}${sequence};rport`,
      'Max-Forwards: 70',
      `From: "Bob" <sip:+15550999@${THEM}>;tag=bob`,
      `To: <sip:+15550100@${US}>${sequence > 1 ? ';tag={to-tag}' : ''}`,
      'Call-ID: inbound',
      `CSeq: ${sequence} ${method}`,
      `Contact: <sip:them@${THEM}:5060>`,
      ...more,
      `Content-Length: ${body.length}`,
    ],
    body,
  );

/** A response to our last request. */
const response = (status: string, more: readonly string[] = [], body = ''): string =>
  written(
    [
      `SIP/2.0 ${status}`,
      'Via: {via}',
      'From: {from}',
      'To: {to};tag=them',
      'Call-ID: {call-id}',
      'CSeq: {cseq}',
      `Contact: <sip:them@${THEM}:5060>`,
      ...more,
      `Content-Length: ${body.length}`,
    ],
    body,
  );

const TYPE = 'Content-Type: application/sdp';

/** The messages of one call in either direction. */
export const CALL: readonly string[] = [
  request('INVITE', 1, [TYPE, 'Supported: 100rel, timer', 'Session-Expires: 90;refresher=uac'], SDP),
  request('INVITE', 1, ['Require: 100rel'], ''),
  request(
    'INVITE',
    1,
    [
      TYPE,
      'Privacy: none',
      `P-Asserted-Identity: "Bob" <sip:+15550999;verstat=TN-Validation-Passed@${THEM}>, <tel:+15550999>`,
      `Diversion: <sip:+15550111@${THEM}>;reason=no-answer;privacy=off`,
      `History-Info: <sip:+15550111@${THEM}?Privacy=history>;index=1, <sip:+15550100@${US};cause=486>;index=1.1`,
      'User-to-User: 63617365203432;encoding=hex;purpose=call-center',
    ],
    SDP,
  ),
  request('INVITE', 1, ['Replaces: inbound;to-tag={to-tag};from-tag=bob', TYPE], SDP),
  request('ACK', 2).replace('CSeq: 2', 'CSeq: 1'),
  request('ACK', 2, [TYPE], SDP).replace('CSeq: 2', 'CSeq: 1'),
  request('CANCEL', 1).replace('branch=z9hG4bKCANCEL1', 'branch=z9hG4bKINVITE1'),
  request('INVITE', 3, [TYPE], SDP.replace('sendrecv', 'sendonly')),
  request('UPDATE', 4, ['Session-Expires: 90;refresher=uas', TYPE], SDP),
  request('PRACK', 5, ['RAck: 1 1 INVITE']),
  request('INFO', 6, ['Content-Type: application/dtmf-relay'], 'Signal=5\r\nDuration=160\r\n'),
  request('REFER', 7, [`Refer-To: <sip:elsewhere@${THEM}>`]),
  request('NOTIFY', 8, ['Event: refer', 'Content-Type: message/sipfrag'], 'SIP/2.0 200 OK'),
  request('BYE', 9),
  request('BYE', 1),
  request('OPTIONS', 1),
  request('REGISTER', 1, ['Expires: 60']),
  response('100 Trying'),
  response('183 Session Progress', [TYPE, 'Require: 100rel', 'RSeq: 1'], SDP),
  response('180 Ringing', ['RSeq: 2', 'Require: 100rel']),
  response('200 OK', [TYPE, `Record-Route: <sip:${THEM};lr>`], SDP),
  response('200 OK'),
  response('302 Moved', [`Contact: <sip:other@${THEM}>`]),
  response('401 Unauthorized', ['WWW-Authenticate: Digest realm="r", nonce="n", qop="auth", algorithm=MD5']),
  response('422 Too Small', ['Min-SE: 1800']),
  response('486 Busy Here', ['Retry-After: 5']),
  response('491 Pending'),
  response('503 Unavailable', ['Retry-After: 18 (soon);duration=3600']),
];

/** Separators and parts that SIP parsers stumble over. */
export const SIP_TOKENS: readonly string[] = tokens(
  '\r\n¦\n¦\r\n ¦\r\n\r\n¦"¦\\"¦<¦>¦;¦,¦:¦=¦@¦\\¦%¦%00¦(¦)¦ SIP/2.0¦SIP/2.0 ¦tag=¦;tag=x',
  'branch=z9hG4bK¦[::1]¦[¦sip:¦sips:¦tel:¦*¦ \t ¦Via: SIP/2.0/TCP h;branch=x\r\n',
  'Content-Length: 5\r\n¦Content-Length: -1\r\n¦l: 0\r\n¦t: x\r\n¦Require: nothing\r\n',
  'Route: <sip:h;lr>\r\n¦Contact: *\r\n¦CSeq: 1 BYE\r\n¦Expires: 0\r\n¦{to-tag}¦{via}¦{from}',
  '{call-id}¦INVITE¦ACK¦CANCEL¦PRACK¦a;<"¦a.¦;a=¦"\\',
);
