import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tryRecogniser } from '../../src/providers/choose/recognisers.ts';
import { tryVoice } from '../../src/providers/choose/voices.ts';
import {
  startVoiceServer,
  startVoskServer,
  startWhisperServer,
  type ModelServer,
} from '../helpers/models/model-servers.ts';

const settings = (baseUrl: string) => ({ apiKey: null, baseUrl, model: 'whisper-1' });

let vosk: ModelServer;
let whisper: ModelServer;
let voice: ModelServer;
beforeAll(async () => {
  [vosk, whisper, voice] = await Promise.all([startVoskServer(), startWhisperServer(), startVoiceServer()]);
});
afterAll(() => Promise.all([vosk?.stop(), whisper?.stop(), voice?.stop()]));

describe('the check of a server', () => {
  it('reads its sentence back at a vosk-server and at a server with Whisper', async () => {
    for (const [name, { url }] of [
      ['vosk', vosk],
      ['openai-compatible', whisper],
    ] as const) {
      const answer = await tryRecogniser({ name, settings: settings(url) });
      expect([name, answer]).toMatchObject([
        name,
        { heard: expect.stringMatching(/book a table for (?:two|2)/i) },
      ]);
    }
  });

  it('has the voice of a server speak', async () => {
    const choice = { name: 'openai-compatible', settings: settings(voice.url) } as const;
    expect(await tryVoice(choice)).toEqual(expect.any(Number));
  });
});
