import { encodeUlawTo } from '@callwright/audio';
import { describe, expect, it } from 'vitest';
import { fakeAnthropic } from './anthropic.ts';
import { fakeCartesia } from './cartesia.ts';
import { fakeDeepgram } from './deepgram/deepgram.ts';
import { FAKE_SETTINGS, type FakeProtocol, type FakeRequest, type FakeSettings } from './fake-vendor.ts';
import { fakeGoogle } from './google/google.ts';
import { fakeOpenai } from './openai/openai.ts';
import { fakeSarvam } from './sarvam/sarvam.ts';
import { codedSpeech } from './word-code.ts';

const requestOf = (url: string, headers: FakeRequest['headers'] = {}): FakeRequest => {
  const { pathname, searchParams } = new URL(url, 'http://vendor');
  return { path: pathname, query: searchParams, headers };
};

const post = (
  protocol: FakeProtocol,
  url: string,
  headers: FakeRequest['headers'],
  body: object,
  settings: Partial<FakeSettings> = {},
) =>
  protocol.http?.(
    { ...requestOf(url, headers), method: 'POST', body: Buffer.from(JSON.stringify(body)) },
    { ...FAKE_SETTINGS, ...settings },
  ) ?? null;

/** What a streamed answer sends until its end. */
const streamed = (answer: ReturnType<typeof post>): string => {
  if (answer === null || !('start' in answer)) throw new Error(JSON.stringify(answer));
  const parts: Buffer[] = [];
  answer.start({ send: (data) => parts.push(data), end: () => undefined, cut: () => undefined });
  return Buffer.concat(parts).toString('utf8');
};

describe('connections without a key', () => {
  it.each<[FakeProtocol, string]>([
    [fakeDeepgram, '/v1/listen?model=nova-3&encoding=mulaw&sample_rate=8000'],
    [fakeSarvam, '/speech-to-text-realtime/ws'],
    [fakeCartesia, '/tts/websocket'],
    [fakeOpenai, '/v1/realtime'],
    [fakeGoogle, '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'],
  ])('are refused by $name', (protocol, url) => {
    const answer = protocol.socket(requestOf(url), FAKE_SETTINGS);
    expect(typeof answer === 'function' ? 'accepted' : answer.status).toBeOneOf([400, 401, 403]);
  });
});

describe('the stand-in of Anthropic', () => {
  const headers = { 'x-api-key': 'any', 'anthropic-version': '2023-06-01' };
  const body = {
    model: 'm',
    max_tokens: 9,
    stream: true,
    messages: [{ role: 'user', content: 'Is it open today?' }],
  };

  it('streams the scripted reply to the words that it names', () => {
    const replies = [{ to: 'open', text: 'Until six.' }];
    const text = streamed(post(fakeAnthropic, '/v1/messages', headers, body, { replies }));
    const words = [...text.matchAll(/"text":"([^"]+)"/g)].map((match) => match[1]);
    expect(words.join('')).toBe('Until six.');
    expect(text).toContain('event: message_stop');
  });

  it('refuses what the API refuses, in its words', () => {
    expect(post(fakeAnthropic, '/v1/messages', {}, body)).toEqual({
      status: 401,
      body: { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
    });
    expect(post(fakeAnthropic, '/v1/messages', headers, { ...body, max_tokens: undefined })).toMatchObject({
      status: 400,
      body: { error: { message: 'max_tokens: Field required' } },
    });
  });
});

describe('the stand-in of Deepgram', () => {
  const accepted = fakeDeepgram.socket(
    requestOf('/v1/listen?model=nova-3&encoding=mulaw&sample_rate=8000&endpointing=200', {
      authorization: 'Token any',
    }),
    FAKE_SETTINGS,
  );

  it('writes down the words of coded speech once a pause ends them', () => {
    if (typeof accepted !== 'function') throw new Error('refused');
    const sent: unknown[] = [];
    const handler = accepted({
      settings: FAKE_SETTINGS,
      send: (message) => sent.push(message),
      close: () => undefined,
      carried: () => undefined,
    });
    const pcm = new Int16Array(codedSpeech('A table for two.', 8000).length + 4_000);
    pcm.set(codedSpeech('A table for two.', 8000));
    const wire = new Uint8Array(pcm.length);
    encodeUlawTo(wire, 0, pcm);
    for (let at = 0; at < wire.length; at += 160) handler.binary(Buffer.from(wire.subarray(at, at + 160)));
    expect(sent).toContainEqual(
      expect.objectContaining({
        type: 'Results',
        is_final: true,
        speech_final: true,
        channel: { alternatives: [expect.objectContaining({ transcript: 'A table for two.' })] },
      }),
    );
  });
});
