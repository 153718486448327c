import { codedSpeech } from '@callwright/stand-ins';
import { expect, it } from 'vitest';
import { createVadProvider } from './provider.ts';

it('takes the coded speech of stand-ins for speech', () => {
  const pcm = codedSpeech('I want to book a table for two on Friday evening please.', 8000);
  const vad = createVadProvider({ engine: 'silero' }).open(8000);
  let frames = 0;
  for (let i = 0; i + 160 <= pcm.length; i += 160) {
    if (vad.process(pcm.subarray(i, i + 160)) > 0.5) frames++;
  }
  expect(frames / (pcm.length / 160)).toBeGreaterThan(0.8);
  vad.close();
});
