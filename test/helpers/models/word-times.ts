import { wordEnds, type TtsMark } from '@callwright/turns';
import { Fields } from '@callwright/fields';
import { plainWords } from '../audio/word-errors.ts';

const RATE = 16_000;
const PIECE = RATE / 10;

/**
 * The ends of the words of a text in its audio of 16 kHz, as a vosk-server hears them; null: it hears other words.
 */
export async function wordTimes(url: string, text: string, pcm: Int16Array): Promise<TtsMark[] | null> {
  const socket = new WebSocket(url.replace('http', 'ws'));
  const found: { word: string; endMs: number }[] = [];
  const over = Promise.withResolvers<void>();
  socket.addEventListener('message', ({ data }) => {
    for (const word of Fields.parse(String(data)).list('result')) {
      found.push({ word: word.text('word'), endMs: (word.number('end') ?? 0) * 1000 });
    }
  });
  socket.addEventListener('close', () => over.resolve());
  socket.addEventListener('error', () => over.reject(new Error('the server is lost')));
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  socket.send(JSON.stringify({ config: { sample_rate: RATE, words: true } }));
  for (let at = 0; at < pcm.length; at += PIECE) socket.send(pcm.slice(at, at + PIECE));
  socket.send('{"eof" : 1}');
  await over.promise;
  const isSame = plainWords(text).join(' ') === found.map(({ word }) => word).join(' ');
  return isSame ? [...wordEnds(text)].map((textEnd, at) => ({ textEnd, audioMs: found[at]!.endMs })) : null;
}
