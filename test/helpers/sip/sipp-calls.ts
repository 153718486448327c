import { plain, recv, response, scenario } from './sipp.ts';

/** PCMU and telephone-event 101 on SIPp's media port. */
const MEDIA = `v=0
      o=peer 1 1 IN IP4 [local_ip]
      s=-
      c=IN IP4 [media_ip]
      t=0 0
      m=audio [media_port] RTP/AVP 0 101
      a=rtpmap:0 PCMU/8000
      a=rtpmap:101 telephone-event/8000
      a=fmtp:101 0-15`;

/** An unsupported codec. */
const G729 = MEDIA.replace('RTP/AVP 0 101', 'RTP/AVP 18 101').replace('0 PCMU/8000', '18 G729/8000');

/** The scenario of a far side that has no telephone events. */
export const withoutEvents = (text: string): string =>
  text.replaceAll('RTP/AVP 0 101', 'RTP/AVP 0').replaceAll(/\s+a=(rtpmap|fmtp):101 [^\n]*/g, '');

/** Takes an INFO with this key, and responds. */
const takesKey = (key: string, status = '200 OK'): string =>
  `
  <recv request="INFO">
    <action>
      <ereg regexp="application/dtmf-relay" search_in="hdr" header="Content-Type:" check_it="true" assign_to="type"/>
      <ereg regexp="Signal=${key}" search_in="body" check_it="true" assign_to="key"/>
    </action>
  </recv>
  <Reference variables="type,key"/>${pause(300)}` + plain(status);

/** The scenario with a host name in the place of SIPp's address in its SDP. */
export const withHostName = (name: string, text: string): string =>
  text.replaceAll('c=IN IP4 [media_ip]', `c=IN IP4 ${name}`);

/** Payload types of telephone-event that SIPp sends: 101 in its recordings, 96 by itself. */
type EventType = 96 | 101;

/** The scenario with another payload type for telephone events in its SDP. */
export const withEvents = (type: EventType, text: string): string =>
  text
    .replaceAll('RTP/AVP 0 101', `RTP/AVP 0 ${type}`)
    .replaceAll('rtpmap:101 ', `rtpmap:${type} `)
    .replaceAll('fmtp:101 ', `fmtp:${type} `);

const pause = (ms: number): string => `\n  <pause milliseconds="${ms}"/>`;

/** Sends SIPp's recorded digit as RTP telephone events (RFC 4733); needs raw sockets. */
const playKey = (digit: string, pauseMs = 400): string =>
  `\n  <nop><action><exec play_pcap_audio="/usr/share/sip-tester/dtmf_2833_${digit}.pcap"/></action></nop>${pause(pauseMs)}`;

/** A sentence of SIPp's in PCMA. */
const SPEECH = '\n  <nop><action><exec play_pcap_audio="/usr/share/sip-tester/g711a.pcap"/></action></nop>';

/** SIPp plays all keys at 96 by itself, a key at 101 from its recording. */
const playKeys = (keys: readonly string[], type: EventType): string[] =>
  type === 101
    ? keys.map((key) => playKey(key))
    : [`\n  <nop><action><exec play_dtmf="${keys.map(signOf).join('')}"/></action></nop>${pause(3_000)}`];
const signOf = (key: string): string => key.replace('pound', '#');

/** An in-dialog request of the callee, with From and To swapped. */
const byCallee = (method: string, sequence: number, content = ''): string => `
  <send retrans="500">
    <![CDATA[

      ${method} [next_url] SIP/2.0
      Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
      From: [$called];tag=peer[call_number]
      To: [$caller]
      Call-ID: [call_id]
      CSeq: ${sequence} ${method}
      Max-Forwards: 70
      Contact: <sip:peer@[local_ip]:[local_port];transport=[transport]>
      ${content === '' ? '' : 'Content-Type: application/dtmf-relay\n      '}Content-Length: [len]

      ${content}
    ]]>
  </send>
  <recv response="200"></recv>`;

const invited = `
  <recv request="INVITE" rrs="true">
    <action>
      <ereg regexp=".*" search_in="hdr" header="From:" assign_to="caller"/>
      <ereg regexp=".*" search_in="hdr" header="To:" assign_to="called"/>
    </action>
  </recv>`;

const answers = (...steps: string[]): string =>
  scenario(
    invited,
    response('180 Ringing', {}),
    response('200 OK', { retrans: true, sdp: true, media: MEDIA }),
    recv('ACK'),
    ...steps,
    '\n  <Reference variables="caller,called"/>',
  );

const keyOf = (digit: string): string => `Signal=${digit}\n      Duration=160`;
const info = (digit: string, sequence: number): string => byCallee('INFO', sequence, keyOf(digit));

/** Callee scenarios for calls that we place. */
export const answering = {
  hangsUpAfter: (ms: number): string => answers(pause(ms), byCallee('BYE', 1)),
  waitsForBye: answers(recv('BYE'), plain('200 OK')),
  /** Speaks PCMA for 21 seconds, or until BYE: it sends audio whether it hears any or not. */
  speaks: scenario(
    recv('INVITE'),
    response('200 OK', {
      retrans: true,
      sdp: true,
      media: MEDIA.replace('RTP/AVP 0', 'RTP/AVP 8').replace('0 PCMU', '8 PCMA'),
    }),
    recv('ACK'),
    ...Array.from({ length: 3 }, () => SPEECH + pause(7_000)),
    recv('BYE'),
    plain('200 OK'),
  ),
  /** Early media (183 with SDP), a 200 with the same SDP, then waits for BYE. */
  afterEarlyMedia: scenario(
    recv('INVITE'),
    response('183 Session Progress', { sdp: true, media: MEDIA }),
    pause(500),
    response('200 OK', { retrans: true, sdp: true, media: MEDIA }),
    recv('ACK'),
    recv('BYE'),
    plain('200 OK'),
  ),
  /** Answers with a codec that was not offered, then waits for BYE. */
  withAnotherCodec: scenario(
    recv('INVITE'),
    response('200 OK', { retrans: true, sdp: true, media: G729 }),
    recv('ACK'),
    recv('BYE'),
    plain('200 OK'),
  ),
  /** Sends digits as telephone events, then waits for BYE. */
  pressesKeys: (afterMs: number, keys: readonly string[], type: EventType = 101): string =>
    answers(pause(afterMs), ...playKeys(keys, type), recv('BYE'), plain('200 OK')),
  /** Sends each digit as telephone events and by SIP INFO, then waits for BYE. */
  pressesKeysTwice: (afterMs: number, keys: readonly string[]): string =>
    answers(
      pause(afterMs),
      ...keys.map((key, index) => playKey(key, 150) + info(signOf(key), index + 1) + pause(300)),
      recv('BYE'),
      plain('200 OK'),
    ),
  /** Sends a key by INFO, takes those of the agent, which come in this order by INFO, and waits for BYE. */
  takesInfo: (afterMs: number, key: string, theirs: readonly string[]): string =>
    withoutEvents(
      answers(
        pause(afterMs),
        info(key, 1),
        ...theirs.map((their) => takesKey(their)),
        recv('BYE'),
        plain('200 OK'),
      ),
    ),
  /** Sends a key by INFO, refuses the first of the agent, and waits for BYE. */
  refusesInfo: (afterMs: number, key: string, their: string): string =>
    withoutEvents(
      answers(
        pause(afterMs),
        info(key, 1),
        takesKey(their, '415 Unsupported Media Type'),
        recv('BYE'),
        plain('200 OK'),
      ),
    ),
  /** Sends digits by SIP INFO, then waits for BYE. */
  sendsInfo: (afterMs: number, keys: readonly string[]): string =>
    answers(
      pause(afterMs),
      ...keys.map((key, index) => info(key, index + 1) + pause(200)),
      recv('BYE'),
      plain('200 OK'),
    ),
} as const;

const notify = (sequence: number, status: string, state: string): string =>
  byCallee('NOTIFY', sequence, `SIP/2.0 ${status}`)
    .replace('application/dtmf-relay', 'message/sipfrag;version=2.0')
    .replace('Max-Forwards: 70', `Max-Forwards: 70\n      Event: refer\n      Subscription-State: ${state}`);

/** Callees that press 0 for a person and then receive REFER. */
export const transferring = {
  /** Accepts the REFER and reports the progress of its call by NOTIFY. */
  reports: (...statuses: string[]): string =>
    answers(
      pause(2500),
      info('0', 1),
      recv('REFER'),
      plain('202 Accepted'),
      ...statuses.map((status, at) =>
        notify(
          at + 2,
          status,
          at === statuses.length - 1 ? 'terminated;reason=noresource' : 'active;expires=60',
        ),
      ),
      recv('BYE'),
      plain('200 OK'),
    ),
  refuses: (status: string): string =>
    answers(pause(2500), info('0', 1), recv('REFER'), plain(status), recv('BYE'), plain('200 OK')),
  /** Accepts the REFER and sends BYE at once. */
  leaves: answers(pause(2500), info('0', 1), recv('REFER'), plain('202 Accepted'), byCallee('BYE', 2)),
} as const;

const withTimer = (status: string): string =>
  response(status, { retrans: true, sdp: true, media: MEDIA }).replace(
    'Contact:',
    'Require: timer\n      Session-Expires: 90;refresher=uac\n      Contact:',
  );

/** A re-INVITE whose offer has this direction. */
const takesOffer = (direction: string): string => `
  <recv request="INVITE">
    <action><ereg regexp="a=${direction}" search_in="body" check_it="true" assign_to="offered"/></action>
  </recv>`;
const heldAs = (direction: string): string =>
  response('200 OK', { retrans: true, sdp: true, media: `${MEDIA}\n      a=${direction}` }).replace(
    '[last_To:];tag=peer[call_number]',
    '[last_To:]',
  );

/** One scenario a method, for callees whose call the service ends. */
export const methods = {
  /** Receives REFER and reports by NOTIFY that its call was answered. */
  isReferred: answers(
    recv('REFER'),
    plain('202 Accepted'),
    notify(1, '100 Trying', 'active;expires=60'),
    notify(2, '200 OK', 'terminated;reason=noresource'),
    recv('BYE'),
    plain('200 OK'),
  ),
  /** Refers the caller to +15550003, and is also the target: takes its call, and waits for BYE in both. */
  refers: scenario(
    invited.replace(
      'assign_to="called"/>',
      'assign_to="called"/>\n      <ereg regexp="15550003" search_in="hdr" header="To:" assign_to="target"/>',
    ),
    '\n  <nop next="target" test="target"></nop>',
    response('200 OK', { retrans: true, sdp: true, media: MEDIA }),
    recv('ACK'),
    byCallee('REFER', 1)
      .replace(
        'Max-Forwards: 70',
        'Max-Forwards: 70\n      Refer-To: <sip:+15550003@[local_ip]:[local_port]>',
      )
      .replace('response="200"', 'response="202"'),
    recv('NOTIFY'),
    plain('200 OK'),
    recv('NOTIFY'),
    plain('200 OK'),
    recv('BYE'),
    plain('200 OK'),
    '\n  <nop next="end"></nop>\n  <label id="target"/>',
    response('200 OK', { retrans: true, sdp: true, media: MEDIA }),
    recv('ACK'),
    recv('BYE'),
    plain('200 OK'),
    '\n  <label id="end"/>\n  <Reference variables="caller,called"/>',
  ),
  /** Answers our hold after a 491, takes its end, and waits for BYE. It is on hold where the offer says so. */
  isHeld: answers(
    takesOffer('sendonly'),
    plain('491 Request Pending'),
    recv('ACK'),
    takesOffer('sendonly'),
    heldAs('recvonly'),
    recv('ACK'),
    takesOffer('sendrecv'),
    heldAs('sendrecv'),
    recv('ACK'),
    recv('BYE'),
    plain('200 OK'),
    '\n  <Reference variables="offered"/>',
  ),
  /** Refuses to be put on hold, and waits for BYE. */
  refusesHold: answers(
    takesOffer('sendonly'),
    plain('488 Not Acceptable Here'),
    recv('ACK'),
    recv('BYE'),
    plain('200 OK'),
    '\n  <Reference variables="offered"/>',
  ),
  sendsInfo: answers(info('5', 1), recv('BYE'), plain('200 OK')),
  /** Agrees on a session of 90 s that the service refreshes, takes the re-INVITE in its middle, and waits for BYE (RFC 4028). */
  isRefreshed: scenario(
    recv('INVITE'),
    withTimer('200 OK'),
    recv('ACK'),
    '\n  <recv request="INVITE" timeout="80000"></recv>',
    withTimer('200 OK').replace('[last_To:];tag=peer[call_number]', '[last_To:]'),
    recv('ACK'),
    recv('BYE'),
    plain('200 OK'),
  ),
  answersOptions: scenario(recv('OPTIONS'), plain('200 OK')),
} as const;

const byCaller = (
  method: 'INVITE' | 'ACK' | 'BYE' | 'INFO' | 'NOTIFY',
  sequence: number,
  body = '',
  type = 'application/sdp',
): string => {
  const inDialog = method !== 'INVITE';
  const uri = inDialog ? '[next_url]' : 'sip:[service]@[remote_ip]:[remote_port]';
  const to = `<sip:[service]@[remote_ip]:[remote_port]>${inDialog ? '[peer_tag_param]' : ''}`;
  return `
  <send${method === 'ACK' ? '' : ' retrans="500"'}>
    <![CDATA[

      ${method} ${uri} SIP/2.0
      Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
      From: "Asha Caller" <sip:+14155550142@[local_ip]:[local_port]>;tag=peer[call_number]
      To: ${to}
      Call-ID: [call_id]
      CSeq: ${sequence} ${method}
      Max-Forwards: 70
      Contact: <sip:+14155550142@[local_ip]:[local_port];transport=[transport]>
      ${body === '' ? '' : `Content-Type: ${type}\n      `}Content-Length: [len]

      ${body}
    ]]>
  </send>`;
};

/** Offer in the INVITE and answer in the 200, or offer in the 200 and answer in the ACK. */
const connected = (offer: 'early' | 'late'): string[] => [
  byCaller('INVITE', 1, offer === 'early' ? MEDIA : ''),
  '\n  <recv response="100" optional="true"></recv>\n  <recv response="180" optional="true"></recv>',
  '\n  <recv response="200" rrs="true"></recv>',
  byCaller('ACK', 1, offer === 'late' ? MEDIA : ''),
];

const isOnItsWay =
  '\n  <recv response="100" optional="true"></recv>\n  <recv response="180" optional="true"></recv>';
const isDone = '\n  <recv response="200"></recv>';

/** Caller scenarios for inbound calls. */
export const calling = {
  /** Presses 0 for a person, accepts the REFER, reports progress by NOTIFY and waits for BYE. */
  isTransferred: (...statuses: string[]): string =>
    scenario(
      ...connected('early'),
      pause(4000),
      byCaller('INFO', 2, keyOf('0'), 'application/dtmf-relay') + isDone,
      recv('REFER'),
      plain('202 Accepted'),
      ...statuses.map((status, at) => {
        const state = at === statuses.length - 1 ? 'terminated;reason=noresource' : 'active;expires=60';
        const sent = byCaller('NOTIFY', at + 3, `SIP/2.0 ${status}`, 'message/sipfrag;version=2.0');
        return (
          sent.replace(
            'Max-Forwards: 70',
            `Max-Forwards: 70\n      Event: refer\n      Subscription-State: ${state}`,
          ) + isDone
        );
      }),
      recv('BYE'),
      plain('200 OK'),
    ),
  /** Sends digits as telephone events, then waits for BYE. */
  pressesKeys: (afterMs: number, keys: readonly string[], type: EventType): string =>
    scenario(...connected('early'), pause(afterMs), ...playKeys(keys, type), recv('BYE'), plain('200 OK')),
  /** Sends a key by INFO, takes those of the agent, which come in this order by INFO, and waits for BYE. */
  takesInfo: (afterMs: number, key: string, theirs: readonly string[]): string =>
    withoutEvents(
      scenario(
        ...connected('early'),
        pause(afterMs),
        byCaller('INFO', 2, keyOf(key), 'application/dtmf-relay') + isDone,
        ...theirs.map((their) => takesKey(their)),
        recv('BYE'),
        plain('200 OK'),
      ),
    ),
  hangsUpAfter: (ms: number): string =>
    scenario(...connected('early'), pause(ms), byCaller('BYE', 2), '\n  <recv response="200"></recv>'),
  waitsForBye: scenario(...connected('early'), recv('BYE'), plain('200 OK')),
  /** Sends its SDP with the ACK only (RFC 3261 section 13.2.1). */
  offersLate: (ms: number): string =>
    scenario(...connected('late'), pause(ms), byCaller('BYE', 2), '\n  <recv response="200"></recv>'),
  isRefused: (status: number, options: { anotherCodec?: boolean } = {}): string =>
    scenario(
      byCaller('INVITE', 1, options.anotherCodec === true ? G729 : MEDIA),
      '\n  <recv response="100" optional="true"></recv>\n  <recv response="180" optional="true"></recv>',
      `\n  <recv response="${status}"></recv>`,
      byCaller('ACK', 1).replace('[next_url]', 'sip:[service]@[remote_ip]:[remote_port]'),
    ),
  /** Is answered, moves its media to a host with a re-INVITE, and hangs up. Then it has heard us. */
  movesTo: (name: string): string =>
    scenario(
      ...connected('early'),
      pause(2_500),
      withHostName(name, byCaller('INFO', 2, MEDIA)).replaceAll('INFO', 'INVITE'),
      '\n  <recv response="100" optional="true"></recv>\n  <recv response="200"></recv>',
      byCaller('ACK', 2),
      pause(2_500),
      byCaller('BYE', 3) + isDone,
    ),
  /** Like `movesTo`, but its re-INVITE is refused with 488 and a warning. */
  cannotMoveTo: (name: string): string =>
    scenario(
      ...connected('early'),
      withHostName(name, byCaller('INFO', 2, MEDIA)).replaceAll('INFO', 'INVITE'),
      `\n  <recv response="100" optional="true"></recv>
  <recv response="488">
    <action><ereg regexp="301 " search_in="hdr" header="Warning:" check_it="true" assign_to="why"/></action>
  </recv>`,
      byCaller('ACK', 2).replace(/Via: .*/, '[last_Via:]'),
      pause(1_500),
      byCaller('BYE', 3) + isDone,
      '\n  <Reference variables="why"/>',
    ),
  /** Offers again before its ACK, and takes the 491 (RFC 3261 section 14.2). */
  offersTooEarly: scenario(
    byCaller('INVITE', 1, MEDIA),
    isOnItsWay,
    '\n  <recv response="200" rrs="true"></recv>',
    byCaller('INFO', 2, MEDIA).replaceAll('INFO', 'INVITE'),
    '\n  <recv response="100" optional="true"></recv>\n  <recv response="491"></recv>',
    // The ACK of a refusal is part of its transaction.
    byCaller('ACK', 2).replace(/Via: .*/, '[last_Via:]'),
    byCaller('ACK', 1),
    byCaller('BYE', 3) + isDone,
  ),
  /** Takes over the call of the keys `old_call` and `our_tag`, whose peer is the first of a SIPp, and waits for BYE (RFC 3891). */
  takesOver: scenario(
    byCaller('INVITE', 1, MEDIA).replace(
      'Max-Forwards: 70',
      'Max-Forwards: 70\n      Require: replaces\n      Replaces: [old_call];to-tag=[our_tag];from-tag=peer1',
    ),
    isOnItsWay,
    '\n  <recv response="200" rrs="true"></recv>',
    byCaller('ACK', 1),
    recv('BYE'),
    plain('200 OK'),
  ),
} as const;
