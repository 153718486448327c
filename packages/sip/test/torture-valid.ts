import { SDP, base, sdpTail, type TortureCase } from './torture-case.ts';

const LONG = 'a'.repeat(300);
/** The second message in the datagram of dblreq. */
const SECOND = [
  'INVITE sip:joe@example.com SIP/2.0',
  ...base('INVITE', 'dblreq-second'),
  ...sdpTail,
  '',
  SDP,
].join('\r\n');
/** A binary body part: every octet, so also NUL, octets that are no UTF-8, and blank lines as at the end of a head. */
const EVERY_OCTET = Buffer.from(Array.from({ length: 256 }, (_, octet) => octet));
const MULTIPART = Buffer.concat([
  Buffer.from('--7a9cbec02ceef655\r\nContent-Type: text/plain\r\n\r\nHello\r\n--7a9cbec02ceef655\r\n'),
  Buffer.from('Content-Type: application/octet-stream\r\n\r\n'),
  EVERY_OCTET,
  Buffer.from('\r\n\r\nOPTIONS sip:x SIP/2.0\r\n\r\n'),
  EVERY_OCTET.toReversed(),
  Buffer.from('\r\n--7a9cbec02ceef655--\r\n'),
]);
/** RFC 4475 section 3.1.1: valid messages. */
export const TORTURE_VALID: readonly TortureCase[] = [
  {
    name: '3.1.1.1 short tortuous INVITE (wsinv): a To tag without a dialog',
    lines: [
      'INVITE sip:vivekg@chair-dnrc.example.com;unknownparam SIP/2.0',
      'TO :',
      ' sip:vivekg@chair-dnrc.example.com ;   tag    = 1918181833n',
      'from   : "J Rosenberg \\\\\\""       <sip:jdrosen@example.com>',
      '  ;',
      '  tag = 98asjd8',
      'MaX-fOrWaRdS: 0068',
      'Call-ID: wsinv.ndaksdj@192.0.2.1',
      `Content-Length   : ${SDP.length}`,
      'cseq: 0009',
      '  INVITE',
      'Via  : SIP  /   2.0',
      ' /UDP',
      '    192.0.2.2;branch=390skdjuw',
      's :',
      'NewFangledHeader:   newfangled value',
      ' continued newfangled value',
      'UnknownHeaderWithUnusualValue: ;;,,;;,;',
      'Content-Type: application/sdp',
      'Route:',
      ' <sip:services.example.com;lr;unknownwith=value;unknown-no-value>',
      'v:  SIP  / 2.0  / TCP     spindle.example.com   ;',
      '  branch  =   z9hG4bK9ikj8  ,',
      ' SIP  /    2.0   / UDP  192.168.255.111   ; branch=',
      ' z9hG4bK30239',
      'm:"Quoted string \\"\\"" <sip:jdrosen@example.com> ; newparam =',
      '      newvalue ;',
      '  secondparam ; q = 0.33',
    ],
    body: SDP,
    expect: 481,
  },
  {
    name: '3.1.1.2 wide range of valid characters (intmeth)',
    lines: [
      "!interesting-Method0123456789_*+`.%indeed'~ sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*:&it+has=1,weird!*pas$wo~d_too.(doesn't-it)@example.com SIP/2.0",
      "Via: SIP/2.0/UDP host1.example.com;rport;branch=z9hG4bK-.!%66*_+`'~",
      'To: "BEL:\\\u0007 NUL:\\\u0000 DEL:\\\u007F" <sip:1_unusual.URI~(to-be!sure)&isn\'t+it$/crazy?,/;;*@example.com>',
      "From: token1~` token2'+_ token3*%!.- <sip:mundane@example.com>;fromParam''~+*_!.-%=\"\u0440\u0430\u0431\";tag=_token~1'+`*%!-.",
      'Call-ID: intmeth.word%ZK-!.*_+\'@word`~)(><:\\/"][?}{',
      "CSeq: 139122385 !interesting-Method0123456789_*+`.%indeed'~",
      'Max-Forwards: 255',
      "extensionHeader-!.%*+_`'~: \uFEFF\u5927\u505C\u96FB",
      'Content-Length: 0',
    ],
    expect: 501,
  },
  {
    name: '3.1.1.3 valid use of % escaping (esc01)',
    lines: [
      'INVITE sip:sips%3Auser%40example.com@example.net SIP/2.0',
      ...base('INVITE', 'esc01').map((line) =>
        line.startsWith('To') ? 'To: sip:%75se%72@example.com' : line,
      ),
      ...sdpTail,
    ],
    body: SDP,
    expect: 'call',
  },
  {
    name: '3.1.1.4 escaped nulls in URIs (escnull)',
    lines: [
      'REGISTER sip:example.com SIP/2.0',
      'To: sip:null-%00-null@example.com',
      'From: sip:null-%00-null@example.com;tag=839923423',
      'Max-Forwards: 70',
      'Call-ID: escnull.39203ndfvkjdasfkq3w4otrq0adsfdfnavd',
      'CSeq: 14398234 REGISTER',
      'Via: SIP/2.0/UDP 192.0.2.9:5060;rport;branch=z9hG4bKkdjuw',
      'Contact: <sip:%00@host5.example.com>',
      'Contact: <sip:%00%00@host5.example.com>',
      'L:0',
    ],
    expect: 405,
  },
  {
    name: '3.1.1.5 % when it is not an escape (esc02)',
    lines: ['RE%47IST%45R sip:registrar.example.com SIP/2.0', ...base('RE%47IST%45R', 'esc02'), 'l: 0'],
    expect: 501,
  },
  {
    name: '3.1.1.6 no space between display name and < (lwsdisp)',
    lines: [
      'OPTIONS sip:user@example.com SIP/2.0',
      ...base('OPTIONS', 'lwsdisp').map((line) =>
        line.startsWith('From') ? 'From: caller<sip:caller@example.com>;tag=323' : line,
      ),
      'l: 0',
    ],
    expect: 200,
  },
  {
    name: '3.1.1.7 long values (longreq)',
    lines: [
      `INVITE sip:${LONG}@example.com SIP/2.0`,
      `To: "I have a user name of ${LONG}"<sip:${LONG}:password@example.com:5060;unknownparam1=very${LONG}>`,
      `F: sip:${LONG}@example.net;tag=12${LONG}424;unknownheaderparam=${LONG};${LONG}`,
      `Call-ID: longreq.one${LONG}cID`,
      'CSeq: 3882340 INVITE',
      `Unknown-${LONG}-Name: unknown-${LONG}-value`,
      `Via: SIP/2.0/UDP 192.0.2.9:5060;branch=z9hG4bKlong${LONG}`,
      `Contact: <sip:${LONG}@host5.example.net>`,
      ...sdpTail,
    ],
    body: SDP,
    expect: 'call',
  },
  {
    name: '3.1.1.8 extra trailing octets in a datagram (dblreq)',
    lines: ['REGISTER sip:example.com SIP/2.0', ...base('REGISTER', 'dblreq'), 'Content-Length: 0'],
    // A complete INVITE: a datagram carries one message, a stream both.
    body: SECOND,
    expect: 405,
    overTcp: { statuses: [405, 100], calls: 1 },
  },
  {
    name: '3.1.1.9 semicolon-separated parameters in the user part (semiuri)',
    lines: [
      'OPTIONS sip:user;par=u%40example.net@example.com SIP/2.0',
      ...base('OPTIONS', 'semiuri'),
      'l: 0',
    ],
    expect: 200,
  },
  {
    name: '3.1.1.10 varied and unknown transports (transports)',
    lines: [
      'OPTIONS sip:user@example.com SIP/2.0',
      ...base('OPTIONS', 'transports'),
      'Via: SIP/2.0/SCTP t2.example.com;branch=z9hG4bKklasjdhf',
      'Via: SIP/2.0/TLS t3.example.com;branch=z9hG4bK2980unddj',
      'Via: SIP/2.0/UNKNOWN t4.example.com;branch=z9hG4bKasd0f3en',
      'Via: SIP/2.0/TCP t5.example.com;branch=z9hG4bK0a9idfnee',
      'l: 0',
    ],
    expect: 200,
  },
  {
    name: '3.1.1.11 multipart MESSAGE (mpart01)',
    lines: [
      'MESSAGE sip:kumiko@example.org SIP/2.0',
      ...base('MESSAGE', 'mpart01'),
      'Content-Type: multipart/mixed;boundary=7a9cbec02ceef655',
      'Content-Transfer-Encoding: binary',
      `Content-Length: ${MULTIPART.length}`,
    ],
    body: MULTIPART,
    expect: 405,
  },
  {
    name: '3.1.1.12 unusual reason phrase (unreason)',
    lines: [
      'SIP/2.0 200 = 2**3 * 5**2 \u043d\u043e \u0441\u0442\u043e \u0434\u0435\u0432\u044f\u043d\u043e\u0441\u0442\u043e',
      ...base('INVITE', 'unreason'),
      'Content-Length: 0',
    ],
    expect: 'response',
  },
  {
    name: '3.1.1.13 empty reason phrase (noreason)',
    lines: ['SIP/2.0 100 ', ...base('INVITE', 'noreason'), 'Content-Length: 0'],
    expect: 'response',
  },
];
