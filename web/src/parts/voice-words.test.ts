import { expect, it } from 'vitest';
import { voiceDescription, voiceGender } from './voice-words.ts';

it('a voice in a folder of the machine keeps its kind and folder', () => {
  const own =
    'A voice of Kokoro in the folder own-voices/mine of this machine. Needs the package sherpa-onnx-node; without it espeak-ng speaks.';
  expect(voiceDescription(own)).toBe(own);
});

it('what a vendor says of a voice stays as it is', () => {
  expect(voiceDescription('Warm, friendly')).toBe('Warm, friendly');
  expect(voiceDescription('A voice of ')).toBe('A voice of ');
  expect(voiceGender('female')).toBe('female');
  expect(voiceGender('unknown')).toBe('unknown');
});
