import { writeWav } from '@callwright/audio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerLines } from '../helpers/audio/caller-lines.ts';
import { startVoiceServer, startWhisperServer, type ModelServer } from '../helpers/models/model-servers.ts';
import { spokenErrorRate, startSpokenCalls, type SpokenCalls } from '../helpers/models/spoken-call.ts';

const REPLY =
  'We are open from nine to five on weekdays, and on Saturdays until two. Would you like me to book a table for you?';
const LINES = callerLines().slice(16, 19);

let whisper: ModelServer;
let voice: ModelServer;
let calls: SpokenCalls;
beforeAll(async () => {
  [whisper, voice] = await Promise.all([startWhisperServer(), startVoiceServer()]);
  calls = await startSpokenCalls({
    env: {
      STT_PROVIDER: 'openai-compatible',
      TTS_PROVIDER: 'openai-compatible',
      OPENAI_COMPATIBLE_BASE_URL: whisper.url,
      OPENAI_COMPATIBLE_TTS_BASE_URL: voice.url,
      OPENAI_COMPATIBLE_MODEL: 'whisper-1',
    },
    reply: REPLY,
  });
});
afterAll(async () => {
  await calls?.close();
  await Promise.all([whisper?.stop(), voice?.stop()]);
});

/** What Whisper hears in the audio of a phone. */
async function heardBy(server: ModelServer, pcm: Int16Array): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(writeWav({ sampleRate: 8000, channels: 1 }, pcm))]), 'call.wav');
  form.set('model', 'whisper-1');
  form.set('language', 'en');
  form.set('temperature', '0');
  const response = await fetch(`${server.url}/v1/audio/transcriptions`, { method: 'POST', body: form });
  return ((await response.json()) as { text: string }).text;
}

describe('a call over SIP whose voice and recogniser are servers at two addresses', () => {
  it('sounds as its record says', async () => {
    const { agent, received, details } = await calls.hold(LINES);
    expect(details.vendor_faults).toEqual([]);
    expect(agent.slice(1)).toEqual(LINES.map(() => REPLY));
    const heard = await heardBy(whisper, received);
    const rate = spokenErrorRate(agent, [heard]);
    console.log(`wrong words of the voice: ${(rate * 100).toFixed(1)} %`);
    expect(rate).toBeLessThanOrEqual(0.08);
  });
});
