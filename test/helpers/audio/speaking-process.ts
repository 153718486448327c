// Speaks a word with each voice engine, as a process of its own, and prints the samples that each gave.
import { argv } from 'node:process';
import { createOfflineTts } from '../../../src/offline/speech/tts.ts';
import { openScratch } from '../../../src/shared/scratch.ts';

const scratch = openScratch(argv[2] ?? '');
const tts = createOfflineTts();
// The speech thread keeps no process alive.
const alive = setInterval(() => undefined, 1000);

const samplesOf = (voiceKey: string): Promise<number> =>
  new Promise((resolve, reject) => {
    let samples = 0;
    const session = tts.open({ voiceKey, language: 'en-US', speed: 1, sampleRate: 8000 });
    session.begin().say('Hello.', (event) => {
      if (event.type === 'audio') samples += event.pcm.length;
      if (event.type === 'done') resolve(samples);
      if (event.type === 'failed') reject(new Error(event.message));
    });
  });

console.log(JSON.stringify([await samplesOf('espeak:f3'), await samplesOf('flite:slt')]));
await tts.close();
clearInterval(alive);
scratch.close();
