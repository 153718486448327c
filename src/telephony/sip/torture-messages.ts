/**
 * The 49 cases of RFC 4475, written from the RFC's descriptions, each with what this user agent does with it:
 * a status, `call` (an INVITE is offered to the application), `response` (a good response that matches nothing),
 * or `drop` (no answer, nothing happens). Lines are joined with CRLF.
 */
export interface TortureCase {
  readonly name: string;
  readonly lines: readonly string[];
  readonly body?: string;
  readonly expect: number | 'call' | 'response' | 'drop';
}

const LONG = 'a'.repeat(300);
const SDP =
  'v=0\r\no=mhandley 29739 7272939 IN IP4 192.0.2.3\r\ns=-\r\nc=IN IP4 192.0.2.4\r\nt=0 0\r\nm=audio 49217 RTP/AVP 0 12\r\n';
const sdpTail = ['Content-Type: application/sdp', `Content-Length: ${SDP.length}`];

const base = (method: string, id: string, extra: readonly string[] = []): string[] => [
  'Max-Forwards: 70',
  `Via: SIP/2.0/UDP 192.0.2.9:5060;branch=z9hG4bK${id}`,
  'To: sip:user@example.com',
  `From: sip:caller@example.net;tag=t${id}`,
  `Call-ID: ${id}.torture`,
  `CSeq: 8 ${method}`,
  ...(method === 'INVITE' ? ['Contact: <sip:caller@192.0.2.9>'] : []),
  ...extra,
];

export const TORTURE: readonly TortureCase[] = [
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
    name: '3.1.1.6 no blank between display name and < (lwsdisp)',
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
    body: 'INVITE sip:joe@example.com SIP/2.0\r\nt: sip:joe@example.com\r\n\r\n',
    expect: 405,
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
      'Content-Length: 93',
    ],
    body: '--7a9cbec02ceef655\r\nContent-Type: text/plain\r\n\r\nHello\u0000\u0001\r\n--7a9cbec02ceef655--\r\n'.padEnd(
      93,
    ),
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
    name: '3.1.2.8 blanks inside the Request-URI (lwsruri)',
    lines: ['INVITE sip:user@example.com; lr SIP/2.0', ...base('INVITE', 'lwsruri'), ...sdpTail],
    body: SDP,
    expect: 400,
  },
  {
    name: '3.1.2.9 several blanks in the request line (lwsstart)',
    lines: ['INVITE  sip:user@example.com  SIP/2.0', ...base('INVITE', 'lwsstart'), ...sdpTail],
    body: SDP,
    expect: 400,
  },
  {
    name: '3.1.2.10 blanks behind the request line (trws)',
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
    name: '3.1.2.12 Date in a zone other than GMT (baddate): Date means nothing to a call',
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
    name: '3.1.2.14 blanks inside an addr-spec (badaspec)',
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
    name: '3.1.2.15 separators in an unquoted display name (baddn)',
    lines: [
      'OPTIONS sip:t.watson@example.org SIP/2.0',
      ...base('OPTIONS', 'baddn').map((line) =>
        line.startsWith('From') ? 'From: Bell, Alexander <sip:a.g.bell@example.com>;tag=43' : line,
      ),
      'l: 0',
    ],
    expect: 400,
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
    name: '3.3.8 several values in single-value fields (multi01)',
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
    name: '3.3.9 several Content-Length values (mcl01)',
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
    name: '3.3.15 Accept that leaves SDP out (sdp01)',
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
