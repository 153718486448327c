import { SDP, base, sdpTail, type TortureCase } from './torture-case.ts';

/** RFC 4475 sections 3.1.2 to 3.4: malformed messages, and valid ones that are not acceptable. */
export const TORTURE_INVALID: readonly TortureCase[] = [
  {
    name: '3.1.2.1 extraneous separators (badinv01)',
    lines: [
      'INVITE sip:user@example.com SIP/2.0',
      'To: sip:j.user@example.com',
      'From: sip:caller@example.net;tag=134161461246',
      'Max-Forwards: 7',
      'Call-ID: badinv01.0ha0isndaksdjasdf3234nas',
      'CSeq: 8 INVITE',
      'Via: SIP/2.0/UDP 192.0.2.15;;,;,,',
      'Contact: "Joe" <sip:joe@example.org>;;;;',
      ...sdpTail,
    ],
    body: SDP,
    expect: 400,
  },
  {
    name: '3.1.2.2 Content-Length larger than the message (clerr)',
    lines: [
      'INVITE sip:user@example.com SIP/2.0',
      ...base('INVITE', 'clerr'),
      'Content-Type: application/sdp',
      'Content-Length: 9999',
    ],
    body: SDP,
    expect: 400,
    // The stream waits for the rest.
    overTcp: { statuses: [], calls: 0 },
  },
  {
    name: '3.1.2.3 negative Content-Length (ncl)',
    lines: [
      'INVITE sip:user@example.com SIP/2.0',
      ...base('INVITE', 'ncl'),
      'Content-Type: application/sdp',
      'Content-Length: -999',
    ],
    body: SDP,
    expect: 400,
    overTcp: { statuses: [], calls: 0, closes: true },
  },
  {
    name: '3.1.2.4 request scalars out of range (scalar02)',
    lines: [
      'REGISTER sip:example.com SIP/2.0',
      'Via: SIP/2.0/UDP host129.example.com;branch=z9hG4bK342sdfoi3',
      'To: <sip:user@example.com>',
      'From: <sip:user@example.com>;tag=239232jh3',
      'CSeq: 36893488147419103232 REGISTER',
      'Call-ID: scalar02.23o0pd9vanlq3wnrlnewofjas9ui32',
      'Max-Forwards: 300',
      `Expires: 1${'0'.repeat(100)}`,
      'Contact: <sip:user@host129.example.com>;expires=280297596632815',
      'Content-Length: 0',
    ],
    expect: 400,
  },
  {
    name: '3.1.2.5 response scalars out of range (scalarlg)',
    lines: [
      'SIP/2.0 503 Service Unavailable',
      'Via: SIP/2.0/UDP host129.example.com;branch=z9hG4bKzzxdiwo34sw;received=192.0.2.129',
      'To: <sip:user@example.com>',
      'From: <sip:other@example.net>;tag=2easdjfejw',
      'CSeq: 9292394834772304023312 OPTIONS',
      'Call-ID: scalarlg.noase0of0234hn2qofoaf0232aewf2394r',
      'Retry-After: 949302838503028349304023988',
      'Warning: 1812 overture "In Progress"',
      'Content-Length: 0',
    ],
    expect: 'drop',
  },
  {
    name: '3.1.2.6 unterminated quoted string (quotbal)',
    lines: [
      'INVITE sip:user@example.com SIP/2.0',
      ...base('INVITE', 'quotbal').map((line) =>
        line.startsWith('To') ? 'To: "Mr. J. User <sip:j.user@example.com>' : line,
      ),
      ...sdpTail,
    ],
    body: SDP,
    expect: 400,
  },
  {
    name: '3.1.2.7 <> around the Request-URI (ltgtruri)',
    lines: ['INVITE <sip:user@example.com> SIP/2.0', ...base('INVITE', 'ltgtruri'), ...sdpTail],
    body: SDP,
    expect: 400,
  },
  {
    name: '3.1.2.8 spaces inside the Request-URI (lwsruri)',
    lines: ['INVITE sip:user@example.com; lr SIP/2.0', ...base('INVITE', 'lwsruri'), ...sdpTail],
    body: SDP,
    expect: 400,
  },
  {
    name: '3.1.2.9 multiple spaces in the request line (lwsstart)',
    lines: ['INVITE  sip:user@example.com  SIP/2.0', ...base('INVITE', 'lwsstart'), ...sdpTail],
    body: SDP,
    expect: 400,
  },
  {
    name: '3.1.2.10 spaces after the request line (trws)',
    lines: [
      'OPTIONS sip:remote-target@example.com SIP/2.0  ',
      ...base('OPTIONS', 'trws'),
      'Content-Length: 0',
    ],
    expect: 400,
  },
  {
    name: '3.1.2.11 headers escaped into the Request-URI (escruri)',
    lines: [
      'INVITE sip:user@example.com?Route=%3Csip:example.com%3E SIP/2.0',
      ...base('INVITE', 'escruri'),
      ...sdpTail,
    ],
    body: SDP,
    expect: 400,
  },
  {
    name: '3.1.2.12 Date in a zone other than GMT (baddate): we ignore Date',
    lines: [
      'INVITE sip:user@example.com SIP/2.0',
      ...base('INVITE', 'baddate', ['Date: Fri, 01 Jan 2010 16:00:00 EST']),
      ...sdpTail,
    ],
    body: SDP,
    expect: 'call',
  },
  {
    name: '3.1.2.13 Contact with a question mark and no <> (regbadct)',
    lines: [
      'REGISTER sip:example.com SIP/2.0',
      ...base('REGISTER', 'regbadct', ['Contact: sip:user@example.com?Route=%3Csip:sip.example.com%3E']),
      'l: 0',
    ],
    expect: 400,
  },
  {
    name: '3.1.2.14 spaces inside an addr-spec (badaspec)',
    lines: [
      'OPTIONS sip:user@example.org SIP/2.0',
      ...base('OPTIONS', 'badaspec').map((line) =>
        line.startsWith('To') ? 'To: "Watson, Thomas" < sip:t.watson@example.org >' : line,
      ),
      'l: 0',
    ],
    expect: 400,
  },
  {
    // The RFC lets an element infer the quotes that the name lacks.
    name: '3.1.2.15 separators in an unquoted display name (baddn)',
    lines: [
      'OPTIONS sip:t.watson@example.org SIP/2.0',
      ...base('OPTIONS', 'baddn').map((line) =>
        line.startsWith('From') ? 'From: Bell, Alexander <sip:a.g.bell@example.com>;tag=43' : line,
      ),
      'l: 0',
    ],
    expect: 200,
  },
  {
    name: '3.1.2.16 unknown protocol version (badvers)',
    lines: ['OPTIONS sip:t.watson@example.org SIP/7.0', ...base('OPTIONS', 'badvers'), 'l: 0'],
    expect: 505,
  },
  {
    name: '3.1.2.17 start line and CSeq disagree (mismatch01)',
    lines: ['OPTIONS sip:user@example.com SIP/2.0', ...base('INVITE', 'mismatch01'), 'l: 0'],
    expect: 400,
  },
  {
    name: '3.1.2.18 unknown method, start line and CSeq disagree (mismatch02)',
    lines: ['NEWMETHOD sip:user@example.com SIP/2.0', ...base('INVITE', 'mismatch02'), 'l: 0'],
    expect: 400,
  },
  {
    name: '3.1.2.19 overlarge response code (bigcode)',
    lines: [
      'SIP/2.0 4294967301 better not break the receiver',
      ...base('INVITE', 'bigcode'),
      'Content-Length: 0',
    ],
    expect: 'drop',
  },
  {
    name: '3.2.1 branch without a transaction identifier (badbranch): RFC 2543 matching',
    lines: [
      'OPTIONS sip:user@example.com SIP/2.0',
      ...base('OPTIONS', 'badbranch').map((line) =>
        line.startsWith('Via') ? 'Via: SIP/2.0/UDP 192.0.2.9;branch=z9hG4bK' : line,
      ),
      'l: 0',
    ],
    expect: 200,
  },
  {
    name: '3.3.1 missing required headers (insuf)',
    lines: [
      'INVITE sip:user@example.com SIP/2.0',
      'CSeq: 193942 INVITE',
      'Via: SIP/2.0/UDP 192.0.2.95;branch=z9hG4bKkdj.insuf',
      ...sdpTail,
    ],
    body: SDP,
    expect: 400,
  },
  {
    name: '3.3.2 Request-URI with an unknown scheme (unkscm)',
    lines: [
      'OPTIONS nobodyKnowsThisScheme:totallyopaquecontent SIP/2.0',
      ...base('OPTIONS', 'unkscm'),
      'l: 0',
    ],
    expect: 416,
  },
  {
    name: '3.3.3 Request-URI with a known but atypical scheme (novelsc)',
    lines: ['OPTIONS soap.beep://192.0.2.103:3002 SIP/2.0', ...base('OPTIONS', 'novelsc'), 'l: 0'],
    expect: 416,
  },
  {
    name: '3.3.4 unknown schemes in header fields (unksm2)',
    lines: [
      'REGISTER sip:example.com SIP/2.0',
      'To: isbn:2983792873',
      'From: <http://www.example.com>;tag=3234233',
      'Call-ID: unksm2.daksdj@hyphenated-host.example.com',
      'CSeq: 234902 REGISTER',
      'Max-Forwards: 70',
      'Via: SIP/2.0/UDP 192.0.2.21:5060;branch=z9hG4bKkdjuw',
      'Contact: <name:John_Smith>',
      'l: 0',
    ],
    expect: 405,
  },
  {
    name: '3.3.5 Require and Proxy-Require (bext01)',
    lines: [
      'OPTIONS sip:user@example.com SIP/2.0',
      ...base('OPTIONS', 'bext01', [
        'Require: nothingSupportsThis, nothingSupportsThisEither',
        'Proxy-Require: noProxiesSupportThis, norDoAnyProxiesSupportThis',
      ]),
      'Content-Length: 0',
    ],
    expect: 420,
  },
  {
    name: '3.3.6 unknown content type (invut)',
    lines: [
      'INVITE sip:user@example.com SIP/2.0',
      ...base('INVITE', 'invut', ['Content-Type: application/unknownformat', 'Content-Length: 40']),
    ],
    body: '<audio>\r\n <pcmu port="443"/>\r\n</audio>   ',
    expect: 415,
  },
  {
    name: '3.3.7 unknown authorization scheme (regaut01)',
    lines: [
      'REGISTER sip:example.com SIP/2.0',
      ...base('REGISTER', 'regaut01', ['Authorization: NoOneKnowsThisScheme opaque-data=here']),
      'Content-Length:0',
    ],
    expect: 405,
  },
  {
    name: '3.3.8 multiple values in single-value fields (multi01)',
    lines: [
      'INVITE sip:user@company.com SIP/2.0',
      ...base('INVITE', 'multi01'),
      'CSeq: 59 INVITE',
      'Call-ID: multi01.98asdh@192.0.2.2',
      'From: sip:caller@example.com;tag=3413415',
      'To: sip:other@example.net',
      'Max-Forwards: 5',
      ...sdpTail,
    ],
    body: SDP,
    expect: 400,
  },
  {
    name: '3.3.9 multiple Content-Length values (mcl01)',
    lines: [
      'OPTIONS sip:user@example.com SIP/2.0',
      ...base('OPTIONS', 'mcl01', ['Content-Length: 13', 'Content-Length: 5']),
    ],
    body: 'There is no excuse',
    expect: 400,
  },
  {
    name: '3.3.10 200 OK with a broadcast Via (bcast)',
    lines: [
      'SIP/2.0 200 OK',
      'Via: SIP/2.0/UDP 192.0.2.198;branch=z9hG4bK1324923',
      'Via: SIP/2.0/UDP 255.255.255.255;branch=z9hG4bK1saber23',
      'Call-ID: bcast.0384840201234ksdfak3j2erwedfsASdf',
      'CSeq: 35 INVITE',
      'From: sip:user@example.com;tag=11141343',
      'To: sip:user@example.edu;tag=2229',
      'Contact: <sip:user@host28.example.com>',
      ...sdpTail,
    ],
    body: SDP,
    expect: 'response',
  },
  {
    name: '3.3.11 Max-Forwards of zero for another host (zeromf)',
    lines: [
      'OPTIONS sip:user@example.com SIP/2.0',
      ...base('OPTIONS', 'zeromf').map((line) => (line.startsWith('Max') ? 'Max-Forwards: 0' : line)),
      'Content-Length: 0',
    ],
    expect: 483,
  },
  {
    name: '3.3.12 REGISTER with a Contact header parameter (cparam01)',
    lines: [
      'REGISTER sip:example.com SIP/2.0',
      ...base('REGISTER', 'cparam01', ['Contact: sip:+19725552222@gw1.example.net;unknownparam']),
      'l: 0',
    ],
    expect: 405,
  },
  {
    name: '3.3.13 REGISTER with a url parameter (cparam02)',
    lines: [
      'REGISTER sip:example.com SIP/2.0',
      ...base('REGISTER', 'cparam02', ['Contact: <sip:+19725552222@gw1.example.net;unknownparam>']),
      'l: 0',
    ],
    expect: 405,
  },
  {
    name: '3.3.14 REGISTER with a URL-escaped header (regescrt)',
    lines: [
      'REGISTER sip:example.com SIP/2.0',
      ...base('REGISTER', 'regescrt', ['Contact: <sip:user@example.com?Route=%3Csip:sip.example.com%3E>']),
      'l: 0',
    ],
    expect: 405,
  },
  {
    name: '3.3.15 Accept without SDP (sdp01)',
    lines: [
      'INVITE sip:user@example.com SIP/2.0',
      ...base('INVITE', 'sdp01', ['Accept: text/nobodyKnowsThis']),
      ...sdpTail,
    ],
    body: SDP,
    expect: 406,
  },
  {
    name: '3.4.1 INVITE of RFC 2543 (inv2543)',
    lines: [
      'INVITE sip:UserB@example.com SIP/2.0',
      'Via: SIP/2.0/UDP iftgw.example.com',
      'From: <sip:+13035551111@ift.client.example.net;user=phone>',
      'Record-Route: <sip:UserB@example.com;maddr=ss1.example.com>',
      'To: sip:+16505552222@ss1.example.net;user=phone',
      'Call-ID: inv2543.1717@ift.client.example.com',
      'CSeq: 56 INVITE',
      ...sdpTail,
    ],
    body: SDP,
    expect: 'call',
  },
];
