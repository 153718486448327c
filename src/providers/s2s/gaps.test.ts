import { expect, it } from 'vitest';
import type { Scheduler } from '../../shared/clock.ts';
import { toneRecogniser } from '../../../test/helpers/audio/tone-recogniser.ts';
import { answerVirtualCall, voice, type VirtualSession } from '../../../test/rigs/calls/virtual-session.ts';
import { encodeUlawTo } from '@callwright/audio';
import { createFakeLlm } from '../../offline/scripted/llm.ts';
import { createFakeTts } from '../../offline/scripted/tts.ts';
import { WordListener, codedSpeech } from '@callwright/stand-ins';
import { VendorHealth } from '../wire/health.ts';
import type { S2sDeps } from './call.ts';
import type { S2sDialect, S2sEvent, S2sVendor } from './dialect.ts';
import { s2sProviders } from './providers.ts';

/** Silence that ends a turn at the vendor, its way to us, and the time until its reply sounds. */
const [SILENCE_MS, WAY_MS, REPLY_MS] = [400, 60, 500];
const vendor: S2sVendor = { vendor: 'openai', name: 'openai-realtime', model: 'm', connect: () => dialect };
const nothing = (): string[] => [];
const dialect: S2sDialect = {
  url: '',
  headers: {},
  up: { encoding: 'mulaw', rate: 8000, chunkMs: 20 },
  down: { encoding: 'mulaw', rate: 8000 },
  repliesItself: false,
  begin: nothing,
  audio: () => '',
  endTurn: () => ['end'],
  add: nothing,
  toolResult: nothing,
  reply: (name) => [`reply ${name}`],
  say: (name, text) => [`say ${name} ${text}`],
  cancel: nothing,
  truncate: nothing,
  deleteReply: nothing,
  renew: () => false,
  dropSession: () => undefined,
  replay: nothing,
  receive: () => [],
};

const ulaw = (pcm: Int16Array): Uint8Array => {
  const bytes = new Uint8Array(pcm.length);
  encodeUlawTo(bytes, 0, pcm);
  return bytes;
};

/** What the vendor does not do any more. */
type Lack = 'nothing' | 'anything' | 'replies' | 'ends' | 'rest of replies';

/** A vendor in virtual time, and a pipeline whose recogniser, model and voice take 600 ms together. */
function answered() {
  let lacks: Lack = 'nothing';
  let call: VirtualSession | null = null;
  /** What begins with the call, before its time is at hand. */
  const early: (() => void)[] = [];
  const scheduler: Scheduler = {
    now: () => call?.time.now() ?? 0,
    after(ms, work) {
      if (call !== null) return call.time.after(ms, work);
      let cancel: () => void = () => early.splice(early.indexOf(begin), 1);
      const begin = (): void => {
        cancel = scheduler.after(ms, work);
      };
      early.push(begin);
      return () => cancel();
    },
  };
  const connect: NonNullable<S2sDeps['connect']> = (_vendor, _talk, _settings, _limits, listener) => {
    const ear = new WordListener(8000);
    let [words, quietMs, turns]: [string[], number, number] = [[], 0, 0];
    const tell = (ms: number, ...events: S2sEvent[]): void => {
      scheduler.after(ms, () => {
        if (lacks !== 'anything') for (const one of events) listener.onEvent(one);
      });
    };
    const speak = (name: string, text: string): void => {
      if (lacks === 'replies') return;
      for (const [i, word] of text.split(' ').entries()) {
        const isHeld = lacks === 'rest of replies' && i > 1;
        if (isHeld) return;
        const bytes = ulaw(codedSpeech(word, 8000));
        const events = { reply: name } as const;
        tell(
          REPLY_MS + 40 * i,
          { type: 'text', text: `${word} `, ...events },
          { type: 'audio', bytes, ...events },
        );
      }
      tell(REPLY_MS + 600, { type: 'done', reply: name, isWhole: true });
    };
    return {
      dialect,
      audio(frame) {
        const known = words.length;
        ear.push(frame, ({ text }) => words.push(text));
        quietMs = words.length > known ? 0 : quietMs + 20;
        if (words.length === 0 || quietMs < SILENCE_MS || lacks === 'ends') return;
        const turn = `t${turns++}`;
        tell(WAY_MS, { type: 'turn_ended', turn });
        tell(3 * WAY_MS, { type: 'words', turn, text: words.join(' '), isFinal: true });
        words = [];
      },
      send(messages) {
        for (const message of messages) {
          const [what, name = '', ...text] = message.split(' ');
          if (what === 'reply') speak(name, 'one two three four five six');
          if (what === 'say') speak(name, text.join(' '));
        }
      },
      keep: () => undefined,
      renew: () => undefined,
      close: () => undefined,
    };
  };
  const pipeline = {
    stt: toneRecogniser,
    llm: createFakeLlm({ llmMs: 400, replies: ['Pipeline here.'], scheduler }),
    tts: createFakeTts({ ttsMs: 200, scheduler }),
  };
  const ports = s2sProviders(
    vendor,
    { apiKey: 'k', baseUrl: '', model: null },
    pipeline,
    new VendorHealth(),
    {
      scheduler,
      connect,
    },
  );
  call = answerVirtualCall({
    agent: { introMessage: 'Hello there.' },
    recogniser: ports.stt,
    llm: ports.llm,
    speaker: ports.tts,
  });
  for (const begin of early.slice()) begin();
  return {
    call,
    /** Says a sentence; returns when it ends. */
    say: (text: string): number => {
      const pcm = codedSpeech(text, 8000, 1, 220);
      call.person.say(pcm);
      return call.time.now() + pcm.length / 8;
    },
    lack: (what: Lack): void => {
      lacks = what;
    },
  };
}

async function hangUp(call: VirtualSession) {
  call.session.remoteHangup(call.time.now());
  return call.result();
}

/** When the agent is heard again after a time. */
async function heardAfter({ time, person }: VirtualSession, at: number): Promise<number> {
  await time.until('the caller to end', () => time.now() >= at);
  const before = person.soundMs();
  await time.until('the agent', () => person.soundMs() > before);
  return time.now();
}

it('plays the vendor’s reply within a second after the end of speech', async () => {
  const { call, say } = answered();
  await call.hasSaid(/Hello/);
  const endsAt = say('Book a table please.');
  expect((await heardAfter(call, endsAt)) - endsAt).toBeLessThanOrEqual(1_060);
  await call.hasSaid(/six/);
  expect((await hangUp(call)).faults).toEqual([]);
});

it.each([
  ['says nothing more', 'anything'],
  ['does not end turns', 'ends'],
  ['does not reply', 'replies'],
] as const)('the caller waits at most 2.5 s when the vendor %s', async (_, lack) => {
  const { call, say, lack: breaks } = answered();
  await call.hasSaid(/Hello/);
  const endsAt = say('Book a table please.');
  await call.time.advance(500);
  breaks(lack);
  expect((await heardAfter(call, endsAt)) - endsAt).toBeLessThanOrEqual(2_500);
  await call.hasSaid(/Pipeline/);
  const result = await hangUp(call);
  expect(result.transcript.filter(({ role }) => role === 'caller').map(({ text }) => text)).toEqual([
    'Book a table please.',
  ]);
  expect(result.faults).toContainEqual(expect.objectContaining({ vendor: 'openai-realtime', part: 'llm' }));
});

it('keeps a vendor that ends the turn before our own end of speech', async () => {
  const { call, say } = answered();
  await call.hasSaid(/Hello/);
  say('Book a table please.');
  // Noise in which the words end.
  await call.time.advance(1_050);
  call.person.say(voice(1_200));
  await call.hasSaid(/six/);
  await call.time.advance(2_500);
  expect((await hangUp(call)).faults).toEqual([]);
});

it('plays the first message within 2.5 s when the vendor never answers', async () => {
  const { call, lack } = answered();
  lack('anything');
  expect((await heardAfter(call, 0)) - (call.time.now() - call.elapsed())).toBeLessThanOrEqual(2_500);
  await hangUp(call);
});

it('continues a reply that the vendor cuts off within 2.5 s', async () => {
  const { call, say, lack } = answered();
  await call.hasSaid(/Hello/);
  lack('rest of replies');
  say('Book a table please.');
  await call.time.until('the reply', () => call.person.soundMs() > 1_200);
  let longest = 0;
  await call.time.until('the pipeline', () => {
    longest = Math.max(longest, call.person.quietMs());
    return call.live.some((event) => event.type === 'line' && event.line.text.includes('Pipeline'));
  });
  expect(longest).toBeLessThanOrEqual(2_500);
  await hangUp(call);
});
