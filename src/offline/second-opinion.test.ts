import { describe, expect, it } from 'vitest';
import type { SttEvent, SttOptions, SttProvider } from '../providers/ports/recogniser.ts';
import { moreFitting } from './fitting-phrase.ts';
import { withSecondOpinion } from './second-opinion.ts';

describe('a phrase in place of words', () => {
  it.each([
    ['no can you', 0.69, 'no thank you', 0.98, true],
    ['no chance', 0.87, 'no thanks', 0.96, true],
    ['us', 1, 'yes', 0.75, true],
    ['and for', 0.51, 'of course', 0.5, false],
    ['no sorry tuesday does not work for me', 0.97, 'no', 0.9, false],
    ['on tuesday please', 0.98, 'on tuesday', 0.9, false],
    ['on choose day', 0.5, 'on tuesday', 0.9, true],
    ['two adults', 0.97, 'two one double one', 0.73, false],
    ['yes please', 1, 'yes please', 0.99, false],
  ])('%s (%d) or %s (%d)', (words, sure, phrase, confidence, isPhrase) => {
    const found = moreFitting({ text: words, confidence: sure }, { text: phrase, confidence });
    expect(found?.text ?? words).toBe(isPhrase ? phrase : words);
  });
});

/** A recogniser whose events the test sends. */
function recogniser(): { provider: SttProvider; emit(event: SttEvent): void } {
  const opened: SttOptions[] = [];
  return {
    provider: {
      name: 'fake',
      understands: () => true,
      open(options) {
        opened.push(options);
        return {
          write: () => undefined,
          speechStarted: () => undefined,
          speechEnded: () => undefined,
          expect: () => undefined,
          close: () => undefined,
        };
      },
      close: () => Promise.resolve(),
    },
    emit: (event) => opened.at(-1)?.onEvent(event),
  };
}
const final = (text: string, confidence: number): SttEvent => ({
  type: 'final',
  text,
  confidence,
  audioMs: 500,
  at: 0,
  words: [{ text, startMs: 0, endMs: 400 }],
});

function call() {
  const [words, phrases] = [recogniser(), recogniser()];
  const events: SttEvent[] = [];
  const session = withSecondOpinion(words.provider, phrases.provider, {
    language: 'en-US',
    secondaryLanguage: null,
    sampleRate: 8000,
    vocab: [],
    onEvent: (event) => events.push(event),
  });
  const sound = (): void => {
    session.speechStarted(0);
    session.speechEnded(0);
  };
  return {
    words: (event: SttEvent): void => words.emit(event),
    phrases: (event: SttEvent): void => phrases.emit(event),
    sound,
    session,
    events,
  };
}
const texts = (events: readonly SttEvent[]): string[] =>
  events.flatMap((event) => ('text' in event ? [`${event.type} ${event.text}`] : [event.type]));

describe('the second opinion on an utterance', () => {
  it('takes the place of the words, whichever comes first, without their times', () => {
    for (const isFirst of [true, false]) {
      const { words, phrases, sound, events } = call();
      sound();
      words({ type: 'partial', text: 'no', audioMs: 100, at: 0 });
      if (isFirst) phrases(final('no thanks', 0.96));
      words(final('no chance', 0.87));
      if (!isFirst) phrases(final('no thanks', 0.96));
      expect(texts(events)).toEqual(['partial no', 'final no thanks']);
      expect(events.at(-1)).not.toHaveProperty('words');
    }
  });

  it('is nothing where no phrase fits, and where the utterance has several sounds', () => {
    const { words, phrases, sound, events } = call();
    sound();
    phrases({ type: 'nothing', at: 0 });
    words(final('i went to the shop', 0.9));
    sound();
    sound();
    phrases(final('yes', 0.9));
    phrases(final('no', 0.9));
    words(final('yet know', 0.6));
    expect(texts(events)).toEqual(['final i went to the shop', 'final yet know']);
  });

  it('is of its own utterance alone', () => {
    const { words, phrases, sound, events } = call();
    sound();
    phrases(final('yes', 0.9));
    words({ type: 'nothing', at: 0 });
    sound();
    phrases({ type: 'nothing', at: 0 });
    words(final('us', 0.5));
    expect(texts(events)).toEqual(['nothing', 'final us']);
  });

  it('is not waited for by a fault', () => {
    const { words, sound, session, events } = call();
    sound();
    words({ type: 'failed', message: 'lost', retryable: true, at: 0 });
    expect(texts(events)).toEqual(['failed']);
    words(final('yes', 1));
    session.close();
    expect(texts(events)).toEqual(['failed']);
  });
});
