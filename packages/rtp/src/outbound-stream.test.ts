import { describe, expect, it } from 'vitest';
import type { MediaSink } from './media-leg.ts';
import type { NegotiatedMedia } from './media.ts';
import { writeDtmfTone } from './dtmf-tone.ts';
import { OutboundStream } from './outbound-stream.ts';
import { createRtpView, parseRtp } from './packet.ts';

const MEDIA: NegotiatedMedia = {
  remoteAddress: '192.0.2.1',
  remotePort: 4000,
  remoteRtcpPort: 4001,
  rtcpMux: false,
  codec: { name: 'PCMU', payloadType: 0, clockRate: 8000 },
  dtmfPayloadType: 101,
  ptimeMs: 20,
  direction: 'sendrecv',
};

interface Sent {
  type: number;
  marker: boolean;
  sequence: number;
  timestamp: number;
  payload: number[];
}

function harness(more: Partial<NegotiatedMedia> = {}, sample = 0) {
  const sent: Sent[] = [];
  const view = createRtpView();
  const stream = new OutboundStream({
    ssrc: 5,
    sequence: 65_534,
    timestamp: 1000,
    send: (packet, length) => {
      const bytes = packet.subarray(0, length);
      parseRtp(bytes, view);
      sent.push({
        type: view.payloadType,
        marker: view.marker,
        sequence: view.sequence,
        timestamp: view.timestamp,
        payload: [...bytes.subarray(12)],
      });
    },
  });
  stream.setMedia({ ...MEDIA, ...more });
  let fills = 0;
  const sink: MediaSink = {
    onAudio: () => undefined,
    fill: (out) => {
      fills += 1;
      out.fill(sample);
      return sample !== 0;
    },
    onDtmf: () => undefined,
    onMediaTimeout: () => undefined,
  };
  return {
    stream,
    sent,
    fills: () => fills,
    tick: (count: number, sending = true, skipped = 0) => {
      for (let i = 0; i < count; i++) stream.tick(sink, sending, i === 0 ? skipped : 0, 0);
    },
    timestamps: () => sent.map(({ timestamp }) => timestamp - 1000),
  };
}

describe('outbound stream', () => {
  it('sends a packet per step, with silence when the sink has no audio', () => {
    const { tick, sent, timestamps, fills, stream } = harness();
    tick(3);
    expect(sent.map(({ sequence }) => sequence)).toEqual([65_534, 65_535, 0]);
    expect(timestamps()).toEqual([0, 160, 320]);
    expect(sent.map(({ marker }) => marker)).toEqual([true, false, false]);
    expect(sent[2]?.payload).toEqual(Array.from({ length: 160 }, () => 0xff));
    expect([fills(), stream.packets, stream.octets]).toEqual([3, 3, 480]);
  });

  it.each([
    [10, [0, 80, 160, 240, 320, 400, 480, 560]],
    [30, [0, 240]],
    [40, [0, 320]],
    [60, [0]],
  ])('cuts %i ms packets', (ptimeMs, expected) => {
    const { tick, sent, timestamps } = harness({ ptimeMs });
    tick(4);
    expect(timestamps()).toEqual(expected);
    expect(sent.every(({ payload }) => payload.length === ptimeMs * 8)).toBe(true);
  });

  it('advances the timestamp during a hold and sets the marker on the first packet after it', () => {
    const { tick, sent, timestamps, fills } = harness();
    tick(1);
    tick(5, false);
    tick(1);
    expect(timestamps()).toEqual([0, 960]);
    expect(sent[1]).toMatchObject({ marker: true, sequence: 65_535 });
    expect(fills()).toBe(7);
  });

  it('advances the timestamp over skipped steps without a gap in sequence numbers', () => {
    const { tick, sent, timestamps } = harness();
    tick(1);
    tick(2, true, 10);
    expect(timestamps()).toEqual([0, 160 + 1600, 160 + 1760]);
    expect(sent.map(({ sequence }) => sequence)).toEqual([65_534, 65_535, 0]);
    expect(sent[1]?.marker).toBe(true);
  });

  it('sends a digit in place of audio with its start timestamp, and resumes audio on time', () => {
    const { tick, sent, timestamps, stream } = harness({}, 1000);
    tick(1);
    stream.queueDigits(['7']);
    tick(9);
    expect(sent.map(({ type }) => type)).toEqual([0, 101, 101, 101, 101, 101, 101, 101, 0, 0]);
    expect(timestamps()).toEqual([0, 160, 160, 160, 160, 160, 160, 160, 1280, 1440]);
    expect(sent.map(({ marker }) => marker)).toEqual([true, true, ...Array.from({ length: 8 }, () => false)]);
    expect(sent[1]?.payload).toEqual([7, 10, 0, 160]);
    expect(sent[7]?.payload).toEqual([7, 0x8a, 3, 32]);
  });

  it('sends pending audio of a long packet before a digit', () => {
    const { tick, sent, stream, timestamps } = harness({ ptimeMs: 60 });
    tick(1);
    stream.queueDigits(['1']);
    tick(1);
    expect(sent.map(({ type, payload }) => [type, payload.length])).toEqual([
      [0, 160],
      [101, 4],
    ]);
    expect(timestamps()).toEqual([0, 160]);
  });

  it('flushes a partial packet', () => {
    const { tick, sent, stream } = harness({ ptimeMs: 60 });
    tick(2);
    expect(sent).toHaveLength(0);
    stream.flush();
    stream.flush();
    expect(sent.map(({ payload }) => payload.length)).toEqual([320]);
  });

  it('sends in-band tones to a peer without telephone-event', () => {
    const { tick, sent, stream } = harness({ dtmfPayloadType: null });
    stream.queueDigits(['5']);
    tick(10);
    expect(sent.every(({ type, payload }) => type === 0 && payload.length === 160)).toBe(true);
    const silent = sent.map(({ payload }) => payload.every((byte) => byte === 0xff));
    expect(silent).toEqual([...Array<boolean>(7).fill(false), ...Array<boolean>(3).fill(true)]);
  });

  it('opens with one packet of silence of the negotiated length', () => {
    const { stream, sent, tick, timestamps } = harness({
      ptimeMs: 30,
      codec: { name: 'PCMA', payloadType: 8, clockRate: 8000 },
    });
    stream.sendSilence();
    tick(3);
    expect(timestamps()).toEqual([0, 240, 480]);
    expect(sent[0]).toMatchObject({
      type: 8,
      marker: true,
      payload: Array.from({ length: 240 }, () => 0xd5),
    });
  });
});

describe('DTMF tones', () => {
  it.each([
    [1, 697, 1209],
    [5, 770, 1336],
    [0, 941, 1336],
    [10, 941, 1209],
    [11, 941, 1477],
    [12, 697, 1633],
    [15, 941, 1633],
  ])('event %i is %i and %i Hz', (event, low, high) => {
    const pcm = new Int16Array(800);
    writeDtmfTone(pcm, event, 0, 8000);
    const level = (hz: number): number => {
      let re = 0;
      let im = 0;
      for (let i = 0; i < pcm.length; i++) {
        re += (pcm[i] as number) * Math.cos((2 * Math.PI * hz * i) / 8000);
        im += (pcm[i] as number) * Math.sin((2 * Math.PI * hz * i) / 8000);
      }
      return Math.hypot(re, im);
    };
    const loudest = [697, 770, 852, 941, 1209, 1336, 1477, 1633]
      .sort((a, b) => level(b) - level(a))
      .slice(0, 2);
    expect(loudest.sort((a, b) => a - b)).toEqual([low, high]);
  });
});
