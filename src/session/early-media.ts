import { SPECIAL_NUMBER_BELOW_HZ, createToneDetector, networkTone, stepTone } from '@callwright/turns';
import type { MediaSink } from '@callwright/rtp';
import type { SampleRate } from '@callwright/audio';
import type { SpecialTones } from './protocol.ts';

/**
 * Listens to what the network plays while a call rings (RFC 3960, early media). Special information tones say that no
 * phone will be reached; ringing, music and announcements say nothing certain. Sends silence.
 */
export function earlyMedia(rate: SampleRate, onSpecialTones: (tones: SpecialTones) => void): MediaSink {
  const detector = createToneDetector(rate);
  let tones: readonly { hz: number; at: number }[] = [];
  let isOver = false;
  return {
    onAudio: (pcm, _timestamp, _concealed, at) => {
      if (isOver) return;
      const tone = stepTone(detector, pcm);
      if (tone === null) return;
      tones = [...tones.slice(-2), { hz: tone.hz, at }];
      if (networkTone(tones, { ...tone, at }, Infinity) !== 'sit') return;
      isOver = true;
      onSpecialTones({ isNumber: (tones[1]?.hz ?? Infinity) < SPECIAL_NUMBER_BELOW_HZ, at });
    },
    fill: () => false,
    onDtmf: () => undefined,
    onMediaTimeout: () => undefined,
  };
}
