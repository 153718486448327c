import { describe, expect, it } from 'vitest';
import { createVoiceQuality, rateInterval, type QualityReading } from './voice-quality.ts';

const reading = (changes: Partial<QualityReading> = {}): QualityReading => ({
  received: 250,
  missing: 0,
  packetMs: 20,
  jitterMs: 1,
  roundTripMs: 40,
  reports: 0,
  remoteLostShare: 0,
  remoteJitterMs: 0,
  remoteDelayMs: null,
  ...changes,
});

describe('voice quality', () => {
  it('rates intervals one by one, and keeps the lowest and the average', () => {
    const quality = createVoiceQuality();
    rateInterval(quality, reading());
    rateInterval(quality, reading({ received: 475, missing: 25 }));
    rateInterval(quality, reading({ received: 725, missing: 25 }));
    expect(quality.toUs?.samples).toBe(3);
    // A tenth lost: R 93.2 - 95 * 10 / 35.1 = 66.1.
    expect(quality.toUs?.lowest).toBeCloseTo(3.41, 2);
    expect(quality.toUs?.average).toBeCloseTo((4.41 + 3.41 + 4.41) / 3, 2);
  });

  it('rates no interval without packets, such as a hold', () => {
    const quality = createVoiceQuality();
    rateInterval(quality, reading({ received: 0 }));
    expect(quality.toUs).toBeNull();
    rateInterval(quality, reading());
    rateInterval(quality, reading());
    expect(quality.toUs?.samples).toBe(1);
  });

  it('rates no interval across a new stream whose counters begin at zero', () => {
    const quality = createVoiceQuality();
    rateInterval(quality, reading({ received: 500 }));
    rateInterval(quality, reading({ received: 100 }));
    rateInterval(quality, reading({ received: 350 }));
    expect(quality.toUs?.samples).toBe(2);
  });

  it('rates what the far side hears only from a new report', () => {
    const quality = createVoiceQuality();
    rateInterval(quality, reading({ reports: 1 }));
    rateInterval(quality, reading({ reports: 1, remoteLostShare: 0.5 }));
    expect(quality.toFarSide).toMatchObject({ samples: 1 });
    rateInterval(quality, reading({ reports: 2, remoteLostShare: 0.1 }));
    expect(quality.toFarSide?.lowest).toBeCloseTo(3.41, 2);
  });

  it('counts the delay in the device of the far side when it reports it', () => {
    const [near, far] = [createVoiceQuality(), createVoiceQuality()];
    rateInterval(near, reading({ reports: 1, remoteJitterMs: 5 }));
    rateInterval(far, reading({ reports: 1, remoteJitterMs: 5, remoteDelayMs: 260 }));
    expect(near.toFarSide?.lowest).toBeCloseTo(4.41, 2);
    expect(far.toFarSide?.lowest).toBeLessThan(4);
  });
});
