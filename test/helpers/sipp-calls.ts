import { plain, recv, response, scenario } from './sipp.ts';

/** PCMU and telephone-event 101, where SIPp's own media goes in and out. */
const MEDIA = `v=0
      o=peer 1 1 IN IP4 [local_ip]
      s=-
      c=IN IP4 [media_ip]
      t=0 0
      m=audio [media_port] RTP/AVP 0 101
      a=rtpmap:0 PCMU/8000
      a=rtpmap:101 telephone-event/8000
      a=fmtp:101 0-15`;

/** A codec that we do not speak. */
const G729 = MEDIA.replace('RTP/AVP 0 101', 'RTP/AVP 18 101').replace('0 PCMU/8000', '18 G729/8000');

const pause = (ms: number): string => `\n  <pause milliseconds="${ms}"/>`;

/** SIPp sends its recorded keys as RTP telephone-events (RFC 4733); needs raw sockets. */
const playKey = (digit: string): string =>
  `\n  <nop><action><exec play_pcap_audio="/usr/share/sip-tester/dtmf_2833_${digit}.pcap"/></action></nop>${pause(400)}`;

/** A request of the callee inside its dialog, where From and To change places. */
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

/** People at the other end of a call of ours. */
export const answering = {
  hangsUpAfter: (ms: number): string => answers(pause(ms), byCallee('BYE', 1)),
  waitsForBye: answers(recv('BYE'), plain('200 OK')),
  /** The network speaks before the answer (183 with SDP), and the 200 repeats its SDP; waits to be hung up on. */
  afterEarlyMedia: scenario(
    recv('INVITE'),
    response('183 Session Progress', { sdp: true, media: MEDIA }),
    pause(500),
    response('200 OK', { retrans: true, sdp: true, media: MEDIA }),
    recv('ACK'),
    recv('BYE'),
    plain('200 OK'),
  ),
  /** Answers with a codec that was not offered; waits to be hung up on. */
  withAnotherCodec: scenario(
    recv('INVITE'),
    response('200 OK', { retrans: true, sdp: true, media: G729 }),
    recv('ACK'),
    recv('BYE'),
    plain('200 OK'),
  ),
  /** Presses keys as telephone-events, then waits to be hung up on. */
  pressesKeys: (afterMs: number, keys: readonly string[]): string =>
    answers(pause(afterMs), ...keys.map(playKey), recv('BYE'), plain('200 OK')),
  /** Presses keys by SIP INFO, then waits to be hung up on. */
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

/** People who press 0 for a person, and whose side is then asked to transfer them. */
export const transferring = {
  /** Takes the REFER, and reports how its own call goes. */
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
  /** Takes the REFER and hangs up at once: the caller is its own now. */
  leaves: answers(pause(2500), info('0', 1), recv('REFER'), plain('202 Accepted'), byCallee('BYE', 2)),
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

/** The INVITE offers and the 200 answers, or the 200 offers and the ACK answers. */
const connected = (offer: 'early' | 'late'): string[] => [
  byCaller('INVITE', 1, offer === 'early' ? MEDIA : ''),
  '\n  <recv response="100" optional="true"></recv>\n  <recv response="180" optional="true"></recv>',
  '\n  <recv response="200" rrs="true"></recv>',
  byCaller('ACK', 1, offer === 'late' ? MEDIA : ''),
];

const isDone = '\n  <recv response="200"></recv>';

/** People who call us. */
export const calling = {
  /** Presses 0 for a person, takes the REFER and reports how its own call goes; waits to be hung up on. */
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
} as const;
