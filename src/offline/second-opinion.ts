import { moreFitting, type Opinion } from './fitting-phrase.ts';
import type { SttEvent, SttOptions, SttProvider, SttSession } from '../providers/ports/recogniser.ts';

/** How long the final words wait for the phrase of the same sound, which is usually decoded before them. */
const WAIT_MS = 200;

type Final = Extract<SttEvent, { type: 'final' }>;

const isRead = (final: Final): boolean => final.isRead === true;

/**
 * Hears every word, and beside it the phrases that the agent expects: a short answer, a date or a number that a general
 * model writes wrong fits one of few phrases. Partial words come from the words alone.
 */
export function withSecondOpinion(words: SttProvider, phrases: SttProvider, options: SttOptions): SttSession {
  const { onEvent } = options;
  /** Sounds of the utterance, and of them the ones whose phrase is not known yet. */
  let sounds = 0;
  let undecided = 0;
  let opinion: Opinion | null = null;
  let held: { readonly final: Final; readonly timer: NodeJS.Timeout } | null = null;
  let isClosed = false;

  const settle = (): void => {
    if (held === null) return;
    const { final, timer } = held;
    held = null;
    clearTimeout(timer);
    // A phrase of one of several sounds is a part of what the caller said.
    const better = sounds === 1 && opinion !== null && !isRead(final) ? moreFitting(final, opinion) : null;
    sounds = undecided;
    opinion = null;
    if (isClosed) return;
    onEvent(better === null ? final : withoutWords(final, better));
  };
  const spoken = words.open({
    ...options,
    onEvent: (event) => {
      if (event.type === 'nothing') {
        sounds = undecided;
        opinion = null;
      }
      if (event.type !== 'final') return onEvent(event);
      settle();
      held = { final: event, timer: setTimeout(settle, WAIT_MS) };
      if (undecided === 0 || isRead(event)) settle();
      return undefined;
    },
  });
  const expected = phrases.open({
    ...options,
    onEvent: (event) => {
      if (event.type !== 'final' && event.type !== 'nothing' && event.type !== 'failed') return;
      undecided = Math.max(0, undecided - 1);
      opinion = event.type === 'final' ? { text: event.text, confidence: event.confidence ?? 0 } : null;
      if (undecided === 0) settle();
    },
  });
  return {
    write(frame, at) {
      spoken.write(frame, at);
      expected.write(frame, at);
    },
    speechStarted(at) {
      spoken.speechStarted(at);
      expected.speechStarted(at);
    },
    speechEnded(at) {
      sounds += 1;
      undecided += 1;
      expected.speechEnded(at);
      spoken.speechEnded(at);
    },
    expect(answer) {
      spoken.expect(answer);
      expected.expect(answer);
    },
    usage: () => spoken.usage?.() ?? [],
    close() {
      isClosed = true;
      if (held !== null) clearTimeout(held.timer);
      spoken.close();
      expected.close();
    },
  };
}

/** The times of the words are those of other words. */
function withoutWords(final: Final, { text, confidence }: Opinion): Final {
  const { words: _, ...rest } = final;
  return { ...rest, text, confidence };
}
