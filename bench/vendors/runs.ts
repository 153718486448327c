import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { codedSpeech } from '@callwright/stand-ins';
import type { SttVendorName, TtsVendorName } from '../../src/vendors/catalogue.ts';
import { runConversation, type ConversationFigures } from '../conversation/run.ts';
import type { Fakes } from './fakes.ts';

/** Delays of the stand-ins: end of speech to end of turn, request to first word, text to first audio. */
export const DELAYS = { sttMs: 150, llmMs: 300, ttsMs: 120 } as const;
/** Chunks of audio make a stand-in hear the end of speech later than it could, by half a chunk on average. */
export const END_MS = DELAYS.sttMs - 40;
const REPLY = 'We are open from nine to five tomorrow. Would you like to book a visit?';

/** A recogniser, a speaker and Anthropic. */
export interface Pair {
  readonly recogniser: SttVendorName;
  readonly model?: string;
  readonly speaker: TtsVendorName;
}

export interface Row {
  readonly name: string;
  readonly figures: ConversationFigures;
}

export interface RunOptions {
  readonly calls: number;
  readonly seconds: number;
  /** Folder for processor profiles. */
  readonly profile: string | null;
}

export const recogniserLabel = ({ recogniser, model }: Omit<Pair, 'speaker'>): string =>
  model === undefined ? recogniser : `${recogniser}, ${model}`;
export const pairLabel = (pair: Pair): string => `${recogniserLabel(pair)}; ${pair.speaker}`;

export const accountOf = (fakes: Fakes, name: string, model: string | null = null) => ({
  apiKey: 'any',
  baseUrl: fakes.baseUrls.get(name) ?? '',
  model,
});

/** The calls warm up for so long before they are measured: code is compiled, connections are open. */
const WARM_SECONDS = 10;

/** A speaker that computes next to nothing: the calls without vendors must not cost what theirs do not. */
const CHEAP = { tts: `fake:ttsMs=${DELAYS.ttsMs},sound=tone` };

/** Holds calls with the vendors; `pair` null: with fakes in the service's own process. */
export async function holdCalls(fakes: Fakes, pair: Pair | null, options: RunOptions): Promise<Row> {
  const name = pair === null ? 'no vendor' : pairLabel(pair);
  process.stderr.write(`${name}, ${options.calls} calls\n`);
  if (pair !== null) await setDelays(fakes, pair);
  const profile = options.profile === null ? null : join(options.profile, name.replaceAll(/\W+/g, '-'));
  if (profile !== null) mkdirSync(profile, { recursive: true });
  const figures = await runConversation({
    ...DELAYS,
    calls: options.calls,
    seconds: options.seconds,
    warmSeconds: WARM_SECONDS,
    wordMs: 0,
    barge: false,
    question: codedSpeech('When do you open?', 8000),
    providers: pair === null ? CHEAP : providersOf(fakes, pair),
    ...(profile === null ? {} : { profile }),
  });
  return { name, figures };
}

async function setDelays(fakes: Fakes, { recogniser, speaker }: Pair): Promise<void> {
  await fakes.set(recogniser, { eagerMs: END_MS, endMs: END_MS, resultMs: 0, speechMs: 0 });
  await fakes.set(speaker, { speechMs: DELAYS.ttsMs });
  await fakes.set('anthropic', { firstByteMs: DELAYS.llmMs, wordMs: 0, replies: [{ text: REPLY }] });
}

function providersOf(fakes: Fakes, { recogniser, model, speaker }: Pair): Record<string, unknown> {
  const { baseUrl } = accountOf(fakes, 'anthropic');
  return {
    recognisers: [{ name: recogniser, settings: accountOf(fakes, recogniser, model) }],
    voices: [{ name: speaker, settings: accountOf(fakes, speaker) }],
    models: [{ vendor: 'anthropic', key: 'any', baseUrl, model: 'any' }],
  };
}
