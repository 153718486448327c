import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TtsEvent, TtsOptions, TtsProvider } from '../ports/voice.ts';
import { splitHeard, wordEnds } from '@callwright/turns';
import { Player } from '../../session/player.ts';
import { asWritten } from '../../session/word-places.ts';
import { ManualScheduler } from '../../../packages/sip/test/manual-scheduler.ts';
import { vendorFault } from '../wire/fault.ts';
import { VendorHealth } from '../wire/health.ts';
import { ChainedVoice } from './chained.ts';

const VOICE: TtsOptions = { voiceKey: 'flite:slt', language: 'en-US', speed: 1, sampleRate: 8000 };
const MS_PER_CHAR = 60;
const CHUNK_MS = 100;

interface Fault {
  /** Audio of all sentences after which it comes. */
  readonly afterMs: number;
  readonly kind: 'fails' | 'refuses' | 'stalls';
}
interface Script {
  readonly firstMs?: number;
  readonly hasMarks?: boolean;
  readonly fault?: Fault | null;
  readonly speaks?: (language: string) => boolean;
  /** How much faster than real time its audio comes. */
  readonly speedup?: number;
}

/** A voice whose every sample names the character of the script that it speaks; each fault comes once. */
function voice(name: string, time: ManualScheduler, whole: () => string, script: Script = {}) {
  const { firstMs = 100, hasMarks = true, speedup = 4 } = script;
  let { fault = null } = script;
  const said: string[] = [];
  const languages: string[] = [];
  const provider: TtsProvider = {
    name,
    ...(script.speaks === undefined ? {} : { speaks: script.speaks }),
    open: () => ({
      begin() {
        let isCancelled = false;
        let spokenMs = 0;
        let isDead = false;
        let readyAt = 0;
        return {
          say(text, onEvent, own) {
            said.push(text);
            if (own?.language !== undefined) languages.push(own.language);
            const offset = whole().lastIndexOf(text);
            readyAt = Math.max(readyAt, time.now() + firstMs);
            const startAt = readyAt;
            readyAt += (text.length * MS_PER_CHAR) / speedup;
            const emit = (event: TtsEvent): void => {
              if (!isCancelled && !isDead) onEvent(event);
            };
            if (hasMarks) {
              const marks = Array.from(wordEnds(text), (textEnd) => ({
                textEnd,
                audioMs: textEnd * MS_PER_CHAR,
              }));
              time.after(startAt - time.now(), () => emit({ type: 'marks', marks }));
            }
            const totalMs = text.length * MS_PER_CHAR;
            for (let ms = 0; ms < totalMs; ms += CHUNK_MS) {
              time.after(startAt + ms / speedup - time.now(), () => {
                if (isCancelled || isDead) return;
                if (fault !== null && spokenMs >= fault.afterMs) {
                  const { kind } = fault;
                  fault = null;
                  isDead = true;
                  if (kind === 'stalls') return;
                  return onEvent({ type: 'failed', message: `${name}: broke`, retryable: kind === 'fails' });
                }
                const length = Math.min(CHUNK_MS, totalMs - ms) * 8;
                spokenMs += length / 8;
                const pcm = Int16Array.from(
                  { length },
                  (_, i) => offset + 1 + Math.floor((ms + i / 8) / MS_PER_CHAR),
                );
                emit({ type: 'audio', pcm });
              });
            }
            time.after(startAt + totalMs / speedup - time.now(), () => emit({ type: 'done' }));
          },
          end: () => undefined,
          cancel() {
            isCancelled = true;
          },
        };
      },
      close: () => undefined,
    }),
    close: () => Promise.resolve(),
  };
  return { provider, said, languages };
}

/** Plays sentences through a chain; returns what the caller hears. */
function play(
  sentences: readonly string[],
  scripts: readonly Script[],
  { stopMs = Number.POSITIVE_INFINITY, health }: { stopMs?: number; health?: VendorHealth } = {},
) {
  const time = new ManualScheduler(0);
  const whole = sentences.join(' ');
  const voices = scripts.map((script, i) =>
    voice(['first', 'second', 'offline'].at(i - scripts.length) ?? 'offline', time, () => whole, script),
  );
  const chain = new ChainedVoice(
    voices.map(({ provider }) => provider),
    { health: health ?? new VendorHealth(() => time.now()), scheduler: time },
  );
  const ended: number[] = [];
  const player = new Player(8000, { onStarted: () => undefined, onEnded: (id) => void ended.push(id) });
  const news: string[] = [];
  const speech = chain.open(VOICE).begin();
  for (const [id, text] of sentences.entries()) {
    player.add(1, id, asWritten(text));
    speech.say(text, (event) => {
      if (event.type === 'audio') player.push(id, event.pcm);
      else if (event.type === 'marks') player.mark(id, event.marks);
      else if (event.type === 'cut') player.cut(id, event.audioMs);
      else if (event.type === 'done') player.complete(id);
      else if (event.type === 'failed') player.drop(id);
      else if (event.type === 'switched') news.push(event.message);
    });
  }
  speech.end();
  player.release(1);
  const samples: number[] = [];
  const isFilled = (frame: Int16Array): boolean => player.fill(frame, time.now());
  let waitedMs = 0;
  let longestWaitMs = 0;
  let heard: string[] | null = null;
  while (ended.length < sentences.length && time.now() < 60_000) {
    const frame = new Int16Array(160);
    if (isFilled(frame)) {
      samples.push(...frame.filter((sample) => sample > 0));
      longestWaitMs = Math.max(longestWaitMs, waitedMs);
      waitedMs = 0;
    } else waitedMs += 20;
    time.advance(20);
    if (time.now() >= stopMs) {
      const stopped = new Map(player.stop().map((one) => [one.utteranceId, one]));
      heard = sentences.map((text, id) => {
        const report = stopped.get(id);
        return report === undefined ? (ended.includes(id) ? text : '') : splitHeard(text, report).heard;
      });
      speech.cancel();
      break;
    }
  }
  return { voices, news, samples, longestWaitMs, heard, ended, whole };
}

/** The words that were played from their first to their last sample without a break. */
function wordsPlayed(samples: readonly number[], whole: string): string[] {
  const words: string[] = [];
  let start = 0;
  for (const end of wordEnds(whole)) {
    const from = whole.slice(start, end).search(/\S/) + start + 1;
    const wanted = (end - from + 1) * MS_PER_CHAR * 8;
    let run = 0;
    let isWhole = false;
    for (const [i, sample] of samples.entries()) {
      // A word that begins again is another run.
      if (sample < (samples[i - 1] ?? 0)) run = 0;
      const isNext = sample >= from && sample <= end && (run > 0 || sample === from);
      run = isNext ? run + 1 : 0;
      // One that began again within its first character: the samples of the first try do not count.
      if (sample === from) run = Math.min(run, MS_PER_CHAR * 8);
      isWhole ||= run >= wanted - 8;
    }
    if (isWhole) words.push(whole.slice(from - 1, end));
    start = end;
  }
  return words;
}

const SENTENCES = ['Good morning and thank you for calling us.', 'What may I do for you today?'];
const ALL = SENTENCES.join(' ').split(' ');

describe('a chain of voices', () => {
  it('speaks by the first voice, and by the next one for languages that it does not speak', () => {
    const time = new ManualScheduler(0);
    const hindi = voice('first', time, () => 'x', { speaks: (language) => language === 'hi-IN' });
    const last = voice('offline', time, () => 'x');
    const chain = new ChainedVoice([hindi.provider, last.provider], {
      health: new VendorHealth(() => 0),
      scheduler: time,
    });
    const speech = chain.open(VOICE).begin();
    speech.say('x', () => undefined);
    speech.say('y', () => undefined, { language: 'hi-IN' });
    speech.say('z', () => undefined);
    expect([last.said, hindi.said, hindi.languages]).toEqual([['x', 'z'], ['y'], ['hi-IN']]);
  });

  it('prefers the vendor that the voice names', () => {
    const time = new ManualScheduler(0);
    const [first, second, last] = ['a', 'b', 'offline'].map((name) => voice(name, time, () => 'x')) as [
      ReturnType<typeof voice>,
      ReturnType<typeof voice>,
      ReturnType<typeof voice>,
    ];
    const members = [first.provider, second.provider, last.provider];
    const chain = new ChainedVoice(members, {
      health: new VendorHealth(() => 0),
      scheduler: time,
    });
    chain
      .open({ ...VOICE, voiceKey: 'b:someone' })
      .begin()
      .say('x', () => undefined);
    expect([first.said, second.said, last.said]).toEqual([[], ['x'], []]);
  });

  it('connects again once, then hands over and says why', () => {
    const { voices, news, samples, whole } = play(SENTENCES, [
      { fault: { afterMs: 900, kind: 'fails' } },
      {},
    ]);
    expect(news).toEqual([]);
    expect(voices[0]?.said.slice(2)).toEqual(['and thank you for calling us.', SENTENCES[1]]);
    expect(wordsPlayed(samples, whole)).toEqual(ALL);
    const refused = play(SENTENCES, [{ fault: { afterMs: 900, kind: 'refuses' } }, {}]);
    expect(refused.news).toEqual(['second: broke; offline speaks instead']);
    expect(refused.voices[1]?.said).toEqual(['and thank you for calling us.', SENTENCES[1]]);
  });

  it('passes over a voice that broke for 30 s while another vendor speaks, in all calls, and says why', () => {
    let now = 0;
    const health = new VendorHealth(() => now);
    play(SENTENCES, [{ fault: { afterMs: 0, kind: 'refuses' } }, {}, {}], { health });
    const passed = play(SENTENCES, [{}, {}, {}], { health });
    expect(passed.voices.map(({ said }) => said.length)).toEqual([0, 2, 0]);
    expect(passed.news).toEqual(['first: broke; second speaks instead']);
    now = 30_001;
    expect(play(SENTENCES, [{}, {}, {}], { health }).voices[0]?.said).toEqual(SENTENCES);
  });

  it('asks the only voice again at the next reply, and passes it over only after its key was refused', () => {
    const health = new VendorHealth(() => 0);
    play(SENTENCES, [{ fault: { afterMs: 0, kind: 'refuses' } }, {}], { health });
    const next = play(SENTENCES, [{}, {}], { health });
    expect(next.voices.map(({ said }) => said)).toEqual([SENTENCES, []]);
    expect(next.news).toEqual([]);
    health.broke('second', vendorFault('second', 'key', '', { status: 401 }));
    expect(play(SENTENCES, [{}, {}], { health }).voices[0]?.said).toEqual([]);
  });

  it('returns to the only voice within a call after a reply that the offline one finished', () => {
    const time = new ManualScheduler(0);
    const sole = voice('sole', time, () => 'One. Two.', { fault: { afterMs: 0, kind: 'refuses' } });
    const last = voice('offline', time, () => 'One. Two.');
    const chain = new ChainedVoice([sole.provider, last.provider], {
      health: new VendorHealth(() => time.now()),
      scheduler: time,
    });
    const session = chain.open(VOICE);
    session.begin().say('One.', () => undefined);
    time.advance(2_000);
    session.begin().say('Two.', () => undefined);
    time.advance(2_000);
    expect([sole.said, last.said]).toEqual([['One.', 'Two.'], ['One.']]);
  });

  it.each([3_000, 60_000])('lets nobody wait longer than 2.5 s when every vendor needs %i ms', (firstMs) => {
    const slow = play(SENTENCES, [{ firstMs }, { firstMs }, { firstMs: 400 }]);
    expect(slow.longestWaitMs).toBeLessThanOrEqual(2_500);
    expect(wordsPlayed(slow.samples, slow.whole)).toEqual(ALL);
  });

  it('loses no word and leaves no gap, wherever a voice with marks breaks', () => {
    const faults = fc.record({
      afterMs: fc.integer({ min: 0, max: 5_000 }),
      kind: fc.constantFrom('fails' as const, 'refuses' as const, 'stalls' as const),
    });
    fc.assert(
      fc.property(faults, fc.option(faults), (first, second) => {
        const { samples, whole, longestWaitMs } = play(SENTENCES, [
          { fault: first },
          { fault: second },
          { firstMs: 200 },
        ]);
        expect(wordsPlayed(samples, whole)).toEqual(ALL);
        expect(longestWaitMs).toBeLessThanOrEqual(2_500);
      }),
      { numRuns: 60 },
    );
  });

  it('reports exactly the words that were played when the caller interrupts, also after a handover', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5_000 }),
        fc.integer({ min: 100, max: 6_000 }),
        (afterMs, stopMs) => {
          const { heard, samples, whole } = play(
            SENTENCES,
            [{ fault: { afterMs, kind: 'refuses' } }, { firstMs: 200 }],
            { stopMs },
          );
          if (heard === null) return;
          const words = heard.join(' ').split(' ').filter(Boolean);
          expect(words).toEqual(wordsPlayed(samples, whole));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('without marks, repeats or loses at most one word', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5_000 }), (afterMs) => {
        const { samples, whole } = play(SENTENCES, [
          { hasMarks: false, fault: { afterMs, kind: 'refuses' } },
          { hasMarks: false, firstMs: 200 },
        ]);
        expect(wordsPlayed(samples, whole).length).toBeGreaterThanOrEqual(ALL.length - 1);
      }),
      { numRuns: 60 },
    );
  });
});
