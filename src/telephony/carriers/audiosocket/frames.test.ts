import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { audiosocket } from '../dialects/audiosocket.ts';
import { FRAME_TYPES, FrameCutter, frameIn, frameOf, MOST_PAYLOAD_BYTES, openingUuid } from './frames.ts';

const UUID = '40325ec2-5efd-4bd3-805f-53576e581d13';
const OPENING = frameOf(FRAME_TYPES.uuid, Buffer.from(UUID.replaceAll('-', ''), 'hex'));

/** The frames of `bytes` that arrive in pieces of these sizes, the rest at once. */
function cut(bytes: Buffer, sizes: readonly number[]): (Buffer | 'too long')[] {
  const cutter = new FrameCutter();
  const found: (Buffer | 'too long')[] = [];
  let at = 0;
  for (const size of [...sizes, bytes.length]) {
    cutter.push(bytes.subarray(at, at + size));
    at += size;
    for (let frame = cutter.next(); frame !== null; frame = cutter.next()) {
      found.push(frame);
      if (frame === 'too long') return found;
    }
  }
  return found;
}

describe('the frames of AudioSocket', () => {
  it('are the same in whatever pieces the network delivers them', () => {
    const frames = fc.array(
      fc.record({ type: fc.nat({ max: 255 }), payload: fc.uint8Array({ maxLength: 400 }) }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(frames, fc.array(fc.integer({ min: 1, max: 50 })), (list, sizes) => {
        const sent = list.map(({ type, payload }) => frameOf(type, payload));
        const found = cut(Buffer.concat(sent), sizes);
        expect(found.map((frame) => frame.toString('hex'))).toEqual(sent.map((f) => f.toString('hex')));
      }),
    );
  });

  it('have at most one second of audio: a longer one is no frame before its payload comes', () => {
    const longest = frameOf(FRAME_TYPES.audio, Buffer.alloc(MOST_PAYLOAD_BYTES));
    expect(cut(longest, [])).toEqual([longest]);
    const longer = frameOf(FRAME_TYPES.audio, Buffer.alloc(MOST_PAYLOAD_BYTES + 1));
    expect(cut(longer.subarray(0, 3), [1, 1])).toEqual(['too long']);
    expect(cut(Buffer.from([0x10, 0xff, 0xff]), [])).toEqual(['too long']);
  });

  it('are read only if the length is that of the bytes', () => {
    expect(frameIn(OPENING)?.type).toBe(FRAME_TYPES.uuid);
    expect([frameIn(OPENING.subarray(1)), frameIn(Buffer.concat([OPENING, OPENING]))]).toEqual([null, null]);
    expect([frameIn(Buffer.alloc(0)), frameIn(Buffer.from([0x10, 0]))]).toEqual([null, null]);
  });

  it('begin with the UUID of the call, and wait for it byte by byte', () => {
    for (let bytes = 0; bytes < OPENING.length; bytes += 1)
      expect(openingUuid(OPENING.subarray(0, bytes))).toBe('waits');
    expect(openingUuid(OPENING)).toEqual({ uuid: UUID });
    expect(openingUuid(Buffer.concat([OPENING, frameOf(FRAME_TYPES.audio)]))).toEqual({ uuid: UUID });
  });

  it.each([
    ['audio', frameOf(FRAME_TYPES.audio, Buffer.alloc(320))],
    ['the end of the call', frameOf(FRAME_TYPES.hangup)],
    ['a UUID of 15 bytes', frameOf(FRAME_TYPES.uuid, Buffer.alloc(15))],
    ['a UUID of 17 bytes', frameOf(FRAME_TYPES.uuid, Buffer.alloc(17))],
    ['a request of HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['its first byte', Buffer.from('G')],
  ])('do not begin with %s', (_name, bytes) => expect(openingUuid(bytes)).toBeNull());
});

describe('the dialect of AudioSocket', () => {
  const read = (type: number, ...bytes: readonly number[]) =>
    audiosocket.parse(frameOf(type, Buffer.from(bytes)), true);

  it('reads every frame of Asterisk', () => {
    expect(audiosocket.parse(OPENING, true)).toEqual({
      type: 'started',
      streamId: UUID,
      callId: null,
      format: 'l16',
    });
    expect(read(0x10, 1, 2)).toEqual({ type: 'audio', chunk: null, bytes: Buffer.from([1, 2]) });
    expect(read(0x03, 0x23)).toEqual({ type: 'key', digit: '#' });
    expect([read(0x00), read(0xff, 1)]).toEqual([{ type: 'stopped' }, { type: 'failed' }]);
  });

  it('takes no other frame', () => {
    const others = [read(0x03), read(0x03, 0x35, 0x35), read(0x03, 0x20), read(0x01, 1), read(0x12, 1, 2)];
    expect(others).toEqual([null, null, null, null, null]);
    expect(audiosocket.parse(Buffer.from('{}'), false)).toBeNull();
  });

  it('writes audio in frames of 20 ms, and ends the call with a frame', () => {
    const frames = cut(Buffer.from(audiosocket.media('s', Buffer.alloc(640, 1), 1)), []);
    expect(frames.map((frame) => frame.length)).toEqual([323, 323]);
    expect(Buffer.from(frames[0] ?? '').subarray(0, 4)).toEqual(Buffer.from([0x10, 0x01, 0x40, 1]));
    expect(audiosocket.end?.('s')).toEqual(Buffer.from([0, 0, 0]));
    expect([audiosocket.clear('s'), audiosocket.mark]).toEqual([null, null]);
  });
});
