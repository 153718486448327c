import type { CapturedMessage } from './pcap.ts';
import type { TracedCall } from './trace.ts';

/** Stand-ins: a trace holds neither addresses nor numbers. */
const HOSTS = { out: '192.0.2.1', in: '198.51.100.1' } as const;
const HEADERS: ReadonlyMap<string, string> = new Map([
  ['reason', 'Reason'],
  ['retry-after', 'Retry-After'],
  ['warning', 'Warning'],
]);

type Side = 'in' | 'out';
type Attempt = TracedCall['attempts'][number];

/**
 * The messages of a trace as SIP, so that other programs can draw them. Method, status, times, Call-ID and the headers that
 * explain the outcome are those of the call. CSeq and branches are counted anew, so a repeated message counts as a new one;
 * addresses and users are stand-ins, and bodies are absent. Pure.
 */
export const tracedMessages = ({ attempts }: TracedCall): CapturedMessage[] => attempts.flatMap(messagesOf);

function messagesOf({ attempt_number, sip_call_id, sip_messages }: Attempt): CapturedMessage[] {
  const callId = sip_call_id ?? `attempt-${attempt_number}@callwright.invalid`;
  const caller: Side = sip_messages[0]?.direction ?? 'out';
  const sequences = { in: 0, out: 0 };
  /** The last request of each side and method. */
  const requests = new Map<string, number>();
  return sip_messages.map(({ at, direction, message, note }) => {
    const [first = '', method] = message.split(' ');
    const isResponse = method !== undefined;
    const by: Side = isResponse ? (direction === 'in' ? 'out' : 'in') : direction;
    const sequence = isResponse ? (requests.get(`${by} ${method}`) ?? 1) : nextSequence(first, by);
    const { phrase, headers } = noted(note, isResponse);
    const lines = [
      isResponse
        ? `SIP/2.0 ${first} ${phrase}`
        : `${first} sip:${direction === caller ? 'callee' : 'caller'}@${HOSTS[direction === 'out' ? 'in' : 'out']} SIP/2.0`,
      `Via: SIP/2.0/UDP ${HOSTS[by]}:5060;branch=z9hG4bK-${by}-${sequence}${first === 'ACK' ? '-ack' : ''}`,
      `From: <sip:${by === caller ? 'caller' : 'callee'}@${HOSTS[by]}>;tag=${by}`,
      `To: <sip:${by === caller ? 'callee' : 'caller'}@${HOSTS[by === 'out' ? 'in' : 'out']}>${isResponse || sequence > 1 ? `;tag=${by === 'out' ? 'in' : 'out'}` : ''}`,
      `Call-ID: ${callId}`,
      `CSeq: ${sequence} ${method ?? first}`,
      ...(isResponse ? [] : ['Max-Forwards: 70']),
      ...headers,
      'Content-Length: 0',
    ];
    return { at: Date.parse(at), direction, text: `${lines.join('\r\n')}\r\n\r\n` };
  });

  /** ACK and CANCEL have the CSeq of their INVITE. */
  function nextSequence(method: string, by: Side): number {
    if (method !== 'ACK' && method !== 'CANCEL') sequences[by] += 1;
    const sequence =
      method === 'ACK' || method === 'CANCEL' ? (requests.get(`${by} INVITE`) ?? 1) : sequences[by];
    requests.set(`${by} ${method}`, sequence);
    return sequence;
  }
}

/** The reason phrase of a response, and the headers of a note. */
function noted(note: string, isResponse: boolean): { phrase: string; headers: string[] } {
  const parts = note.split('; ');
  const headers = parts.flatMap((part) => {
    const colon = part.indexOf(': ');
    const name = colon < 0 ? undefined : HEADERS.get(part.slice(0, colon));
    return name === undefined ? [] : [`${name}: ${part.slice(colon + 2)}`];
  });
  return { phrase: isResponse ? (parts[0] ?? '') : '', headers };
}
