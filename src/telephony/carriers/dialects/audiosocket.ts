import { FRAME_TYPES, frameIn, frameOf, uuidIn } from '../audiosocket/frames.ts';
import { FIRST_LEAD_MS } from '../play-out.ts';
import { digitOf } from './digit.ts';
import type { Dialect } from './messages.ts';

/** 20 ms of linear audio. */
const CHUNK_BYTES = 320;

/**
 * AudioSocket, Asterisk's protocol over TCP: frames of linear audio at 8 kHz, the low byte first. It has no message that drops
 * audio and none that marks it: what was sent is heard, so that the lead stays at one frame.
 */
export const audiosocket: Dialect = {
  format: 'l16',
  chunkMs: 20,
  leadMs: FIRST_LEAD_MS,
  media(_streamId, bytes) {
    const frames: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      frames.push(frameOf(FRAME_TYPES.audio, bytes.subarray(at, at + CHUNK_BYTES)));
    return Buffer.concat(frames);
  },
  mark: null,
  clear: () => null,
  end: () => frameOf(FRAME_TYPES.hangup),
  parse(data) {
    const frame = frameIn(data);
    if (frame === null) return null;
    switch (frame.type) {
      case FRAME_TYPES.audio:
        return { type: 'audio', chunk: null, bytes: frame.payload };
      case FRAME_TYPES.uuid: {
        const streamId = uuidIn(frame.payload);
        return streamId === null ? null : { type: 'started', streamId, callId: null, format: 'l16' };
      }
      case FRAME_TYPES.key: {
        const digit = digitOf(frame.payload.toString('latin1'));
        return digit === null ? null : { type: 'key', digit };
      }
      case FRAME_TYPES.hangup:
        return { type: 'stopped' };
      case FRAME_TYPES.error:
        return { type: 'failed' };
      default:
        return null;
    }
  },
};
