import type { HistoryItem, TurnLatency, TurnSettings } from '@callwright/turns';
import { simulate, type Simulation, type World } from '../rigs/turn/simulate.ts';

/** Settings of a simulated call: short, round times. */
export const settings: TurnSettings = {
  introMessage: 'Hello this is Maya.',
  muteDuringIntro: true,
  muteWhileAgentSpeaks: false,
  idleWarningMs: 5_000,
  idleEndMs: 10_000,
  maxCallMs: 60_000,
  endpointing: {
    prepareMs: 150,
    completeMs: 350,
    defaultMs: 700,
    patientMs: 1_200,
    pauseMs: 2_300,
    holdMs: 5_000,
  },
  interruption: { lowerMs: 60, minSpeechMs: 180, minWords: 1 },
  phrases: {
    idleCheckIn: 'Are you there?',
    idleGoodbye: 'Goodbye then.',
    maxLengthGoodbye: 'Our time is up.',
    apology: 'Sorry, say it again.',
    technicalGoodbye: 'We have a problem.',
    oneMoment: 'One moment.',
    didNotCatch: 'Pardon?',
  },
  backchannels: ['hmm', 'okay', 'yes', 'uh huh'],
  farewells: ['bye', 'thank you'],
  greetings: ['hello'],
  shortAnswers: ['yes', 'no'],
  waits: ['um', 'let me check'],
  language: 'en-US',
  replyTimeoutMs: 3_000,
};

/** A simulated call with changed settings. The intro plays from 50 ms to 50 + 19 * 60 = 1190 ms. */
export const run = (world: Partial<World> & { with?: Partial<TurnSettings> } = {}): Simulation =>
  simulate({ ...world, settings: { ...settings, ...world.with } });

/** The lines with their speaker; a mark shows interruptions. */
export const spoken = (call: Simulation): string[] =>
  call.lines.map((line) => `${line.role}${line.interrupted ? '!' : ''}: ${line.text}`);
/** How often an effect occurred. */
export const count = (call: Simulation, type: string): number =>
  call.effects.filter(({ effect }) => effect.type === type).length;
/** When an effect occurred. */
export const times = (call: Simulation, type: string): number[] =>
  call.effects.filter(({ effect }) => effect.type === type).map(({ at }) => at);
/** The latencies of the turns. */
export const latencies = (call: Simulation): TurnLatency[] =>
  call.effects.flatMap(({ effect }) => (effect.type === 'turn_latency' ? [effect.latency] : []));
/** The caller's lines in the history. */
export const callerTexts = (history: readonly HistoryItem[]): string[] =>
  history.flatMap((item) => (item.role === 'caller' ? [item.text] : []));
/** A sentence long enough to be interrupted. */
export const long = 'I have a slot on Tuesday and another one on Friday which of them suits you better';
