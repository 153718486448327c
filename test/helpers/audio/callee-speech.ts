import { joined } from '../../../src/offline/speech/speech-audio.ts';
import type { Recogniser } from '../../../src/offline/callee/recogniser.ts';
import { NO_TEXT, pushText, restOfText } from '@callwright/turns';
import type { TtsProvider } from '../../../src/providers/ports/voice.ts';
import { overTheLine, synthesise } from './speech.ts';

/** An agent's turn as a callee hears it: synthesised sentence by sentence, then mu-law coded. */
export async function spokenTurn(tts: TtsProvider, voiceKey: string, turn: string): Promise<Int16Array> {
  const { buffer, sentences } = pushText(NO_TEXT, turn);
  const parts: Int16Array[] = [];
  for (const text of [...sentences, restOfText(buffer) ?? '']) {
    parts.push(await synthesise(tts, { voiceKey, language: 'en-US', text }), new Int16Array(800));
  }
  return overTheLine(joined(parts), 300, 400);
}

/** The words that a callee of a test call recognises in it. */
export function heardByCallee(from: Recogniser, pcm: Int16Array): Promise<string> {
  return new Promise((resolve) => {
    const texts: string[] = [];
    const line = from.open(8000, (text) => {
      texts.push(text);
      if (!line.decoding) resolve(texts.join(' '));
    });
    line.begin();
    for (let at = 0; at + 160 <= pcm.length; at += 160) line.write(pcm.subarray(at, at + 160), false);
    line.end();
  });
}
