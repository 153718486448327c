import type { TtsVendorName } from '../../../src/vendors/catalogue.ts';
import type { LineOptions } from './dialogue.ts';

/** The turns of the caller that are spoken into the reply to the one before. */
const INTERRUPTS: ReadonlySet<number> = new Set([5, 11, 16]);

/**
 * The agent's lines, each with its number; the greeting is the first. A reply that the caller speaks into lasts 3 s: a slow
 * machine delays it, and it still sounds when the caller begins.
 */
export const repliesTo = (turns: number): readonly { readonly text: string }[] =>
  Array.from({ length: turns }, (_, turn) => ({
    text: `Answer ${turn + 1} is long enough here${INTERRUPTS.has(turn) ? ' for every caller who speaks into it' : ''}.`,
  }));

/** Every recogniser and every speaker in at least one dialogue of so many turns. */
export function dialoguesOf(count: number): readonly LineOptions[] {
  const turns = Array.from({ length: count }, (_, turn) => INTERRUPTS.has(turn));
  return [
    { recogniser: 'deepgram', model: 'flux-general-en', speaker: 'elevenlabs', turns },
    { recogniser: 'deepgram', model: 'nova-3', speaker: 'cartesia', turns },
    { recogniser: 'assemblyai', speaker: 'deepgram', turns },
    { recogniser: 'sarvam', speaker: 'sarvam', turns },
    { recogniser: 'elevenlabs', speaker: 'openai-compatible', turns },
    { recogniser: 'openai', speaker: 'openai-compatible', turns },
    { recogniser: 'openai-compatible', speaker: 'elevenlabs', turns },
    { recogniser: 'vosk', speaker: 'cartesia', turns },
    { recogniser: 'sherpa', speaker: 'deepgram', turns },
  ];
}

/** Speakers that say where each word sounds. */
export const HAS_MARKS: ReadonlySet<TtsVendorName> = new Set(['elevenlabs', 'cartesia']);
