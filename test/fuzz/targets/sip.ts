import {
  EMPTY_BODY,
  type Frame,
  MAX_MESSAGE_BYTES,
  type SipRequest,
  authorize,
  chooseChallenge,
  createDigestServer,
  createFraming,
  parseDigest,
  parseMessage,
  responseTo,
  writeMessage,
  writeRefusal,
} from '@callwright/sip';
import { mutateText } from '../mutate.ts';
import { must, type Target } from '../target.ts';
import { CALL, SIP_TOKENS, TORTURE } from './sip-corpus.ts';

/** Every byte value survives: SIP is parsed from bytes. */
const bytesOf = (text: string): Buffer => Buffer.from(text, 'utf8');
const CORPUS = [...TORTURE, ...CALL];

const sipMessage: Target = {
  name: 'sip-message',
  nightly: 27_000,
  make: (dice) =>
    dice.chance(0.05)
      ? dice.bytes(dice.below(600))
      : bytesOf(mutateText(dice.pick(CORPUS), SIP_TOKENS, CORPUS, dice)),
  run(input) {
    const parsed = parseMessage(input);
    if (parsed.kind === 'bad') writeRefusal(parsed, 'tag');
    if (parsed.kind !== 'message') return;
    const bytes = writeMessage(parsed.message);
    const again = parseMessage(bytes);
    must(
      again.kind === 'message',
      `what we write does not parse: ${again.kind === 'bad' ? again.reason : ''}`,
    );
    must(writeMessage(again.message).equals(bytes), 'a written message is written differently after parsing');
  },
};

/** Chunk sizes are the first eight bytes; the rest is the stream. */
const CUTS = 8;

const sipStream: Target = {
  name: 'sip-stream',
  make(dice) {
    const messages = Array.from({ length: dice.from(1, 4) }, () => dice.pick(CALL));
    const pings = messages.flatMap((message) => (dice.chance(0.2) ? ['\r\n\r\n', message] : [message]));
    const stream = pings.join('');
    const text = dice.chance(0.2) ? stream : mutateText(stream, SIP_TOKENS, CORPUS, dice);
    return Buffer.concat([dice.bytes(CUTS), bytesOf(text)]);
  },
  run(input) {
    const stream = input.subarray(CUTS);
    const whole = createFraming().push(Buffer.from(stream));
    const framing = createFraming();
    const pieces: Frame[] = [];
    for (let at = 0, turn = 0; at < stream.length; turn += 1) {
      const size = 1 + (input[turn % CUTS] ?? 0);
      pieces.push(...framing.push(Buffer.from(stream.subarray(at, at + size))));
      must(framing.held() <= MAX_MESSAGE_BYTES + 256, `holds ${framing.held()} bytes`);
      at += size;
    }
    const shown = (frames: readonly Frame[]): string =>
      JSON.stringify(
        frames.map((frame) => (frame.kind === 'message' ? frame.bytes.toString('hex') : frame.kind)),
      );
    // A fault that a later byte causes hides nothing that was complete before.
    must(shown(pieces) === shown(whole), 'the frames depend on how the stream is cut');
  },
};

const REQUEST: SipRequest = {
  kind: 'request',
  method: 'INVITE',
  uri: 'sip:100@192.0.2.1',
  via: [{ transport: 'UDP', host: 'h', port: null, params: new Map() }],
  from: { displayName: null, uri: 'sip:u@h', params: new Map([['tag', 'x']]) },
  to: { displayName: null, uri: 'sip:100@192.0.2.1', params: new Map() },
  callId: 'c',
  cseq: { sequence: 1, method: 'INVITE' },
  headers: [],
  body: EMPTY_BODY,
};

/** A nonce that never changes, so that an input is good in every run. */
const SECRET = Buffer.alloc(32, 1);
const challenge = createDigestServer({ realm: 'callwright', now: () => 0, secret: SECRET }).challenge(false);
const GOOD = ((): string => {
  const chosen = chooseChallenge(
    responseTo(REQUEST, 401, { headers: [{ name: 'www-authenticate', value: challenge }] }),
  );
  if (chosen === null) throw new Error('the own challenge is not understood');
  return authorize(chosen, { username: 'u', password: 'secret' }, REQUEST, 1).value;
})();

const sipDigest: Target = {
  name: 'sip-digest',
  nightly: 10_000,
  make: (dice) =>
    bytesOf(
      mutateText(
        GOOD,
        ['"', ',', '=', '\\', ' ', '""', 'response=', 'qop=auth', 'nc=00000002', 'u'],
        [GOOD],
        dice,
      ),
    ),
  run(input) {
    const value = input.toString('utf8');
    const server = createDigestServer({ realm: 'callwright', now: () => 0, secret: SECRET });
    const request = { ...REQUEST, headers: [{ name: 'authorization', value }] };
    const verdict = server.verify(request, (name) => (name === 'u' ? 'secret' : null));
    if (!verdict.ok) return;
    // A mutation outside the hashed parameters may stay valid.
    must(
      parseDigest(value)?.get('response') === parseDigest(GOOD)?.get('response'),
      'a changed response is accepted',
    );
    must(!server.verify(request, () => 'secret').ok, 'a replay is accepted');
  },
};

export const SIP_TARGETS: readonly Target[] = [sipMessage, sipStream, sipDigest];
