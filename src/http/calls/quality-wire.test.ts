import { describe, expect, it } from 'vitest';
import { toLatency, toNetwork } from './quality-wire.ts';

const media = {
  codec: 'PCMU',
  packetsSent: 500,
  packetsReceived: 480,
  packetsLost: 20,
  packetsLate: 3,
  duplicates: 1,
  concealedMs: 400.4,
  jitterMs: 4.1666,
  roundTripMs: 38.06,
  remoteLossFraction: 0.0125,
  remoteJitterMs: 7.77,
  strayPackets: 2,
  mos: { toUs: { average: 4.3784, lowest: 3.9949, samples: 12 }, toFarSide: null },
};
const turn = (totalMs: number) => ({
  turn: 1,
  endpointingMs: 280,
  recognitionMs: 300,
  modelMs: 90,
  voiceMs: 60,
  totalMs,
  prepared: false,
});

describe('toLatency', () => {
  it('returns every part of a turn’s latency, network included', () => {
    expect(toLatency([turn(430)], media)).toEqual({
      turns: [
        {
          turn: 1,
          endpointing_ms: 280,
          recognition_ms: 300,
          model_ms: 90,
          voice_ms: 60,
          network_ms: 38.1,
          total_ms: 430,
          prepared: false,
          first_audio_ms: null,
          stt: null,
          llm: null,
          engine: null,
          vendor: null,
          model: null,
          is_fallback: false,
          agent: null,
          tts: null,
          input_tokens: null,
          cached_tokens: null,
          output_tokens: null,
          characters: null,
          heard_characters: null,
          heard: null,
        },
      ],
      p50_ms: 430,
      p95_ms: 430,
      max_ms: 430,
    });
  });

  it('computes nearest-rank percentiles, and null without turns', () => {
    const waits = Array.from({ length: 100 }, (_, at) => turn(1000 - at * 10));
    expect(toLatency(waits, null)).toMatchObject({ p50_ms: 500, p95_ms: 950, max_ms: 1000 });
    expect(toLatency([], media)).toEqual({ turns: [], p50_ms: null, p95_ms: null, max_ms: null });
    expect(toLatency([turn(1)], { ...media, roundTripMs: null }).turns[0]?.network_ms).toBeNull();
  });
});

describe('toNetwork', () => {
  it('returns shares in percent and times in tenths of a millisecond', () => {
    expect(toNetwork(media)).toEqual({
      codec: 'PCMU',
      packets_sent: 500,
      packets_received: 480,
      packets_lost: 20,
      loss_percent: 4,
      packets_late: 3,
      duplicates: 1,
      stray_packets: 2,
      concealed_ms: 400,
      jitter_ms: 4.2,
      round_trip_ms: 38.1,
      remote_loss_percent: 1.25,
      remote_jitter_ms: 7.8,
      mos_received: 4.38,
      mos_received_lowest: 3.99,
      mos_sent: null,
      mos_sent_lowest: null,
    });
  });

  it('returns no MOS for a call of an earlier version and for one without RTP', () => {
    const { mos, ...earlier } = media;
    expect(mos.toUs.average).toBeGreaterThan(4);
    expect(toNetwork(earlier)).toMatchObject({ mos_received: null, mos_sent: null });
  });

  it('returns null for values that were not measured', () => {
    const silent = { ...media, packetsReceived: 0, packetsLost: 0, roundTripMs: null };
    const unheard = { ...silent, remoteLossFraction: null, remoteJitterMs: null };
    expect(toNetwork(unheard)).toMatchObject({
      loss_percent: 0,
      round_trip_ms: null,
      remote_loss_percent: null,
      remote_jitter_ms: null,
    });
  });
});
