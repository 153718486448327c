import { describe, expect, it } from 'vitest';
import type { SttEvent, SttOptions, SttProvider, SttSession } from '../providers/ports/recogniser.ts';
import { vendorFault } from '../providers/wire/fault.ts';
import { OfflineEars } from './ears.ts';

type Script = (options: SttOptions) => void;

/** A recogniser of one language that does as its script when speech ends. */
function recogniser(name: string, languages: readonly string[], script: Script): SttProvider {
  return {
    name,
    understands: (language) => languages.includes(language),
    onlyPhrases: () => name === 'offline',
    fault: () => (name === 'offline' ? { message: 'phrases are not installed', isInstalled: false } : null),
    open: (options): SttSession => ({
      write: () => undefined,
      speechStarted: () => undefined,
      speechEnded: () => script(options),
      expect: () => undefined,
      close: () => undefined,
    }),
    close: () => Promise.resolve(),
  };
}

const says =
  (text: string): Script =>
  ({ onEvent }) =>
    onEvent({ type: 'final', text, confidence: 1, audioMs: 100, at: 0 });
const fails: Script = ({ onEvent }) => {
  const fault = vendorFault('offline-words', 'timeout', 'it does not keep up');
  onEvent({ type: 'failed', message: fault.message, retryable: false, at: 0, fault });
};

/** One utterance of a call in a language. */
function heard(ears: OfflineEars, language: SttOptions['language'] = 'en-US'): SttEvent[] {
  const events: SttEvent[] = [];
  const session = ears.open({
    language,
    secondaryLanguage: null,
    sampleRate: 8000,
    vocab: [],
    onEvent: (event) => events.push(event),
  });
  session.speechStarted(0);
  session.write(new Int16Array(160), 20);
  session.speechEnded(20);
  session.close();
  return events;
}

describe('the ears of this machine', () => {
  it('write words where a model of the language is installed', () => {
    const [words, phrases] = [
      recogniser('offline-words', ['en-US'], says('every word')),
      recogniser('offline', ['en-US'], says('yes')),
    ];
    const ears = new OfflineEars(words, phrases);
    expect(heard(ears)).toMatchObject([{ type: 'final', text: 'every word' }]);
    expect([ears.name, ears.onlyPhrases('en-US'), ears.fault()]).toEqual(['offline', false, null]);
  });

  it('hear phrases without a model', () => {
    const ears = new OfflineEars(
      recogniser('offline-words', [], fails),
      recogniser('offline', ['en-US'], says('yes')),
    );
    expect(heard(ears)).toMatchObject([{ type: 'final', text: 'yes' }]);
    expect([ears.onlyPhrases('en-US'), ears.understands('hi-IN')]).toEqual([true, false]);
    expect(ears.fault()?.message).toBe('phrases are not installed');
  });

  it('write words in a language without phrases', () => {
    const ears = new OfflineEars(
      recogniser('offline-words', ['hi-IN'], says('हाँ')),
      recogniser('offline', ['en-US'], says('yes')),
    );
    expect([ears.understands('hi-IN'), ears.onlyPhrases('hi-IN')]).toEqual([true, false]);
    expect(heard(ears, 'hi-IN')).toMatchObject([{ type: 'final', text: 'हाँ' }]);
  });

  it('hear phrases in the same utterance when the words fail, say so, and return to words after it', () => {
    const ears = new OfflineEars(
      recogniser('offline-words', ['en-US'], fails),
      recogniser('offline', ['en-US'], says('yes')),
    );
    expect(heard(ears)).toMatchObject([
      {
        type: 'switched',
        message: expect.stringContaining('it does not keep up; offline recognises instead'),
        ears: { understandsSpeech: true, onlyPhrases: true },
      },
      { type: 'final', text: 'yes' },
      { type: 'switched', ears: { understandsSpeech: true, onlyPhrases: false } },
    ]);
  });
});
