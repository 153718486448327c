import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SttEvent } from '../../providers/ports/recogniser.ts';
import { GivenWords } from './given-words.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function listening() {
  const words = new GivenWords();
  const events: SttEvent[] = [];
  const session = words.open({
    language: 'hi-IN',
    secondaryLanguage: null,
    sampleRate: 8_000,
    vocab: [],
    onEvent: (event) => events.push(event),
  });
  return { words, session, events };
}
const frame = new Int16Array(160);
const textsOf = (events: readonly SttEvent[]): string[] =>
  events.map((event) => ('text' in event ? `${event.type} ${event.text}` : event.type));

it('has the words whose sound has arrived', () => {
  const { words, session, events } = listening();
  words.begin([{ text: 'one two three four', from: 1_000, to: 2_000 }]);
  session.speechStarted(1_060);
  for (let at = 1_060; at <= 2_060; at += 20) session.write(frame, at);
  session.speechEnded(2_200);
  vi.advanceTimersByTime(1_000);
  expect(textsOf(events)).toEqual([
    'partial one',
    'partial one two',
    'partial one two three four',
    'final one two three four',
  ]);
});

it('gives no word twice, and ends a sound without words as nothing', () => {
  const { words, session, events } = listening();
  words.begin([{ text: 'On Friday', from: 1_000, to: 1_600 }]);
  session.speechStarted(1_060);
  session.speechEnded(1_800);
  session.speechStarted(3_000);
  session.speechEnded(3_200);
  vi.advanceTimersByTime(1_000);
  expect(textsOf(events)).toEqual(['final On Friday', 'nothing']);
});
