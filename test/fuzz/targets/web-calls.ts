import { parsePageMessage } from '../../../src/chat/web/messages.ts';
import { MOST_TEXT_BYTES, parseClientMessage } from '../../../src/telephony/web/messages.ts';
import {
  FRAME_TYPES,
  FrameCutter,
  frameOf,
  openingUuid,
} from '../../../src/telephony/carriers/audiosocket/frames.ts';
import { audiosocket } from '../../../src/telephony/carriers/dialects/audiosocket.ts';
import { DIALECTS } from '../../../src/telephony/carriers/dialects/dialect.ts';
import type { StreamEvent } from '../../../src/telephony/carriers/dialects/messages.ts';
import { CARRIER_KINDS } from '../../../src/shared/carrier-kinds.ts';
import { mutateBytes } from '../mutate.ts';
import { must, type Target } from '../target.ts';

const CORPUS = [
  '{"type":"text","text":"Can I come on Tuesday?"}',
  '{"type":"text","text":"\\ud83d\\ude00 \\ud800 \\u0000"}',
  '{"type":"dtmf","digit":"5"}',
  '{"type":"hangup"}',
  '{"type":"text","text":""}',
  '[{"type":"hangup"}]',
  'null',
].map((text) => Buffer.from(text));

const message: Target = {
  name: 'web-call-message',
  nightly: 10_000,
  make: (dice) => mutateBytes(dice.pick(CORPUS), CORPUS, dice),
  run(input) {
    const read = parseClientMessage(input);
    if (read === null) return;
    must(input.length <= MOST_TEXT_BYTES, 'a message beyond the limit is read');
    if (read.type === 'dtmf') must(/^[0-9*#A-D]$/.test(read.digit), `the key ${read.digit}`);
    if (read.type !== 'text') return;
    must(read.text !== '' && read.text.length <= 2_000, `${read.text.length} typed characters`);
    must(read.text.isWellFormed() && !/\p{Cc}/u.test(read.text), 'text that cannot be stored');
  },
};

const CHAT_CORPUS = [
  '{"type":"text","id":"a1-b2-c3","text":"Can I come on Tuesday?"}',
  '{"type":"text","id":"x","text":"\\ud83d\\ude00 \\ud800 \\u0000\\n\\u0085"}',
  '{"type":"text","id":"","text":"no id"}',
  '{"type":"ready"}',
  '{"type":"hangup"}',
  '[]',
].map((text) => Buffer.from(text));

const pageMessage: Target = {
  name: 'web-chat-message',
  nightly: 10_000,
  make: (dice) => mutateBytes(dice.pick(CHAT_CORPUS), CHAT_CORPUS, dice),
  run(input) {
    const read = parsePageMessage(input);
    if (read?.type !== 'text') return;
    must(/^[\w-]{1,40}$/.test(read.id), `the id ${read.id}`);
    must(read.text !== '' && read.text.length <= 2_000, `${read.text.length} typed characters`);
    must(read.text.isWellFormed() && !/(?!\n)\p{Cc}/u.test(read.text), 'text that cannot be stored');
  },
};

const CARRIER_CORPUS = [
  '{"event":"connected","protocol":"Call","version":"1.0.0"}',
  '{"event":"start","streamSid":"MZ0","start":{"streamSid":"MZ0","callSid":"CA0","mediaFormat":{"encoding":"audio/x-mulaw","sampleRate":8000}}}',
  '{"event":"media","streamSid":"MZ0","media":{"track":"inbound","chunk":"2","timestamp":"5","payload":"no+JhoaJjpzS"}}',
  '{"event":"dtmf","dtmf":{"track":"inbound_track","digit":"1"}}',
  '{"event":"mark","mark":{"name":"7"}}',
  '{"event":"stop","stop":{"callSid":"CA0"}}',
  '{"event":"start","start":{"callId":"c","streamId":"s","mediaFormat":{"encoding":"audio/x-mulaw","sampleRate":8000}}}',
  '{"event":"playedStream","streamId":"s","name":"7"}',
  '{"event":"start","stream_id":"s","start":{"call_control_id":"c","media_format":{"encoding":"PCMA","sample_rate":8000}}}',
  '{"event":"start","stream_sid":"s","start":{"stream_sid":"s","call_sid":"c","media_format":{"encoding":"base64","sample_rate":"8000"}}}',
  '{"eventType":"start","metadata":{"callId":"c","streamId":"s"}}',
  '{"event":"websocket:connected","content-type":"audio/l16;rate=8000","call_uuid":"c"}',
  '{"event":"websocket:dtmf","digit":"1","duration":260}',
  '{"callSid":"c","sampleRate":8000,"mixType":"mono"}',
  '{"type":"mark","data":{"name":"7","event":"playout"}}',
  'MEDIA_START connection_id:s channel:WebSocket/x channel_id:1.1 format:ulaw optimal_frame_size:160 ptime:20',
  'MEDIA_MARK_PROCESSED correlation_id:7',
].map((text) => Buffer.from(text));

const carrierMessage: Target = {
  name: 'carrier-stream-message',
  nightly: 10_000,
  make: (dice) => mutateBytes(dice.pick(CARRIER_CORPUS), CARRIER_CORPUS, dice),
  run(input) {
    for (const kind of CARRIER_KINDS) check(input, DIALECTS[kind].parse(input, false));
  },
};

const AUDIOSOCKET_CORPUS = [
  frameOf(FRAME_TYPES.uuid, Buffer.from('40325ec25efd4bd3805f53576e581d13', 'hex')),
  frameOf(FRAME_TYPES.audio, Buffer.alloc(320, 7)),
  frameOf(FRAME_TYPES.key, Buffer.from('5')),
  frameOf(FRAME_TYPES.hangup),
  frameOf(FRAME_TYPES.error, Buffer.from([1])),
  Buffer.concat([frameOf(FRAME_TYPES.key, Buffer.from('#')), frameOf(FRAME_TYPES.audio, Buffer.alloc(4))]),
  frameOf(FRAME_TYPES.audio, Buffer.alloc(17_000)).subarray(0, 40),
];

const audioSocketFrames: Target = {
  name: 'audiosocket-frames',
  nightly: 10_000,
  make: (dice) => mutateBytes(dice.pick(AUDIOSOCKET_CORPUS), AUDIOSOCKET_CORPUS, dice),
  run(input) {
    const opening = openingUuid(input);
    if (opening !== null && opening !== 'waits')
      must(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(opening.uuid), `the UUID ${opening.uuid}`);
    const frames = new FrameCutter();
    frames.push(input);
    let bytes = 0;
    for (let frame = frames.next(); frame !== null && frame !== 'too long'; frame = frames.next()) {
      bytes += frame.length;
      check(frame, audiosocket.parse(frame, true));
    }
    must(bytes <= input.length, `${bytes} bytes in frames`);
  },
};

function check(input: Buffer, read: StreamEvent | null): void {
  if (read?.type === 'key') must(/^[0-9*#A-D]$/.test(read.digit), `the key ${read.digit}`);
  if (read?.type === 'marked') must(read.name !== '' && read.name.length <= 200, `the mark ${read.name}`);
  if (read?.type !== 'audio') return;
  must(read.bytes.length <= input.length, `${read.bytes.length} bytes of audio`);
  must(read.chunk === null || Number.isSafeInteger(read.chunk), `chunk ${read.chunk}`);
}

export const WEB_CALL_TARGETS: readonly Target[] = [message, pageMessage, carrierMessage, audioSocketFrames];
