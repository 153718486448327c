import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { rms, sineTone } from '@callwright/audio';
import { Wheel, type MediaSink } from '@callwright/rtp';
import { CARRIER_WIRES, type FakeStreamSettings, FakeTwilioStream } from '@callwright/stand-ins';
import { CARRIER_KINDS, type CarrierKind } from '../../shared/carrier-kinds.ts';
import { ManualClock } from '../../shared/clock.ts';
import { StreamLeg } from './stream-leg.ts';

const CALL_SID = 'CA00000000000000000000000000000001';
const LEAD_MS = 60;
const STEP_MS = 20;

/** The service's end of the connection to the stand-in. */
class Stub extends EventEmitter {
  readonly OPEN = 1;
  readonly readyState = 1;
  readonly bufferedAmount = 0;
  closed: number | null = null;
  isTerminated = false;
  readonly #receive: (message: string | Buffer) => void;
  constructor(receive: (message: string | Buffer) => void) {
    super();
    this.#receive = receive;
  }
  send(message: string | Buffer): void {
    this.#receive(message);
  }
  pause(): void {}
  resume(): void {}
  close(code: number): void {
    this.closed = code;
  }
  terminate(): void {
    this.isTerminated = true;
    this.emit('close', 1006);
  }
}

function call(settings: Partial<FakeStreamSettings> = {}, carrier: CarrierKind = 'twilio') {
  const clock = new ManualClock();
  const heard: Int16Array[] = [];
  const keys: string[] = [];
  const left: string[] = [];
  let refusals = 0;
  let speech: Int16Array | null = null;
  let spoken = 0;
  const leg = new StreamLeg({
    wheel: new Wheel({ clock }),
    clock,
    carrier,
    scheduler: { after: () => () => undefined },
    events: { onLeft: (by) => void left.push(by), onRefused: () => void (refusals += 1) },
  });
  leg.start({
    onAudio: (pcm) => void heard.push(pcm.slice()),
    fill: (out) => {
      if (speech === null || spoken + out.length > speech.length) return false;
      out.set(speech.subarray(spoken, spoken + out.length));
      spoken += out.length;
      return true;
    },
    onDtmf: (digit) => void keys.push(digit),
    onMediaTimeout: () => undefined,
  } satisfies MediaSink);
  let seed = 1;
  const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  const socket = new Stub((message) => stream.receive(message));
  const stream: FakeTwilioStream = new FakeTwilioStream({
    callSid: CALL_SID,
    accountSid: 'AC1',
    settings,
    wire: CARRIER_WIRES[carrier],
    random,
    send: (message) => void socket.emit('message', Buffer.from(message), typeof message !== 'string'),
  });
  const connect = (known = CALL_SID): void => leg.connect(socket, known);
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      clock.advance(STEP_MS);
      leg.onTick(clock.now());
      stream.step(clock.monotonic());
    }
  };
  return {
    leg,
    stream,
    socket,
    heard,
    keys,
    left,
    connect,
    pass,
    speak: (pcm: Int16Array) => {
      speech = pcm;
      spoken = 0;
    },
    stopSpeaking: () => {
      speech = null;
    },
    spokenMs: () => spoken / 8,
    refusals: () => refusals,
    /** Frames of the agent's voice that the stand-in has played, ms. */
    playedMs: () => stream.heard.filter((frame) => frame !== null && rms(frame) > 100).length * STEP_MS,
  };
}

describe('a call over the WebSocket of a carrier', () => {
  it('hears the caller, also in chunks of 100 ms that come late, twice and in the wrong order', () => {
    for (const settings of [{}, { chunkMs: 100, jitterMs: 60, swapEvery: 3, duplicates: true }]) {
      const { connect, stream, pass, heard } = call(settings);
      connect();
      stream.open();
      stream.say(sineTone(440, 2_000, 8_000));
      pass(2_600);
      const loud = heard.map((frame) => rms(frame) > 1_000);
      expect(loud.filter(Boolean)).toHaveLength(100);
      expect(loud.lastIndexOf(true) - loud.indexOf(true)).toBe(99);
    }
  });

  it.each(CARRIER_KINDS)(
    'knows within one lead what the caller of %s has heard at an interruption',
    (carrier) => {
      for (const after of [20, 200, 1_000, 1_980, 3_500]) {
        const { connect, stream, pass, leg, speak, stopSpeaking, spokenMs, playedMs } = call({}, carrier);
        connect();
        stream.open();
        pass(100);
        speak(sineTone(300, 5_000, 8_000));
        pass(after);
        const heardMs = Math.max(0, spokenMs() - leg.unplayedMs());
        expect(Math.abs(heardMs - playedMs())).toBeLessThanOrEqual(LEAD_MS);
        stopSpeaking();
        leg.flush();
        const before = playedMs();
        pass(500);
        // Nothing of the dropped speech sounds after the clear, and the next speech has its lead again.
        expect([playedMs(), stream.queuedMs, leg.unplayedMs()]).toEqual([before, 0, 0]);
        speak(sineTone(300, 1_000, 8_000));
        pass(2_000);
        expect(playedMs()).toBe(before + 1_000);
        expect(stream.errors).toEqual([]);
      }
    },
  );

  it('is heard 20 ms after the first frame of speech, and pauses between words make the lead 60 ms', () => {
    const { connect, stream, pass, speak, playedMs } = call();
    connect();
    stream.open();
    pass(100);
    const tone = sineTone(300, 400, 8_000);
    const speech = new Int16Array(tone.length * 4);
    // A pause of 400 ms before the first word and between two words: the first one makes no lead.
    speech.set(tone, tone.length);
    speech.set(tone, tone.length * 3);
    speak(speech);
    pass(420);
    expect([stream.queuedMs, playedMs()]).toEqual([20, 0]);
    pass(20);
    expect(playedMs()).toBe(20);
    pass(360);
    expect([stream.queuedMs, playedMs()]).toEqual([20, 380]);
    pass(400);
    expect([stream.queuedMs, playedMs()]).toEqual([60, 400]);
    pass(500);
    expect(playedMs()).toBe(800);
  });

  it('follows the marks when the carrier plays later than the time of sending says', () => {
    const { connect, stream, pass, leg, speak, playedMs, spokenMs } = call();
    connect();
    stream.open();
    pass(100);
    // The carrier has 400 ms to play that the leg does not know of.
    const mine = JSON.stringify({
      event: 'media',
      streamSid: `MZ${CALL_SID.slice(2)}`,
      media: { payload: Buffer.alloc(3_200, 255).toString('base64') },
    });
    stream.receive(mine);
    speak(sineTone(300, 4_000, 8_000));
    pass(3_000);
    expect(Math.abs(spokenMs() - leg.unplayedMs() - playedMs())).toBeLessThanOrEqual(LEAD_MS);
  });

  it('passes keys both ways', () => {
    const { connect, stream, pass, leg, keys } = call();
    connect();
    stream.open();
    stream.press('5');
    stream.press('#');
    leg.sendDtmf(['1', '2']);
    pass(800);
    expect(keys).toEqual(['5', '#']);
    const tones = stream.heard.map((frame) => frame !== null && rms(frame) > 1_000);
    expect(tones.filter(Boolean)).toHaveLength(10);
  });

  it('ends once, by the caller or by the network', () => {
    const hungUp = call();
    hungUp.connect();
    hungUp.stream.open();
    hungUp.stream.hangUp();
    hungUp.socket.emit('close', 1000);
    expect(hungUp.left).toEqual(['caller']);
    const cut = call();
    cut.connect();
    cut.stream.open();
    cut.socket.emit('close', 1006);
    expect(cut.left).toEqual(['system']);
    const silent = call();
    silent.connect();
    silent.stream.open();
    for (let n = 0; n < 300; n += 1) silent.leg.onTick(0);
    expect([silent.socket.isTerminated, silent.left]).toEqual([true, ['system']]);
  });

  it('ends when no stream begins, or that of another call', () => {
    const absent = call();
    for (let n = 0; n < 500; n += 1) absent.leg.onTick(0);
    expect(absent.left).toEqual(['system']);
    const other = call();
    other.connect('CA00000000000000000000000000000002');
    other.stream.open();
    expect(other.socket.closed).toBe(1008);
  });

  it('is closed when it sends more than its budget', () => {
    const { connect, stream, socket, refusals } = call();
    connect();
    stream.open();
    for (let n = 0; n < 1_000; n += 1) stream.press('1');
    expect([socket.closed, refusals()]).toEqual([1008, 1]);
  });
});
