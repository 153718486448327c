import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  FAKE_SETTINGS,
  type FakeVendor,
  codedSpeech,
  fakeAnthropic,
  fakeCartesia,
  fakeDeepgram,
  fakeGoogle,
  fakeOpenai,
  startFakeVendor,
} from '@callwright/stand-ins';
import { createProviders, type Providers } from '../../../src/providers/choose/installation.ts';
import { tryS2s } from '../../../src/providers/choose/speech-to-speech.ts';
import { openReach } from '../../../src/providers/wire/reach.ts';
import { hostLookup } from '../../../src/net/resolve-host.ts';
import type {
  CallProviders,
  LanguageModelAccount,
  RecogniserAccount,
  SpeakerAccount,
} from '../../../src/vendors/accounts.ts';
import type { TtsEvent, TtsProvider } from '../../../src/providers/ports/voice.ts';
import { talkOf } from '../../../src/session/settings.ts';
import { ChosenProviders } from '../../../src/providers/choose/open.ts';
import { INSIDE, INSIDE_NAMES, toPort } from '../../helpers/api/hostile-addresses.ts';
import { startInnerServer, type InnerServer } from '../../helpers/api/inner-server.ts';
import { CONTEXT, replyOf, said } from '../../helpers/vendors/model-contract.ts';
import { startNameServer, type NameServer } from '../../helpers/service/name-server.ts';
import { VendorCaller } from '../../helpers/vendors/vendor-caller.ts';
import { answerVirtualCall, virtualSpec } from '../../rigs/calls/virtual-session.ts';

/** The events of one sentence. */
const spoken = (tts: TtsProvider, text: string): Promise<TtsEvent[]> =>
  new Promise((resolve) => {
    const events: TtsEvent[] = [];
    const session = tts.open({ voiceKey: '', language: 'en-US', speed: 1, sampleRate: 8000 });
    const speech = session.begin();
    speech.say(text, (event) => {
      events.push(event);
      if (event.type === 'done' || event.type === 'failed') resolve(events);
    });
    speech.end();
  });

const KEY = 'dg-good-key-of-a-workspace';
let vendor: FakeVendor;
let base: Providers;
/** Loads the adapters of every part. */
const EVERY_PART: CallProviders = {
  stt: [],
  llm: [],
  tts: [],
  s2s: { name: 'openai', settings: { apiKey: null, baseUrl: '', model: null }, isGuarded: true },
};
let chosen: ChosenProviders;
beforeAll(async () => {
  vendor = await startFakeVendor(fakeDeepgram, { settings: { key: KEY } });
  base = await createProviders({ vad: 'light', stt: 'fake:finals=local words', tts: 'fake', llm: 'offline' });
});
beforeEach(async () => {
  Object.assign(vendor.settings, FAKE_SETTINGS, { key: KEY });
  vendor.connections.length = 0;
  chosen = new ChosenProviders(base, ['127.0.0.1']);
  await chosen.load(EVERY_PART);
});
afterAll(() => vendor.close());

const deepgram = (
  over: Partial<RecogniserAccount['settings']> = {},
  isGuarded = true,
): RecogniserAccount => ({
  name: 'deepgram',
  settings: { apiKey: KEY, baseUrl: vendor.baseUrl, model: 'nova-3', ...over },
  isGuarded,
});

describe('the providers that a workspace chose', () => {
  it('hear a call with its account, and leave what it did not choose', async () => {
    const call = chosen.of({ stt: [deepgram()] });
    expect(call.providers).toMatchObject({ tts: base.tts, llm: base.llm });
    const caller = new VendorCaller(call.providers.stt, { paceMs: 3 });
    await caller.say('Book a table.');
    expect(await caller.has(({ type }) => type === 'final')).toMatchObject({ text: 'Book a table.' });
    caller.session.close();
    call.release();
    await chosen.close();
  });

  it('hear with the engine of this machine when it chose that one, or when no account is left', () => {
    expect(chosen.of({ stt: [] }).providers.stt).toBe(base.stt);
    expect(chosen.of({ llm: [] }).providers.llm.name).toBe(base.llm.name);
  });

  it('pass over a vendor only for the account whose key is refused', async () => {
    const bad = chosen.of({ stt: [deepgram({ apiKey: 'dg-bad-key-of-another' })] });
    const failed = new VendorCaller(bad.providers.stt, { paceMs: 3 });
    const switched = await failed.has(({ type }) => type === 'switched');
    expect(JSON.stringify(switched)).toMatch(/the API key is refused/);
    expect(JSON.stringify(switched)).not.toContain('dg-bad-key-of-another');
    failed.session.close();
    const next = new VendorCaller(
      chosen.of({ stt: [deepgram({ apiKey: 'dg-bad-key-of-another' })] }).providers.stt,
    );
    expect(next.events).toMatchObject([{ type: 'switched' }]);
    next.session.close();
    expect(vendor.connections).toHaveLength(0);

    const good = new VendorCaller(chosen.of({ stt: [deepgram()] }).providers.stt, { paceMs: 3 });
    await good.say('Hello there.');
    expect(await good.has(({ type }) => type === 'final')).toMatchObject({ text: 'Hello there.' });
    expect(good.events.filter(({ type }) => type === 'switched')).toEqual([]);
    good.session.close();
    await chosen.close();
  });
});

it('the operator learns of faults at the accounts of the environment, and not of those of a workspace', async () => {
  const talker = await startFakeVendor(fakeOpenai, { settings: { key: KEY } });
  const faults: string[] = [];
  const desk = new ChosenProviders(base, ['127.0.0.1'], {
    onFault: (part, { vendor: name, kind }) => faults.push(`${part} ${name}: ${kind}`),
  });
  await desk.load(EVERY_PART);
  const failsWith = async (account: RecogniserAccount): Promise<void> => {
    const caller = new VendorCaller(desk.of({ stt: [account] }).providers.stt, { paceMs: 3 });
    await caller.has(({ type }) => type === 'switched');
    caller.session.close();
  };
  await failsWith({ ...deepgram({ apiKey: 'dg-bad-key-of-a-workspace' }), isOwn: true });
  expect(faults).toEqual([]);
  await failsWith(deepgram({ apiKey: 'dg-bad-key-of-the-operator' }));
  expect(faults).toEqual(['stt deepgram: key']);
  // While a call rings.
  const settings = { apiKey: 'bad', baseUrl: talker.baseUrl, model: null };
  const ringing = desk.of({ s2s: { name: 'openai', settings, isGuarded: false } });
  ringing.ring(talkOf(virtualSpec({}), ringing.providers.stt, 8000));
  await expect.poll(() => faults).toEqual(['stt deepgram: key', 's2s openai-realtime: key']);
  ringing.release();
  await Promise.all([talker.close(), desk.close()]);
});

it('calls of other workers pass over a vendor whose account one of them found broken', async () => {
  const other = new ChosenProviders(base, ['127.0.0.1']);
  const one = new ChosenProviders(base, ['127.0.0.1'], {
    onBroken: (account, fault) => other.passOver(account, fault),
  });
  await Promise.all([one.load(EVERY_PART), other.load(EVERY_PART)]);
  const account = deepgram({ apiKey: 'dg-refused-key' });
  const caller = new VendorCaller(one.of({ stt: [account] }).providers.stt, { paceMs: 3 });
  await caller.has(({ type }) => type === 'switched');
  caller.session.close();
  const next = new VendorCaller(other.of({ stt: [account] }).providers.stt);
  expect(next.events).toMatchObject([{ type: 'switched', fault: { kind: 'key' } }]);
  next.session.close();
  expect(new VendorCaller(other.of({ stt: [deepgram()] }).providers.stt).events).toEqual([]);
  await Promise.all([one.close(), other.close()]);
});

describe('the models that a workspace chose', () => {
  let first: FakeVendor;
  let second: FakeVendor;
  beforeAll(async () => {
    [first, second] = await Promise.all([
      startFakeVendor(fakeAnthropic, { settings: { key: KEY, replies: [{ text: 'The first.' }] } }),
      startFakeVendor(fakeGoogle, { settings: { key: KEY, replies: [{ text: 'The second.' }] } }),
    ]);
  });
  afterAll(() => Promise.all([first.close(), second.close()]));

  const models = (key: string): LanguageModelAccount[] => [
    { vendor: 'anthropic', key, baseUrl: first.baseUrl, model: 'one', isGuarded: true },
    { vendor: 'google', key: KEY, baseUrl: second.baseUrl, model: 'two', isGuarded: true },
  ];
  const reply = async (key: string): Promise<{ text: string; news: unknown[] }> => {
    const call = chosen.of({ llm: models(key) });
    const session = call.providers.llm.open({ ...CONTEXT, onModelFailure: 'script' });
    const events = await replyOf(call.providers.llm, said('Hello.'), { session });
    call.release();
    return {
      text: events.map((event) => (event.type === 'delta' ? event.text : '')).join(''),
      news: events.flatMap((event) => (event.type === 'switched' ? [event.fault] : [])),
    };
  };

  it('reply in their order, and the next one for the account alone whose key is refused', async () => {
    const refused = { vendor: 'anthropic', kind: 'key', status: 401 };
    expect(await reply('an-bad-key')).toMatchObject({ text: 'The second.', news: [refused] });
    expect(await reply('an-bad-key')).toMatchObject({ text: 'The second.', news: [refused] });
    expect(first.requests).toHaveLength(1);
    expect(await reply(KEY)).toEqual({ text: 'The first.', news: [] });
    second.settings.refuse = 402;
    const last = await reply('an-bad-key');
    expect(last.news).toMatchObject([refused, { vendor: 'google', kind: 'credit', status: 402 }]);
    expect(last.text).not.toBe('');
    await chosen.close();
  });

  it('are connected to before the first reply, the first one alone', async () => {
    const before = [first.requests.length, second.requests.length] as const;
    chosen.of({ llm: models(KEY) }).providers.llm.warm?.();
    await expect.poll(() => first.requests.length).toBe(before[0] + 1);
    expect(first.requests.at(-1)?.method).toBe('HEAD');
    expect(second.requests).toHaveLength(before[1]);
    await chosen.close();
  });
});

describe('the speakers that a workspace chose', () => {
  let vendor: FakeVendor;
  beforeAll(async () => {
    vendor = await startFakeVendor(fakeCartesia, { settings: { key: KEY } });
  });
  afterAll(() => vendor.close());

  const cartesia = (apiKey: string): SpeakerAccount => ({
    name: 'cartesia',
    settings: { apiKey, baseUrl: vendor.baseUrl, model: null },
    isGuarded: true,
  });
  const speak = async (apiKey: string): Promise<TtsEvent[]> => {
    const call = chosen.of({ tts: [cartesia(apiKey)] });
    const events = await spoken(call.providers.tts, 'Two seats, please.');
    call.release();
    return events;
  };

  it('speak with its account, and the voices of this machine for the account whose key is refused', async () => {
    const good = await speak(KEY);
    expect(good).toContainEqual({ type: 'usage', vendor: 'cartesia', model: 'sonic-3.5', characters: 18 });
    expect(good.filter(({ type }) => type === 'switched')).toEqual([]);
    const bad = await speak('ca-bad-key-of-another');
    expect(bad).toContainEqual(
      expect.objectContaining({
        type: 'switched',
        fault: expect.objectContaining({ vendor: 'cartesia', kind: 'key', status: 401 }),
      }),
    );
    expect(JSON.stringify(bad)).not.toContain('ca-bad-key-of-another');
    expect(bad.at(-1)).toMatchObject({ type: 'done' });
    expect((await speak(KEY)).filter(({ type }) => type === 'switched')).toEqual([]);
    await chosen.close();
  });

  it('are those of this machine when it chose those', () => {
    expect(chosen.of({ tts: [] }).providers.tts).toBe(base.tts);
  });
});

describe('connections to an address of a workspace', () => {
  let names: NameServer;
  let inner: InnerServer;
  beforeAll(async () => {
    names = await startNameServer((name, nth) => INSIDE_NAMES[name]?.(nth) ?? []);
    inner = await startInnerServer();
  });
  afterAll(() => Promise.all([names.close(), inner.close()]));

  it('never reach an inner address, over sockets or requests, whatever its name or notation', async () => {
    const reach = openReach({ allow: [], lookup: hostLookup([names.address]) });
    const guarded = new ChosenProviders(base, [], { reach });
    await guarded.load(EVERY_PART);
    const { port } = inner;
    const urls = [
      ...toPort(INSIDE, port),
      ...toPort(INSIDE, port).map((url) => url.replace('http:', 'https:')),
      // The first answer of rebind.test is public, so nothing on this machine is reached then either.
      ...Object.keys(INSIDE_NAMES).map((name) => `https://${name}:${port}`),
    ].filter((url) => !url.includes('rebind'));
    for (const baseUrl of urls) {
      const socket = new VendorCaller(guarded.of({ stt: [deepgram({ baseUrl })] }).providers.stt);
      const switched = await socket.has(({ type }) => type === 'switched');
      expect([baseUrl, JSON.stringify(switched)]).toEqual([
        baseUrl,
        expect.stringMatching(/the address must|ENOTFOUND/),
      ]);
      socket.session.close();
      for (const name of ['cartesia', 'openai-compatible'] as const) {
        const settings = { apiKey: KEY, baseUrl, model: null };
        const call = guarded.of({ tts: [{ name, settings, isGuarded: true }] });
        const events = await spoken(call.providers.tts, 'Hello.');
        expect([baseUrl, JSON.stringify(events)]).toEqual([baseUrl, expect.stringContaining('"switched"')]);
      }
      const talker = { name: 'openai', settings: { apiKey: KEY, baseUrl, model: null } } as const;
      expect([baseUrl, await tryS2s(talker, reach)]).toEqual([
        baseUrl,
        expect.objectContaining({ message: expect.stringMatching(/the address must|ENOTFOUND/) }),
      ]);
      expect([
        baseUrl,
        await reach.fetch(baseUrl).then(
          () => 'answered',
          () => 'refused',
        ),
      ]).toEqual([baseUrl, 'refused']);
    }
    expect(inner.touched()).toBe(0);
    await guarded.close();
  }, 180_000);

  it('follow no redirect', async () => {
    const leading = await startInnerServer((_, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${inner.port}/` }).end();
    });
    const baseUrl = `http://127.0.0.1:${leading.port}`;
    const call = new VendorCaller(chosen.of({ stt: [deepgram({ baseUrl })] }).providers.stt);
    expect(JSON.stringify(await call.has(({ type }) => type === 'switched'))).toMatch(/status 302/);
    call.session.close();
    const reach = openReach({ allow: ['127.0.0.1'] });
    await expect(reach.fetch(baseUrl)).rejects.toThrow('fetch failed');
    expect(inner.touched()).toBe(0);
    await Promise.all([leading.close(), reach.close(), chosen.close()]);
  });

  it('carry an utterance to a server that the operator allows', async () => {
    const bodies: string[] = [];
    const server = await startInnerServer((request, response) => {
      let body = '';
      request.setEncoding('latin1').on('data', (part: string) => (body += part));
      request.on('end', () => {
        bodies.push(body);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"text":"Two seats."}');
      });
    });
    const call = chosen.of({
      stt: [
        {
          name: 'openai-compatible',
          settings: { apiKey: null, baseUrl: `http://127.0.0.1:${server.port}`, model: 'whisper' },
          isGuarded: true,
        },
      ],
    });
    const caller = new VendorCaller(call.providers.stt, { paceMs: 3 });
    await caller.say('Two seats.');
    expect(await caller.has(({ type }) => type === 'final')).toMatchObject({ text: 'Two seats.' });
    expect(bodies[0]).toMatch(/name="file"; filename="utterance\.wav"/);
    caller.session.close();
    await Promise.all([server.close(), chosen.close()]);
  });
});

describe('the speech to speech that a workspace chose', () => {
  it('holds a call with its account, and the providers beside it for the account alone whose key is refused', async () => {
    const talker = await startFakeVendor(fakeOpenai, {
      settings: { key: KEY, replies: [{ text: 'Gladly.' }] },
    });
    const account = (apiKey: string) =>
      ({
        name: 'openai',
        settings: { apiKey, baseUrl: talker.baseUrl, model: null, voice: 'cedar' },
        isGuarded: true,
      }) as const;
    /** The lines of the agent in a call, and who failed. */
    const held = async (apiKey: string) => {
      const one = chosen.of({ s2s: account(apiKey) });
      const { stt, llm, tts } = one.providers;
      const call = answerVirtualCall({ agent: { introMessage: 'Hi.' }, recogniser: stt, llm, speaker: tts });
      const stop = call.time.pace();
      await call.hasSaid(/Hi/);
      call.person.say(codedSpeech('Book a table please.', 8000, 1, 220));
      await call.time.until('a reply', () => call.live.filter(({ type }) => type === 'line').length >= 3);
      call.session.remoteHangup(call.time.now());
      const { transcript, faults = [] } = await call.result();
      stop();
      one.release();
      return { said: transcript.map(({ text }) => text), faults: faults.map(({ vendor: name }) => name) };
    };
    expect(await held(KEY)).toEqual({ said: ['Hi.', 'Book a table please.', 'Gladly.'], faults: [] });
    const [session] = talker.received
      .map((text) => JSON.parse(text))
      .filter(({ type }) => type === 'session.update');
    expect(session.session.audio).toMatchObject({
      input: { format: { type: 'audio/pcmu' } },
      output: { format: { type: 'audio/pcmu' }, voice: 'cedar' },
    });
    const connections = talker.connections.length;
    const refused = await held('another-key-of-a-workspace');
    expect(refused.said.slice(0, 2)).toEqual(['Hi.', 'local words']);
    expect(new Set(refused.faults)).toEqual(new Set(['openai-realtime']));
    expect(talker.connections).toHaveLength(connections);
    await Promise.all([talker.close(), chosen.close()]);
  }, 180_000);
});
