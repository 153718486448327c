import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  FAKE_SETTINGS,
  type FakeProtocol,
  type FakeVendor,
  fakeCartesia,
  fakeDeepgram,
  fakeElevenlabs,
  fakeOpenai,
  fakeSarvam,
  fakeTranscriptions,
  startFakeVendor,
} from '@callwright/stand-ins';
import { StandInClient, wordsOf } from '../../helpers/vendors/stand-in-client.ts';

const TEXT = 'Your table is booked, नमस्ते.';
const VOICE = 'EXAVITQu4vr4xnSDxMaL';
const KATIE = 'f786b574-daa5-4673-aa0c-cbe3e8534c02';

function standIn(protocol: FakeProtocol): () => FakeVendor {
  let vendor: FakeVendor;
  beforeAll(async () => {
    vendor = await startFakeVendor(protocol);
  });
  beforeEach(() => Object.assign(vendor.settings, FAKE_SETTINGS, { speed: 0 }));
  afterAll(() => vendor.close());
  return () => vendor;
}
const base64 = (message: Record<string, unknown>, name: string): Buffer =>
  Buffer.from(String(message[name]), 'base64');

describe('the voices of ElevenLabs, standing in', () => {
  const vendor = standIn(fakeElevenlabs);
  const open = (query = '', voice = VOICE) =>
    StandInClient.open(
      vendor().baseUrl,
      `/v1/text-to-speech/${voice}/multi-stream-input?model_id=eleven_flash_v2_5&output_format=ulaw_8000&sync_alignment=true${query}`,
      { 'xi-api-key': 'k' },
    );
  const audioOf = (client: StandInClient, id: string): Buffer =>
    Buffer.concat(
      client.messages
        .filter((m) => m['contextId'] === id && m['audio'] !== null)
        .map((m) => base64(m, 'audio')),
    );

  it('speaks contexts at the same time, with aligned characters, and ends each after its close', async () => {
    const client = await open();
    vendor().settings.speed = 200;
    client.send(
      { text: ' ', context_id: 'a', voice_settings: { speed: 1 } },
      { text: `${TEXT} `, context_id: 'a', flush: true },
      { text: 'Second one. ', context_id: 'b' },
      { context_id: 'b', close_context: true },
    );
    await expect.poll(() => client.messages.filter((m) => m['isFinal'] === true)).toHaveLength(1);
    await expect.poll(() => wordsOf(audioOf(client, 'a'), 'mulaw', 8000)).toBe(TEXT);
    expect(wordsOf(audioOf(client, 'b'), 'mulaw', 8000)).toBe('Second one.');
    expect(client.messages.filter((m) => m['isFinal'] === true)).toEqual([
      { audio: null, isFinal: true, contextId: 'b' },
    ]);
    client.send({ context_id: 'a', close_context: true });
    await expect.poll(() => client.messages.at(-1)).toEqual({ audio: null, isFinal: true, contextId: 'a' });
    const alignments = client.messages
      .filter((m) => m['contextId'] === 'a' && m['audio'] !== null)
      .map(
        (m) => m['alignment'] as { chars: string[]; charStartTimesMs: number[]; charDurationsMs: number[] },
      );
    expect(alignments.flatMap((one) => one?.chars ?? []).join('')).toBe(`${TEXT} `);
    expect(alignments[0]).toMatchObject({
      charStartTimesMs: [0, 40, 80, 120, 200],
      charDurationsMs: [40, 40, 40, 80, 60],
    });
    client.close();
  });

  it('waits for the schedule of characters, and for none with auto_mode', async () => {
    const [waiting, auto] = await Promise.all([open(), open('&auto_mode=true')]);
    waiting.send(
      { text: 'Short one. ', context_id: 'a' },
      { text: 'x'.repeat(40), context_id: 'b', flush: true },
    );
    auto.send({ text: 'Short one. ', context_id: 'a' });
    await expect.poll(() => wordsOf(audioOf(auto, 'a'), 'mulaw', 8000)).toBe('Short one.');
    await expect.poll(() => waiting.messages.some((m) => m['contextId'] === 'b')).toBe(true);
    expect(audioOf(waiting, 'a')).toHaveLength(0);
    waiting.close();
    auto.close();
  });

  it('refuses a sixth context, and closes', async () => {
    const client = await open();
    for (let i = 0; i < 6; i++) client.send({ text: ' ', context_id: `c${i}` });
    await expect.poll(() => client.closed?.code).toBe(1008);
    expect(client.messages.at(-1)).toMatchObject({ error: 'max_active_conversations', code: 1008 });
  });

  it.each([
    ['&language_code=te', VOICE, 'unsupported_language'],
    ['', 'aaaaaaaaaaaaaaaaaaaa', 'voice_id_does_not_exist'],
    ['&inactivity_timeout=500', VOICE, 'invalid_inactivity_timeout'],
  ])('refuses "%s" for voice %s', async (query, voice, error) => {
    const client = await open(query, voice);
    await expect.poll(() => client.closed).toEqual({ code: 1008, reason: error });
    expect(client.messages).toMatchObject([{ error, code: 1008 }]);
  });

  it('streams over HTTP, and lists its voices in pages', async () => {
    const post = (body: object) =>
      fetch(`${vendor().baseUrl}/v1/text-to-speech/${VOICE}/stream?output_format=pcm_16000`, {
        method: 'POST',
        headers: { 'xi-api-key': 'k', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    vendor().settings.oddBytes = true;
    const spoken = await post({ text: TEXT, model_id: 'eleven_v3' });
    expect(wordsOf(Buffer.from(await spoken.arrayBuffer()), 'linear16', 16_000)).toBe(TEXT);
    Object.assign(vendor().settings, { cutAtMs: 300, speed: 100 });
    await expect(post({ text: TEXT }).then((answer) => answer.arrayBuffer())).rejects.toThrow(
      /terminated|fetch failed/,
    );
    vendor().settings.failNext = 429;
    expect((await post({ text: TEXT })).status).toBe(429);
    const list = async (path: string) =>
      (await (await fetch(`${vendor().baseUrl}${path}`, { headers: { 'xi-api-key': 'k' } })).json()) as {
        voices: { voice_id: string }[];
        has_more?: boolean;
        next_page_token?: string;
      };
    const all = (await list('/v1/voices')).voices;
    const first = await list('/v2/voices?page_size=4');
    const second = await list(`/v2/voices?page_size=4&next_page_token=${first.next_page_token ?? ''}`);
    expect([...first.voices, ...second.voices]).toEqual(all);
    expect([first.has_more, second.has_more]).toEqual([true, false]);
  });
});

describe('the voices of Cartesia, standing in', () => {
  const vendor = standIn(fakeCartesia);
  const HEADERS = { 'x-api-key': 'k', 'cartesia-version': '2026-03-01' };
  const open = () => StandInClient.open(vendor().baseUrl, '/tts/websocket', HEADERS);
  const request = (id: string, transcript: string, more: object = {}): object => ({
    context_id: id,
    model_id: 'sonic-3.5',
    transcript,
    voice: { mode: 'id', id: KATIE },
    language: 'en',
    output_format: { container: 'raw', encoding: 'pcm_mulaw', sample_rate: 8000 },
    continue: true,
    max_buffer_delay_ms: 0,
    add_timestamps: true,
    ...more,
  });
  const of = (client: StandInClient, id: string, type: string) =>
    client.messages.filter((m) => m['context_id'] === id && m['type'] === type);

  it('speaks a context in order with the times of its words, and is done once', async () => {
    const client = await open();
    client.send(
      request('a', 'Your table is '),
      request('a', 'booked, नमस्ते.', { flush: true }),
      request('a', '', { continue: false }),
    );
    await expect.poll(() => of(client, 'a', 'done')).toHaveLength(1);
    const audio = Buffer.concat(of(client, 'a', 'chunk').map((m) => base64(m, 'data')));
    expect(wordsOf(audio, 'mulaw', 8000)).toBe(TEXT);
    const timed = of(client, 'a', 'timestamps').map(
      (m) => m['word_timestamps'] as { words: string[]; start: number[] },
    );
    expect(timed.flatMap(({ words }) => words).join(' ')).toBe(TEXT);
    expect(timed.flatMap(({ start }) => start).slice(0, 3)).toEqual([0, 0.26, 0.56]);
    expect(of(client, 'a', 'flush_done')).toMatchObject([{ flush_id: 1, flush_done: true }]);
    expect(client.messages.at(-1)).toMatchObject({ type: 'done', status_code: 200 });
    client.send(request('a', 'Again.'));
    await expect.poll(() => of(client, 'a', 'error')).toMatchObject([{ status_code: 400 }]);
    client.close();
  });

  it('stops a cancelled context, late speech aside, and speaks the others', async () => {
    Object.assign(vendor().settings, { speed: 20, chunkMs: 100, lateMs: 200 });
    const client = await open();
    client.send(request('a', 'one two three four five six seven eight nine ten', { continue: false }));
    await expect.poll(() => of(client, 'a', 'chunk').length).toBeGreaterThan(0);
    client.send({ context_id: 'a', cancel: true }, request('b', 'Yes.', { continue: false }));
    await expect.poll(() => of(client, 'b', 'done')).toHaveLength(1);
    await expect.poll(() => of(client, 'a', 'chunk').length).toBeGreaterThan(2);
    const audio = Buffer.concat(of(client, 'a', 'chunk').map((m) => base64(m, 'data')));
    expect(wordsOf(audio, 'mulaw', 8000)).not.toContain('seven');
    expect(of(client, 'a', 'done')).toEqual([]);
    client.close();
  });

  it.each([
    [
      'another voice in a context',
      { voice: { mode: 'id', id: '228fca29-3a0a-435c-8728-5cb483251068' } },
      400,
    ],
    ['a language that it does not speak', { language: 'my' }, 400],
  ])('refuses %s', async (_, change, status) => {
    const client = await open();
    client.send(request('a', 'One. '), request('a', 'Two. ', change));
    await expect.poll(() => of(client, 'a', 'error')).toMatchObject([{ status_code: status, done: true }]);
    client.close();
  });

  it('fails one context on demand, and is cut on demand', async () => {
    vendor().settings.failNext = 429;
    const client = await open();
    client.send(request('a', 'One.'), request('b', 'Two three four.', { continue: false }));
    await expect.poll(() => of(client, 'a', 'error')).toMatchObject([{ status_code: 429 }]);
    await expect.poll(() => of(client, 'b', 'done')).toHaveLength(1);
    vendor().settings.cutAtMs = 300;
    client.send(request('c', 'Two three four.', { continue: false }));
    await expect.poll(() => client.closed?.code).toBe(1006);
    expect(of(client, 'c', 'chunk').length).toBeGreaterThan(0);
  });

  it('refuses a request without a key or version, and lists its voices in pages', async () => {
    await expect(StandInClient.open(vendor().baseUrl, '/tts/websocket')).rejects.toThrow(/^401 /);
    await expect(
      StandInClient.open(vendor().baseUrl, '/tts/websocket', { 'x-api-key': 'k' }),
    ).rejects.toThrow(/^400 /);
    const page = async (query: string) =>
      (await (await fetch(`${vendor().baseUrl}/voices?${query}`, { headers: HEADERS })).json()) as {
        data: { id: string }[];
        has_more: boolean;
        next_page: string | null;
      };
    const first = await page('limit=4');
    expect(first).toMatchObject({ has_more: true, next_page: first.data[3]?.id });
    expect(await page(`limit=4&starting_after=${first.next_page ?? ''}`)).toMatchObject({
      data: [{ language: 'hi' }, { language: 'zh' }],
      has_more: false,
    });
  });
});

describe('the voices of Deepgram, standing in', () => {
  const vendor = standIn(fakeDeepgram);
  const open = (query: string) =>
    StandInClient.open(vendor().baseUrl, `/v1/speak?${query}`, { authorization: 'Token k' });
  const MODEL = 'model=aura-2-thalia-en&encoding=mulaw&sample_rate=8000';
  const types = (client: StandInClient) => client.messages.map((m) => m['type']);

  it('speaks a stream, reports each flush after its audio, and clears what is left', async () => {
    const client = await open(MODEL);
    client.send(
      { type: 'Speak', text: TEXT },
      { type: 'Flush' },
      { type: 'Speak', text: 'Bye.' },
      { type: 'Flush' },
    );
    await expect
      .poll(() => client.messages.slice(1))
      .toEqual([
        { type: 'Flushed', sequence_id: 0 },
        { type: 'Flushed', sequence_id: 1 },
      ]);
    expect(wordsOf(Buffer.concat(client.audio), 'mulaw', 8000)).toBe(`${TEXT} Bye.`);
    Object.assign(vendor().settings, { speed: 20, chunkMs: 100, lateMs: 200 });
    client.audio.length = 0;
    client.send({ type: 'Speak', text: 'one two three four five six seven eight nine' }, { type: 'Flush' });
    await expect.poll(() => client.audio.length).toBeGreaterThan(0);
    client.send({ type: 'Clear' });
    await expect.poll(() => client.messages.at(-1)).toEqual({ type: 'Cleared', sequence_id: 2 });
    expect(wordsOf(Buffer.concat(client.audio), 'mulaw', 8000)).not.toContain('six');
    client.send({ type: 'Close' });
    await expect.poll(() => client.closed?.code).toBe(1000);
  });

  it('warns of the 21st flush in a minute, and closes at 2400 characters', async () => {
    const client = await open(MODEL);
    for (let i = 0; i < 21; i++) client.send({ type: 'Flush' });
    await expect.poll(() => types(client).at(-1)).toBe('Flushed');
    expect(types(client).filter((type) => type === 'Warning')).toHaveLength(1);
    for (let i = 0; i < 2; i++) client.send({ type: 'Speak', text: 'x'.repeat(1_500) });
    await expect.poll(() => client.closed).toEqual({ code: 1008, reason: 'DATA-0001' });
  });

  it.each([
    'model=aura-2-thalia-hi',
    `${MODEL}&speed=2`,
    'model=aura-2-thalia-en&encoding=mulaw&sample_rate=24000',
  ])('refuses %s', async (query) => {
    await expect(open(query)).rejects.toThrow(/^400 /);
  });

  it('lists its models', async () => {
    const answer = await fetch(`${vendor().baseUrl}/v1/models`, { headers: { authorization: 'Token k' } });
    const { tts } = (await answer.json()) as { tts: unknown[] };
    expect(tts[0]).toMatchObject({
      canonical_name: 'aura-2-thalia-en',
      metadata: { tags: ['feminine', 'clear'] },
    });
  });
});

describe('the voices of Sarvam, standing in', () => {
  const vendor = standIn(fakeSarvam);
  const open = () =>
    StandInClient.open(vendor().baseUrl, '/text-to-speech/ws?model=bulbul:v3&send_completion_event=true', {
      'api-subscription-key': 'k',
    });
  const config = (data: object = {}): object => ({
    type: 'config',
    data: {
      language_code: 'hi-IN',
      speaker: 'shubh',
      model: 'bulbul:v3',
      speech_sample_rate: 8000,
      output_audio_codec: 'linear16',
      ...data,
    },
  });
  const spoken = (client: StandInClient): string =>
    wordsOf(
      Buffer.concat(
        client.messages
          .filter((m) => m['type'] === 'audio')
          .map((m) => base64(m['data'] as Record<string, unknown>, 'audio')),
      ),
      'linear16',
      8000,
    );

  it('speaks what is flushed, tells its end, and takes another configuration after it', async () => {
    const client = await open();
    const text = (said: string): object => ({ type: 'text', data: { text: said } });
    client.send(config(), text('नमस्ते, '), text('आप कैसे हैं?'), { type: 'flush' });
    client.send(config({ speaker: 'priya', target_language_code: 'en-IN' }), text('Fine.'), {
      type: 'flush',
    });
    await expect.poll(() => client.messages.filter((m) => m['type'] === 'event')).toHaveLength(2);
    expect(spoken(client)).toBe('नमस्ते, आप कैसे हैं? Fine.');
    client.close();
  });

  it.each([
    [{ speaker: 'anushka' }, 'not compatible with model bulbul:v3'],
    [{ language_code: 'ms-MY' }, 'language_code is not supported'],
  ])('refuses the configuration %j', async (data, message) => {
    const client = await open();
    client.send(config(data));
    await expect
      .poll(() => client.messages)
      .toMatchObject([{ type: 'error', data: { message: expect.stringContaining(message) } }]);
    client.close();
  });

  it('refuses text before its configuration', async () => {
    const client = await open();
    client.send({ type: 'text', data: { text: 'Hello.' } });
    await expect.poll(() => client.messages).toMatchObject([{ type: 'error' }]);
    client.close();
  });
});

describe.each([
  ['OpenAI', fakeOpenai, { model: 'gpt-4o-mini-tts', voice: 'marin' }, 'error'],
  [
    'a server like Kokoro-FastAPI',
    fakeTranscriptions,
    { model: 'kokoro', voice: 'af_bella(2)+af_heart' },
    'detail',
  ],
])('the voices of %s, standing in', (_, fake, voice, problem) => {
  const vendor = standIn(fake);
  const post = (body: object) =>
    fetch(`${vendor().baseUrl}/v1/audio/speech`, {
      method: 'POST',
      headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
      body: JSON.stringify({ ...voice, response_format: 'pcm', input: TEXT, ...body }),
    });

  it('streams PCM in pieces of any size, and refuses what it does not know', async () => {
    vendor().settings.oddBytes = true;
    const pcm = Buffer.from(await (await post({})).arrayBuffer());
    expect(wordsOf(pcm, 'linear16', 24_000)).toBe(TEXT);
    const refused = await post({ voice: 'nobody' });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toHaveProperty(problem);
    expect((await post({ input: '' })).status).toBe(400);
    vendor().settings.refuse = 429;
    expect((await post({})).status).toBe(429);
  });
});
