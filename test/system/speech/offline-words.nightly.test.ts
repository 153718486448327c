import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { vendorNote } from '../../../src/app/vendor-note.ts';
import { readiness } from '../../../src/http/system/readiness.ts';
import type { EarModel } from '../../../src/offline/words/ear-api.ts';
import { EarThreads } from '../../../src/offline/words/ears.ts';
import { localWords } from '../../../src/offline/words/recogniser.ts';
import { OfflineEars } from '../../../src/offline/ears.ts';
import type { SttProvider } from '../../../src/providers/ports/recogniser.ts';
import { VendorHealths } from '../../../src/providers/wire/health.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { WorkerNotes } from '../../../src/workers/worker-notes.ts';
import { VendorCaller } from '../../helpers/vendors/vendor-caller.ts';

/** Has the functions of the library; real weights are in test/models. */
const SOURCE = join(import.meta.dirname, '../../helpers/audio/words-stand-in.c');
let folder = '';
const opened: EarThreads[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'words-'));
  for (const name of ['model', 'broken', 'deaf']) mkdirSync(join(folder, name));
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', join(folder, 'libvosk.so'), SOURCE]);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((ears) => ears.close()));
});
afterAll(() => rmSync(folder, { recursive: true }));

function recogniser(name = 'model', threads = 2): { ears: EarThreads; model: EarModel; stt: SttProvider } {
  const library = join(folder, 'libvosk.so');
  const model: EarModel = { id: name, folder: join(folder, name), library, reader: null };
  const ears = new EarThreads({ threads });
  opened.push(ears);
  const stt = localWords(
    (port) => ears.connect(port, model),
    (language) => (language.startsWith('en') ? model : null),
  );
  return { ears, model, stt };
}

/** Hears the same phrase in every utterance. */
const phrases: SttProvider = {
  name: 'offline',
  understands: () => true,
  onlyPhrases: () => true,
  open: ({ onEvent }) => ({
    write: () => undefined,
    speechStarted: () => undefined,
    speechEnded: (at) => onEvent({ type: 'final', text: 'a phrase', confidence: 1, audioMs: 0, at }),
    expect: () => undefined,
    close: () => undefined,
  }),
  close: () => Promise.resolve(),
};

describe('the recogniser of words of this machine', () => {
  it.each([8000, 16_000] as const)(
    'writes the words of calls at %d Hz as they come, each call in a stream of its own',
    async (rate) => {
      const { stt, ears } = recogniser();
      const [first, second] = [new VendorCaller(stt, { rate }), new VendorCaller(stt, { rate })];
      await Promise.all([first.say('One two.'), second.silence(600)]);
      const final = await first.has(({ type }) => type === 'final');
      expect(final).toMatchObject({ text: 'yes no', confidence: 0.9 });
      expect(first.texts('partial')).toContain('yes');
      await second.say('Word.');
      expect(await second.has(({ type }) => type === 'final')).toMatchObject({ text: 'yes' });
      expect([ears.streams, stt.understands('en-IN'), stt.understands('hi-IN')]).toEqual([2, true, false]);
      expect(first.session.usage?.()).toMatchObject([{ vendor: 'offline', model: 'model' }]);
      first.session.close();
      second.session.close();
      await expect.poll(() => ears.streams).toBe(0);
    },
  );

  it('places its words in the time of the call, although silence is not decoded', async () => {
    const { stt } = recogniser();
    const caller = new VendorCaller(stt);
    await caller.silence(2_000);
    await caller.say('One.');
    const startedMs = caller.audioMs - 1_000 - 80 - 280;
    await caller.has(({ type }) => type === 'final');
    await caller.silence(1_000);
    const before = caller.audioMs;
    await caller.say('Two.');
    await expect.poll(() => caller.texts('final')).toHaveLength(2);
    const [one, two] = caller.events.flatMap((event) => (event.type === 'final' ? [event] : []));
    expect(Math.abs((one?.words?.[0]?.startMs ?? 0) - startedMs)).toBeLessThan(150);
    expect(Math.abs((two?.words?.[0]?.startMs ?? 0) - before)).toBeLessThan(150);
    expect(caller.session.usage?.()[0]?.audioMs).toBeLessThan(2_500);
    caller.session.close();
  });

  it('ends no utterance at the short pauses of a sentence, and answers a sound without words', async () => {
    const { stt } = recogniser();
    const caller = new VendorCaller(stt);
    await caller.say('One.', { thenMs: 100 });
    await caller.say('Two.');
    expect(await caller.has(({ type }) => type === 'final')).toMatchObject({ text: 'yes no' });
    caller.session.speechStarted(caller.now);
    await caller.silence(60);
    caller.session.speechEnded(caller.now);
    await caller.has(({ type }) => type === 'nothing');
    expect(caller.texts('final')).toHaveLength(1);
    caller.session.close();
  });

  it('loads a model once for all threads, and measures how many calls it hears', async () => {
    const { ears, model } = recogniser();
    expect(ears.calls).toBeNull();
    const [one, two] = await Promise.all([ears.load(model), ears.load(model)]);
    expect(one).toEqual(two);
    expect([one.address > 0n, one.share >= 0, (ears.calls ?? 0) > 0]).toEqual([true, true, true]);
  });

  it.each([
    ['that cannot be loaded', 'broken'],
    ['that refuses the audio', 'deaf'],
  ])('leaves the call to phrases with a model %s, and the call says so', async (_, name) => {
    const { stt } = recogniser(name);
    const caller = new VendorCaller(new OfflineEars(stt, phrases), { paceMs: 10 });
    await caller.say('One two.', { thenMs: 2_000 });
    const switched = await caller.has(({ type }) => type === 'switched');
    expect(switched).toMatchObject({
      message: expect.stringContaining('offline-words'),
      fault: { vendor: 'offline-words' },
      ears: { onlyPhrases: true },
    });
    expect(await caller.has(({ type }) => type === 'final')).toMatchObject({ text: 'a phrase' });
    caller.session.close();
  });

  it('is named by the readiness answer when it fails in a call', async () => {
    const notes = new WorkerNotes(silentLog);
    const healths = new VendorHealths((part, fault) => notes.vendorFault(part, fault));
    const { stt } = recogniser('deaf');
    const caller = new VendorCaller(new OfflineEars(stt, phrases, healths.of('stt')), { paceMs: 10 });
    await caller.say('One two.', { thenMs: 2_000 });
    await caller.has(({ type }) => type === 'switched');
    const { status, body } = await readiness(Promise.resolve([vendorNote(notes.vendorFaults)]));
    expect([status, body.warnings]).toEqual([
      200,
      [
        expect.stringMatching(
          /^vendors: recogniser offline-words: [^,]+, (?:once|\d+ times), last at \d{4}-/,
        ),
      ],
    ]);
    caller.session.close();
  });

  it('says why a model cannot be loaded, until one is', async () => {
    const { ears, model } = recogniser('broken');
    await expect(ears.load(model)).rejects.toBeInstanceOf(Error);
    expect(ears.fault).toEqual({ model: 'broken', message: expect.stringMatching(/\w/) });
    await ears.load({ ...model, id: 'model', folder: join(folder, 'model') });
    expect(ears.fault).toBeNull();
  });

  it('ends with calls that still speak', async () => {
    const { stt, ears } = recogniser();
    const callers = Array.from({ length: 5 }, () => new VendorCaller(stt));
    await Promise.all(callers.map((caller) => caller.silence(100)));
    for (const caller of callers) void caller.say('One two three four five.');
    await callers[0]?.has(({ type }) => type === 'partial');
    await ears.close();
    await Promise.all(callers.map((caller) => caller.has(({ type }) => type === 'failed')));
    expect(ears.streams).toBe(0);
  });
});
