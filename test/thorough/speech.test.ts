import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { speechHealth } from '../../src/offline/doctor.ts';
import { openNoiseFilter } from '../../src/providers/noise/speex.ts';
import { createOfflineStt } from '../../src/offline/recogniser/stt.ts';
import { activePower, TARGET_DBFS } from '../../src/offline/speech/speech-audio.ts';
import { createOfflineTts } from '../../src/offline/speech/tts.ts';
import { PREVIEW_SENTENCES, previewRenderer } from '../../src/offline/speech/preview.ts';
import { createVadProvider } from '../../src/providers/vad/provider.ts';
import { voices } from '../../src/providers/voices.ts';
import { parseWav } from '@callwright/audio';
import type { SttEvent } from '../../src/providers/ports/recogniser.ts';
import type { TtsEvent } from '../../src/providers/ports/voice.ts';
import {
  OTHER_SPEECH,
  overTheLine,
  PHRASE_SETS,
  recognise,
  sameAnswer,
  synthesise,
} from '../helpers/audio/speech.ts';

const tts = createOfflineTts();
const stt = createOfflineStt();
afterAll(async () => {
  await Promise.all([tts.close(), stt.close()]);
});

const dbfs = (pcm: Int16Array): number =>
  10 *
  Math.log10(
    activePower(
      Float32Array.from(pcm, (sample) => sample / 32_768),
      8000,
    ) + 1e-12,
  );
const peak = (pcm: Int16Array): number => pcm.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);

describe('offline voices', () => {
  const pairs = voices().flatMap((voice) => voice.languages.map((language) => ({ voice, language })));

  it.each(pairs)('$voice.name speaks $language', async ({ voice, language }) => {
    const { voiceKey } = voice;
    const pcm = await synthesise(tts, { voiceKey, language, text: PREVIEW_SENTENCES[language] });
    expect(pcm.length / 8000).toBeGreaterThan(2);
    expect(pcm.length / 8000).toBeLessThan(12);
    expect(Math.abs(dbfs(pcm) - TARGET_DBFS)).toBeLessThan(3.5);
    expect(peak(pcm)).toBeLessThan(32_767);
  });

  it('sounds the same each time, from the engine and from the cache', async () => {
    const request = { voiceKey: 'flite:slt', language: 'en-US', text: 'The same again, please.' } as const;
    const first = await synthesise(tts, request);
    expect(await synthesise(tts, request)).toEqual(first);
  });

  it.each(['espeak:f3', 'flite:rms'])('%s follows the speed', async (voiceKey) => {
    const text = 'We are calling about your appointment tomorrow at ten.';
    const at = async (speed: number): Promise<number> =>
      (await synthesise(tts, { voiceKey, language: 'en-US', text, speed })).length;
    const [slow, normal, fast] = [await at(0.6), await at(1), await at(1.6)];
    expect(slow / normal).toBeGreaterThan(1.3);
    expect(fast / normal).toBeLessThan(0.8);
  });

  it('doubles the samples at 16 kHz', async () => {
    const request = { voiceKey: 'espeak:m3', language: 'en-GB', text: 'Good morning to everyone.' } as const;
    const narrow = await synthesise(tts, request);
    const wide = await synthesise(tts, { ...request, sampleRate: 16_000 });
    expect(wide.length / narrow.length).toBeGreaterThan(1.95);
    expect(wide.length / narrow.length).toBeLessThan(2.05);
  });

  it('finishes immediately for text without words', async () => {
    for (const text of ['', ' ... ', '🎉', '[[]]']) {
      expect(await synthesise(tts, { voiceKey: 'espeak:f3', language: 'en-US', text })).toHaveLength(0);
    }
  });

  it('does not interpret text as options or markup', async () => {
    for (const text of ['--version', '-v fr --phonout=/tmp/x', '$(id) `id` ; exit', '<speak>hello</speak>']) {
      for (const voiceKey of ['espeak:f3', 'flite:slt']) {
        expect((await synthesise(tts, { voiceKey, language: 'en-US', text })).length).toBeGreaterThan(2000);
      }
    }
  });

  it('emits nothing after an abort and speaks the next utterance', async () => {
    const session = tts.open({ voiceKey: 'flite:rms', language: 'en-US', speed: 1, sampleRate: 8000 });
    const aborted: TtsEvent[] = [];
    const replies = Array.from({ length: 12 }, () => session.begin());
    for (const [n, reply] of replies.entries()) {
      reply.say(`This is number ${n}, which nobody hears.`, (event) => aborted.push(event));
    }
    for (const reply of replies) reply.cancel();
    const next = await synthesise(tts, {
      voiceKey: 'flite:rms',
      language: 'en-US',
      text: 'But this is heard.',
    });
    expect(next.length).toBeGreaterThan(4000);
    expect(aborted).toEqual([]);
    session.close();
  });

  it('speaks many utterances concurrently', async () => {
    const lengths = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        synthesise(tts, {
          voiceKey: n % 2 === 0 ? 'espeak:f3' : 'flite:slt',
          language: 'en-US',
          text: `Caller number ${n}, please hold the line.`,
        }),
      ),
    );
    for (const pcm of lengths) expect(pcm.length).toBeGreaterThan(8000);
  });

  it('speaks flite voices by espeak-ng where flite is missing, and fails clearly without both', async () => {
    const request = { voiceKey: 'flite:slt', language: 'en-US', text: 'Hello there, how are you?' } as const;
    const without = createOfflineTts({ fliteCommand: 'no-such-flite' });
    expect((await synthesise(without, request)).length).toBeGreaterThan(8000);
    expect((await synthesise(without, request)).length).toBeGreaterThan(8000);
    await without.close();
    const silent = createOfflineTts({ fliteCommand: 'no-such-flite', espeakCommand: 'no-such-espeak' });
    await expect(synthesise(silent, request)).rejects.toThrow('espeak-ng is not installed');
    await silent.close();
  });

  it('fails an utterance whose engine exits with an error', async () => {
    const broken = createOfflineTts({ espeakCommand: 'false' });
    await expect(
      synthesise(broken, { voiceKey: 'espeak:f3', language: 'en-US', text: 'Hello' }),
    ).rejects.toThrow('espeak-ng');
    await broken.close();
  });

  it('removes its scratch files', async () => {
    // Other processes have theirs in the shared one.
    const folder = mkdtempSync(join(tmpdir(), 'callwright-test-'));
    vi.stubEnv('TMPDIR', folder);
    const own = createOfflineTts();
    await synthesise(own, { voiceKey: 'flite:slt', language: 'en-US', text: 'Some words for the file.' });
    const during = readdirSync(folder);
    await own.close();
    vi.unstubAllEnvs();
    expect([during.length, readdirSync(folder)]).toEqual([1, []]);
    rmSync(folder, { recursive: true });
  });

  it('renders a preview as a WAV file', async () => {
    const wav = parseWav(await previewRenderer(tts)(voices()[0]!, 'en-US'));
    expect(wav).toMatchObject({ ok: true, sampleRate: 8000, channels: 1 });
  });
});

describe('offline recogniser', () => {
  it('understands English only', () => {
    expect(stt.available()).toEqual({ ok: true, reason: '' });
    expect(stt.understands('en-IN')).toBe(true);
    expect(stt.understands('hi-IN')).toBe(false);
  });

  // Each phrase in two of the voices, in turn; bench/speech.ts has all of them in all voices.
  it.each([
    ['flite:rms', 0],
    ['flite:awb', 0],
    ['flite:kal16', 1],
    ['flite:slt', 1],
  ])('recognises %s callers', async (voiceKey, turn) => {
    let [said, right, wrong] = [0, 0, 0];
    for (const { expected, phrases } of PHRASE_SETS) {
      for (const text of phrases.filter((_phrase, n) => n % 2 === turn)) {
        const speech = await synthesise(tts, { voiceKey, language: 'en-US', text });
        const event = await recognise(stt, expected, overTheLine(speech));
        said++;
        if (event.type === 'final' && sameAnswer(text, event.text)) right++;
        else if (event.type === 'final') wrong++;
      }
    }
    expect(right / said).toBeGreaterThan(voiceKey === 'flite:slt' ? 0.8 : 0.88);
    expect(wrong / said).toBeLessThan(voiceKey === 'flite:slt' ? 0.15 : 0.06);
  });

  it('recognises every answer of a cooperative caller', async () => {
    const expected = { kinds: ['yes_no', 'date', 'number'], phrases: [] } as const;
    for (const text of ['yes', 'no', 'tuesday', 'friday', 'tomorrow', 'five', 'thank you', 'goodbye']) {
      const speech = await synthesise(tts, { voiceKey: 'flite:rms', language: 'en-US', text });
      const event = await recognise(stt, expected, overTheLine(speech));
      expect(event).toMatchObject({ type: 'final', text });
    }
  });

  it('recognises vocabulary words inside and outside the dictionary', async () => {
    for (const text of ['margherita', 'zolpex']) {
      const speech = await synthesise(tts, { voiceKey: 'flite:rms', language: 'en-US', text });
      const event = await recognise(stt, { kinds: ['yes_no'], phrases: [] }, overTheLine(speech), [
        'Margherita',
        'Zolpex',
      ]);
      expect(event).toMatchObject({ type: 'final', text });
    }
  });

  it('does not recognise other speech or silence as an answer', async () => {
    let taken = 0;
    for (const text of OTHER_SPEECH) {
      const speech = await synthesise(tts, { voiceKey: 'flite:rms', language: 'en-US', text });
      const event = await recognise(stt, { kinds: ['yes_no'], phrases: [] }, overTheLine(speech));
      if (event.type === 'final') taken++;
    }
    expect(taken).toBeLessThanOrEqual(1);
    expect((await recognise(stt, null, overTheLine(new Int16Array(8000)))).type).toBe('nothing');
  });

  it('ends utterances of other languages without words', async () => {
    const events: SttEvent[] = [];
    const session = stt.open({
      language: 'ta-IN',
      secondaryLanguage: null,
      sampleRate: 8000,
      vocab: [],
      onEvent: (event) => events.push(event),
    });
    session.speechStarted(0);
    session.write(new Int16Array(160), 20);
    session.speechEnded(40);
    await Promise.resolve();
    session.close();
    expect(events).toEqual([{ type: 'nothing', at: 40 }]);
  });

  it('names what is missing where it cannot run', () => {
    const missing = createOfflineStt({ modelDirectory: '/nonexistent' });
    expect(missing.available()).toEqual({ ok: false, reason: 'pocketsphinx-en-us is not installed' });
    expect(missing.understands('en-US')).toBe(false);
  });

  it('emits no event after close', async () => {
    const speech = overTheLine(
      await synthesise(tts, { voiceKey: 'flite:rms', language: 'en-US', text: 'yes' }),
    );
    const events: SttEvent[] = [];
    const session = stt.open({
      language: 'en-US',
      secondaryLanguage: null,
      sampleRate: 8000,
      vocab: [],
      onEvent: (event) => events.push(event),
    });
    session.speechStarted(0);
    session.write(speech, 0);
    session.speechEnded(1);
    session.close();
    await recognise(stt, null, speech);
    await recognise(stt, null, speech);
    expect(events).toEqual([]);
  });

  it.each([
    ['yes and no', 'that is correct'],
    ['control', 'why are you calling'],
  ])('finds a phrase of %s that a noise filter has cut in two: %s', async (name, phrase) => {
    const { expected } = PHRASE_SETS.find((set) => set.name === name)!;
    const spoken = await synthesise(tts, { voiceKey: 'flite:slt', language: 'en-US', text: phrase });
    const pcm = overTheLine(spoken, 60, 60);
    const events: SttEvent[] = [];
    let at = 0;
    const session = stt.open({
      language: 'en-US',
      secondaryLanguage: null,
      sampleRate: 8000,
      vocab: [],
      onEvent: (event) => events.push(event),
    });
    const write = (samples: Int16Array): void => {
      for (let from = 0; from + 160 <= samples.length; from += 160) {
        at += 20;
        session.write(samples.subarray(from, from + 160), at);
      }
    };
    const say = async (part: Int16Array, results: number): Promise<void> => {
      session.speechStarted(at);
      write(part);
      // Speech ends 80 ms after its sound.
      write(new Int16Array(640));
      session.speechEnded(at);
      await vi.waitFor(() => expect(events).toHaveLength(results), { timeout: 60_000, interval: 10 });
    };
    session.expect(expected);
    const frames = (samples: number): number => samples - (samples % 160);
    const middle = pcm.length / 2;
    await say(pcm.slice(0, frames(middle - 560)), 1);
    write(new Int16Array(480));
    await say(pcm.slice(frames(middle + 560)), 2);
    session.close();
    expect(events[0]).toMatchObject({ type: 'nothing' });
    expect(events[1]).toMatchObject({ type: 'final', text: phrase });
  });
});

describe('voice activity on real speech', () => {
  const vad = createVadProvider({ engine: 'silero' });

  it.each(['flite:rms', 'flite:slt', 'espeak:f3', 'espeak:m3'])('finds the edges of %s', async (voiceKey) => {
    const text = 'Hello, this is a short sentence.';
    const speech = await synthesise(tts, { voiceKey, language: 'en-US', text });
    const line = overTheLine(speech, 600, 600);
    const stream = vad.open(8000);
    const active: number[] = [];
    for (let at = 0; at + 160 <= line.length; at += 160) {
      if (stream.process(line.slice(at, at + 160)) > 0.5) active.push(at / 8);
    }
    const endMs = 600 + speech.length / 8;
    expect(active[0]).toBeGreaterThan(560);
    expect(active[0]).toBeLessThan(780);
    expect(active.at(-1)).toBeGreaterThan(endMs - 300);
    expect(active.at(-1)).toBeLessThan(endMs + 200);
    expect(active.length * 20).toBeGreaterThan((speech.length / 8) * 0.75);
  });
});

describe('noise filter', () => {
  it('attenuates steady noise and keeps speech', async () => {
    const filter = openNoiseFilter(8000, 80)!;
    const speech = await synthesise(tts, {
      voiceKey: 'flite:rms',
      language: 'en-US',
      text: 'Good morning, I would like to speak with the manager, please.',
    });
    let state = 5;
    const noisy = Int16Array.from({ length: 32_000 + speech.length }, (_, i) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.round((state / 4_294_967_296 - 0.5) * 600) + (speech[i - 32_000] ?? 0);
    });
    const before = noisy.slice();
    for (let at = 0; at + 160 <= noisy.length; at += 160) filter.process(noisy.subarray(at, at + 160));
    filter.close();
    const part = (pcm: Int16Array, from: number, to: number): number => dbfs(pcm.slice(from, to));
    expect(part(before, 16_000, 31_000) - part(noisy, 16_000, 31_000)).toBeGreaterThan(10);
    expect(Math.abs(part(before, 33_000, 48_000) - part(noisy, 33_000, 48_000))).toBeLessThan(4);
  });

  it('is absent at level zero', () => {
    expect(openNoiseFilter(8000, 0)).toBeNull();
  });
});

describe('speech check', () => {
  it('finds every engine of this machine', async () => {
    const checks = await speechHealth();
    expect(checks.map(({ name, ok, advice }) => ({ name, ok, advice }))).toEqual(
      ['espeak-ng', 'flite', 'pocketsphinx', 'silero', 'speexdsp'].map((name) => ({
        name,
        ok: true,
        advice: '',
      })),
    );
  });

  it('advises how to install what is missing', async () => {
    const checks = await speechHealth({
      espeak: 'no-such',
      flite: 'no-such',
      modelDirectory: '/nonexistent',
    });
    for (const check of checks.slice(0, 3)) {
      expect(check.ok).toBe(false);
      expect(check.advice).toContain('apt install');
    }
  });
});

describe('a last sentence of one word', () => {
  it('is spoken', async () => {
    const voice = { voiceKey: 'flite:slt', language: 'en-US' } as const;
    const long = await synthesise(tts, { ...voice, text: 'Thank you for your time. Goodbye!' });
    const short = await synthesise(tts, { ...voice, text: 'Thank you for your time.' });
    expect(long.length).toBeGreaterThan(short.length * 1.25);
  });
});
