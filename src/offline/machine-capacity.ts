import { availableParallelism } from 'node:os';
import { FRAME_MS } from '@callwright/audio';
import { checkSpeech } from '../providers/stt/check-speech.ts';
import type { SttProvider } from '../providers/ports/recogniser.ts';
import type { TtsProvider } from '../providers/ports/voice.ts';
import { createVadProvider } from '../providers/vad/provider.ts';
import { callsHeard } from './words/calls-heard.ts';

/** What one call takes of a core: carrying its audio, and its engines while they work. Null: no such engine. */
export interface CallShares {
  readonly media: number;
  readonly words: number | null;
  readonly phrases: number | null;
  readonly voice: number | null;
}

/** The part of the processors that calls may use. */
const USABLE = 0.8;
/** The part of a call in which the caller speaks, and the agent. */
const TALKING = 0.5;
/** What carrying a call takes beside the detection of speech: packets, mixing, recording, conversation. */
const CARRYING = 0.005;
const RATE = 8000;
const FRAME = (RATE * FRAME_MS) / 1000;
const SENTENCE = 'Thank you for calling. Your appointment is on Tuesday at half past nine.';
const LIMIT_MS = 10_000;

/** Calls at once by what hears them; null: the engine is not there. */
export interface CallsThatFit {
  readonly vendors: number;
  readonly words: number | null;
  readonly phrases: number | null;
}

/** What a call takes of a core, heard by an engine that takes `hearing` of a core while the caller speaks. */
const shareOf = ({ media, voice }: Pick<CallShares, 'media' | 'voice'>, hearing: number): number =>
  media + TALKING * ((voice ?? 0) + hearing);

/** The cores that so many calls at once need. */
export const coresFor = (
  calls: number,
  shares: Pick<CallShares, 'media' | 'voice'>,
  hearing: number,
): number => Math.ceil((calls * shareOf(shares, hearing)) / USABLE);

/** Calls that fit on a machine, spoken by its own voices. */
export function callsThatFit(cores: number, shares: CallShares): CallsThatFit {
  const { words, phrases } = shares;
  const fit = (hearing: number): number =>
    Math.max(1, Math.floor((cores * USABLE) / shareOf(shares, hearing)));
  return {
    vendors: fit(0),
    words: words === null ? null : Math.min(callsHeard(cores, words), fit(words)),
    phrases: phrases === null ? null : fit(phrases),
  };
}

export const CORES = availableParallelism();

/** The share of a core that detecting speech on one line takes. */
export function mediaShare(): number {
  const speech = checkSpeech();
  const vad = createVadProvider().open(RATE);
  const run = (): number => {
    const before = process.cpuUsage();
    for (let at = 0; at + FRAME <= speech.length; at += FRAME) vad.process(speech.subarray(at, at + FRAME));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  try {
    // The first run compiles.
    run();
    return CARRYING + run() / ((speech.length * 1000) / RATE);
  } finally {
    vad.close();
  }
}

/** The time that a voice takes for a second of speech; null: it does not speak. */
export async function voiceShare(tts: Pick<TtsProvider, 'open'>, voiceKey: string): Promise<number | null> {
  const session = tts.open({ voiceKey, language: 'en-US', speed: 1, sampleRate: RATE });
  const startedAt = performance.now();
  const done = Promise.withResolvers<number | null>();
  const timer = setTimeout(() => done.resolve(null), LIMIT_MS);
  let samples = 0;
  session.begin().say(SENTENCE, (event) => {
    if (event.type === 'audio') samples += event.pcm.length;
    if (event.type === 'failed') done.resolve(null);
    if (event.type !== 'done') return;
    done.resolve(samples === 0 ? null : (performance.now() - startedAt) / ((samples * 1000) / RATE));
  });
  try {
    return await done.promise;
  } finally {
    clearTimeout(timer);
    session.close();
  }
}

/** The time that a recogniser of utterances takes for a second of speech; null: it does not answer. */
export async function utteranceShare(stt: Pick<SttProvider, 'open'>): Promise<number | null> {
  const speech = checkSpeech();
  const done = Promise.withResolvers<number | null>();
  const timer = setTimeout(() => done.resolve(null), LIMIT_MS);
  let endedAt = 0;
  const session = stt.open({
    language: 'en-US',
    secondaryLanguage: null,
    sampleRate: RATE,
    vocab: [],
    onEvent: (event) => {
      const ms = performance.now() - endedAt;
      done.resolve(event.type === 'failed' ? null : ms / ((speech.length * 1000) / RATE));
    },
  });
  session.speechStarted(0);
  for (let at = 0; at + FRAME <= speech.length; at += FRAME)
    session.write(speech.subarray(at, at + FRAME), 0);
  endedAt = performance.now();
  session.speechEnded(0);
  try {
    return await done.promise;
  } finally {
    clearTimeout(timer);
    session.close();
  }
}
