import { describe, expect, it } from 'vitest';
import type { SttEvent, SttOptions } from '../providers/ports/recogniser.ts';
import { CallEars } from './call-ears.ts';

const HINDI = { language: 'hi-IN', secondaryLanguage: null, vocab: [] } as const;
const FRAME = new Int16Array(160);

/** The ears of a call in English; `heard`: the events that the call gets, `opened`: its recognisers. */
function ears() {
  const opened: (SttOptions & { frames: number; isClosed: boolean; begun: number })[] = [];
  const heard: SttEvent[] = [];
  const call = new CallEars(
    {
      name: 'fake',
      open(options) {
        const session = { ...options, frames: 0, isClosed: false, begun: 0 };
        opened.push(session);
        return {
          write: () => void (session.frames += 1),
          speechStarted: () => void (session.begun += 1),
          speechEnded: () => undefined,
          expect: () => undefined,
          close: () => void (session.isClosed = true),
        };
      },
    },
    {
      language: 'en-US',
      secondaryLanguage: 'ms-MY',
      vocab: ['invoice'],
      sampleRate: 8000,
      onEvent: (event) => heard.push(event),
    },
  );
  const listen = (from: number, until: number): void => {
    for (let at = from; at < until; at += 20) call.write(FRAME, at);
  };
  const final = (of: number, text: string, at: number): void =>
    opened[of]!.onEvent({
      type: 'final',
      text,
      at,
      confidence: null,
      audioMs: 40,
      words: [{ text, startMs: 10, endMs: 40 }],
    });
  return { call, opened, heard, listen, final };
}

describe('the recogniser of a call', () => {
  it('is opened in the languages of the next agent in a pause, without a frame lost', () => {
    const { call, opened, listen } = ears();
    listen(0, 1_000);
    call.follow(HINDI, 1_000);
    listen(1_000, 2_000);
    expect(
      opened.map(({ language, secondaryLanguage, vocab }) => [language, secondaryLanguage, vocab]),
    ).toEqual([
      ['en-US', 'ms-MY', ['invoice']],
      ['hi-IN', null, []],
    ]);
    expect(opened.map(({ frames, isClosed }) => [frames, isClosed])).toEqual([
      [50, true],
      [50, false],
    ]);
    expect(call.usage()).toEqual([{ vendor: 'fake', model: null, audioMs: 2_000 }]);
  });

  it('hears the words under way to their end, and gives times of the whole call afterwards', () => {
    const { call, opened, heard, listen, final } = ears();
    call.speechStarted(0);
    listen(0, 500);
    call.follow(HINDI, 500);
    listen(500, 900);
    call.speechEnded(900);
    listen(900, 1_000);
    expect(opened).toHaveLength(1);
    final(0, 'last year', 1_000);
    listen(1_000, 1_100);
    expect(opened).toHaveLength(2);
    final(0, 'late', 1_050);
    final(1, 'haan', 1_100);
    expect(heard).toMatchObject([
      { text: 'last year', audioMs: 40 },
      { text: 'haan', audioMs: 1_040, words: [{ startMs: 1_010, endMs: 1_040 }] },
    ]);
  });

  it('changes after three seconds in the middle of speech that does not end', () => {
    const { call, opened, listen } = ears();
    call.speechStarted(0);
    call.follow(HINDI, 0);
    listen(0, 3_000);
    expect(opened).toHaveLength(1);
    listen(3_000, 3_020);
    expect(opened.map(({ begun }) => begun)).toEqual([1, 1]);
  });
});
