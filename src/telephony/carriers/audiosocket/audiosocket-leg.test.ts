import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { rms, sineTone } from '@callwright/audio';
import { Wheel, type MediaSink } from '@callwright/rtp';
import { ManualClock } from '../../../shared/clock.ts';
import { CODECS } from '../audio-format.ts';
import { audiosocket } from '../dialects/audiosocket.ts';
import { StreamLeg } from '../stream-leg.ts';
import { FRAME_TYPES, FrameCutter, frameIn, frameOf } from './frames.ts';

const STEP_MS = 20;
/** Without a message that drops audio the lead is one frame. */
const LEAD_MS = 20;

/** Asterisk's end: plays 20 ms of what it got in each step, and drops nothing. */
class Channel extends EventEmitter {
  readonly OPEN = 1;
  readonly readyState = 1;
  readonly bufferedAmount = 0;
  readonly played: boolean[] = [];
  readonly others: number[] = [];
  isClosed = false;
  #queue: Int16Array[] = [];
  readonly #frames = new FrameCutter();

  send(bytes: string | Buffer): void {
    this.#frames.push(Buffer.from(bytes));
    for (let next = this.#frames.next(); next !== null && next !== 'too long'; next = this.#frames.next()) {
      const frame = frameIn(next);
      if (frame?.type !== FRAME_TYPES.audio) this.others.push(frame?.type ?? -1);
      else {
        const pcm = new Int16Array(frame.payload.length / 2);
        CODECS.l16.decode(pcm, frame.payload);
        this.#queue.push(pcm);
      }
    }
  }
  get queuedMs(): number {
    return this.#queue.length * STEP_MS;
  }
  play(): void {
    const pcm = this.#queue.shift();
    this.played.push(pcm !== undefined && rms(pcm) > 100);
  }
  says(type: number, payload: Uint8Array = new Uint8Array(0)): void {
    this.emit('message', frameOf(type, payload), true);
  }
  pause(): void {}
  resume(): void {}
  close(): void {
    this.isClosed = true;
  }
  terminate(): void {
    this.emit('close', 1006);
  }
}

function call() {
  const clock = new ManualClock();
  const [heard, keys, left]: [Int16Array[], string[], string[]] = [[], [], []];
  let speech: Int16Array = new Int16Array(0);
  let spoken = 0;
  const leg = new StreamLeg({
    wheel: new Wheel({ clock }),
    clock,
    carrier: 'asterisk',
    scheduler: { after: () => () => undefined },
    events: { onLeft: (by) => void left.push(by), onRefused: () => undefined },
  });
  leg.start({
    onAudio: (pcm) => void heard.push(pcm.slice()),
    fill: (out) => {
      if (spoken + out.length > speech.length) return false;
      out.set(speech.subarray(spoken, spoken + out.length));
      spoken += out.length;
      return true;
    },
    onDtmf: (digit) => void keys.push(digit),
    onMediaTimeout: () => undefined,
  } satisfies MediaSink);
  const channel = new Channel();
  leg.connect(channel, 'channel-1', audiosocket);
  channel.says(FRAME_TYPES.uuid, Buffer.alloc(16, 1));
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      clock.advance(STEP_MS);
      leg.onTick(clock.now());
      channel.play();
      channel.says(FRAME_TYPES.audio, Buffer.alloc(320));
    }
  };
  return {
    leg,
    channel,
    heard,
    keys,
    left,
    pass,
    speak: (pcm: Int16Array) => {
      [speech, spoken] = [pcm, 0];
    },
    spokenMs: () => spoken / 8,
    playedMs: () => channel.played.filter(Boolean).length * STEP_MS,
  };
}

describe('a call over AudioSocket', () => {
  it('hears the caller, however the audio is cut into frames', () => {
    const { channel, heard, pass } = call();
    const bytes = CODECS.l16.encode(sineTone(440, 400, 8_000));
    const sizes = [320, 1, 639, 960, 3];
    for (let at = 0, n = 0; at < bytes.length; n += 1) {
      const size = sizes[n % sizes.length] ?? 320;
      channel.says(FRAME_TYPES.audio, bytes.subarray(at, at + size));
      at += size;
    }
    expect(heard).toHaveLength(20);
    expect(Buffer.concat(heard.map((frame) => CODECS.l16.encode(frame)))).toEqual(bytes);
    pass(20);
    expect(heard).toHaveLength(21);
  });

  it('knows within one frame what the caller heard at an interruption, and stops within one', () => {
    for (const after of [20, 200, 1_000, 1_980, 3_500]) {
      const { leg, channel, pass, speak, spokenMs, playedMs } = call();
      pass(100);
      speak(sineTone(300, 5_000, 8_000));
      pass(after);
      expect(channel.queuedMs).toBeLessThanOrEqual(LEAD_MS);
      const heardMs = Math.max(0, spokenMs() - leg.unplayedMs());
      expect(Math.abs(heardMs - playedMs())).toBeLessThanOrEqual(LEAD_MS);
      speak(new Int16Array(0));
      const [before, unplayedMs] = [playedMs(), leg.unplayedMs()];
      leg.flush();
      // What was sent is heard: the position does not jump.
      expect(leg.unplayedMs()).toBe(unplayedMs);
      pass(500);
      expect(playedMs() - before).toBeLessThanOrEqual(LEAD_MS);
      expect([channel.queuedMs, leg.unplayedMs()]).toEqual([0, 0]);
      const silent = playedMs();
      speak(sineTone(300, 1_000, 8_000));
      pass(2_000);
      expect(playedMs() - silent).toBe(1_000);
    }
  });

  it('keeps the lead at one frame over pauses between words', () => {
    const { channel, pass, speak } = call();
    const tone = sineTone(300, 400, 8_000);
    const speech = new Int16Array(tone.length * 4);
    for (const word of [0, 2]) speech.set(tone, tone.length * word);
    speak(speech);
    for (let ms = 0; ms < 1_600; ms += STEP_MS) {
      pass(STEP_MS);
      expect(channel.queuedMs).toBeLessThanOrEqual(LEAD_MS);
    }
  });

  it('takes keys of the caller, and plays those of the agent as tones', () => {
    const { leg, channel, keys, pass, playedMs } = call();
    for (const key of ['5', '#']) channel.says(FRAME_TYPES.key, Buffer.from(key));
    expect(keys).toEqual(['5', '#']);
    leg.sendDtmf(['1', '2']);
    pass(800);
    expect(playedMs()).toBe(200);
  });

  it.each([
    ['a frame', (channel: Channel) => channel.says(FRAME_TYPES.hangup), 'caller'],
    ['the end of the connection', (channel: Channel) => channel.emit('close', 1000), 'caller'],
    ['an error', (channel: Channel) => channel.says(FRAME_TYPES.error, Buffer.from([1])), 'system'],
    ['a cut', (channel: Channel) => channel.emit('close', 1006), 'system'],
  ])('ends once, by %s', (_name, end, by) => {
    const { channel, left } = call();
    end(channel);
    channel.emit('close', 1006);
    expect(left).toEqual([by]);
  });

  it('ends by the system when no frame comes for 6 s', () => {
    const { leg, left } = call();
    for (let step = 0; step < 300; step += 1) leg.onTick(0);
    expect(left).toEqual(['system']);
  });

  it('tells Asterisk to hang up when the agent does', async () => {
    const { leg, channel, left } = call();
    await leg.close();
    expect([channel.others, channel.isClosed, left]).toEqual([[FRAME_TYPES.hangup], true, []]);
  });
});
