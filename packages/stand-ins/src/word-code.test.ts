import { describe, expect, it } from 'vitest';
import { createResampler, decodeUlawTo, encodeUlawTo, resample } from '@callwright/audio';
import { ReceivedAudio } from './received-audio.ts';
import { codedSpeech, WordListener } from './word-code.ts';

const TEXT = 'My number is 98,450 नमस्ते 我要 Übergröße.';

function heard(pcm: Int16Array, rate: number, chunk = 160): string {
  const listener = new WordListener(rate);
  const words: string[] = [];
  for (let i = 0; i < pcm.length; i += chunk)
    listener.push(pcm.subarray(i, i + chunk), ({ text }) => words.push(text));
  return words.join(' ');
}

const overTheLine = (pcm: Int16Array): Int16Array => {
  const wire = new Uint8Array(pcm.length);
  encodeUlawTo(wire, 0, pcm);
  const received = new Int16Array(pcm.length);
  decodeUlawTo(received, wire);
  return received;
};

describe('coded speech', () => {
  it.each([8000, 16_000, 24_000])('is heard as it was said, at %d Hz', (rate) => {
    expect(heard(codedSpeech(TEXT, rate), rate)).toBe(TEXT);
  });

  it('survives mu-law, resampling, an odd start and noise', () => {
    const pcm = new Int16Array(37 + codedSpeech(TEXT, 8000).length);
    pcm.set(codedSpeech(TEXT, 8000), 37);
    for (let i = 0; i < pcm.length; i++) pcm[i] = pcm[i]! + (((i * 7919) % 401) - 200);
    const line = overTheLine(pcm);
    expect(heard(line, 8000, 73)).toBe(TEXT);
    expect(heard(resample(createResampler(8000, 16_000), line, true), 16_000)).toBe(TEXT);
  });

  it('tells how a word begins before it has ended', () => {
    const begun = (text: string, ms: number): string => {
      const listener = new WordListener(8000);
      listener.push(overTheLine(codedSpeech(text, 8000)).subarray(0, ms * 8), () => undefined);
      return listener.begun();
    };
    expect([begun('Stop', 80), begun('Stop', 100), begun('Stop', 120)]).toEqual(['St', 'St', 'Sto']);
    // A character of three bytes.
    expect([begun('नहीं', 80), begun('नहीं', 120)]).toEqual(['', 'न']);
  });

  it('guesses a word of a list while it sounds, and none in noise', () => {
    const guess = (pcm: Int16Array, ms: number): string | null => {
      const audio = new ReceivedAudio('linear16', 8000);
      const bytes = Buffer.from(new Uint8Array(pcm.buffer, pcm.byteOffset, ms * 16));
      audio.push(bytes, () => undefined);
      return audio.guess(['mm-hm', 'Stop', 'Start'], 80);
    };
    const stop = codedSpeech('Stop', 8000);
    expect([guess(stop, 70), guess(stop, 90), guess(stop, 180)]).toEqual([null, 'Stop', null]);
    expect(guess(codedSpeech('mm-hm', 8000), 90)).toBe('mm-hm');
    expect(guess(codedSpeech('What', 8000), 90)).toBeNull();
    const noise = Int16Array.from({ length: 1600 }, (_, i) => ((i * 7919) % 20_001) - 10_000);
    expect(guess(noise, 90)).toBeNull();
  });

  it('loses exactly the word of which a frame is lost', () => {
    const pcm = codedSpeech('one two three', 8000);
    const perWord = codedSpeech('one', 8000).length;
    pcm.fill(0, perWord + 320, perWord + 480);
    expect(heard(pcm, 8000)).toBe('one three');
    const shorter = Int16Array.from([...pcm.subarray(0, perWord - 640), ...pcm.subarray(perWord - 480)]);
    expect(heard(shorter, 8000)).toBe('three');
  });

  it('survives any start within a frame', () => {
    const speech = codedSpeech('Any sample 0123456789 may come first.', 8000);
    for (let shift = 0; shift < 160; shift += 7) {
      const pcm = new Int16Array(speech.length + 320);
      pcm.set(speech, shift);
      expect(heard(overTheLine(pcm), 8000)).toBe('Any sample 0123456789 may come first.');
    }
  });

  it('tells when each word sounded', () => {
    const listener = new WordListener(8000);
    const words: number[][] = [];
    const speech = codedSpeech('yes no', 8000);
    const pcm = new Int16Array(8000 + speech.length);
    pcm.set(speech, 8000);
    listener.push(pcm, ({ startMs, endMs }) => words.push([startMs, endMs]));
    // Three letters and a checksum are eight tones.
    expect(words).toEqual([
      [1_000, 1_160],
      [1_220, 1_340],
    ]);
  });
});
