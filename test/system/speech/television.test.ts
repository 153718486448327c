import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOfflineTts } from '../../../src/offline/speech/tts.ts';
import { createVadProvider } from '../../../src/providers/vad/provider.ts';
import { dbfs } from '@callwright/audio';
import { synthesise } from '../../helpers/audio/speech.ts';
import { roomCall } from '../../rigs/calls/room-call.ts';
import { roomSpeech, type RoomSpeech } from '../../rigs/calls/room-speech.ts';

const tts = createOfflineTts();
let speech: RoomSpeech;
const hellos: Int16Array[] = [];
beforeAll(async () => {
  speech = await roomSpeech(tts);
  for (const voice of ['rms', 'awb']) {
    hellos.push(await synthesise(tts, { voiceKey: `flite:${voice}`, language: 'en-US', text: 'Hello?' }));
  }
});
afterAll(() => tts.close());

const SNR_DB = 10;

/** A voice that talks on and on, softer than the caller; each begins in another word. */
function television(n: number, caller: Int16Array): Int16Array {
  const from = n * 6_400;
  const pcm = speech.television;
  const gain = 10 ** ((dbfs(caller) - SNR_DB - dbfs(pcm)) / 20);
  return Int16Array.from(pcm, (_, i) => Math.round(gain * (pcm[(i + from) % pcm.length] ?? 0)));
}

describe('a television 10 dB below the caller', () => {
  it.each([0, 1, 2, 3, 4, 5])('neither holds nor starts a turn (%d)', async (n) => {
    const [caller, hello] = [speech.callers[n % 2], hellos[n % 2]];
    if (caller === undefined || hello === undefined) throw new Error('no speech');
    const turns = [9_000, 19_000];
    const { heard, spoke, interruptions } = await roomCall({
      vad: createVadProvider(),
      room: { sound: television(n, caller) },
      agent: [speech.agent.slice(0, 3_700 * 8)],
      mutesIntro: true,
      caller: [{ atMs: 300, pcm: hello }, ...turns.map((atMs) => ({ atMs, pcm: caller }))],
      endMs: 29_000,
    });
    const waits = turns.map((atMs) => {
      const end = atMs + caller.length / 8;
      return (spoke.find((at) => at > end - 500) ?? Infinity) - end;
    });
    for (const wait of waits) expect(wait).toBeLessThan(3_000);
    // The hello and the two turns: the television has none, and interrupts nothing.
    expect([heard.length, interruptions]).toEqual([3, 0]);
  });
});
