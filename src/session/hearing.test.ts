import { describe, expect, it } from 'vitest';
import type { SttEvent, SttProvider, VadProvider } from '../providers/ports/recogniser.ts';
import type { TurnEvent } from '@callwright/turns';
import { Hearing } from './hearing.ts';
import { voice } from '../../test/rigs/calls/virtual-session.ts';
import { roomCall } from '../../test/rigs/calls/room-call.ts';
import { createVadProvider } from '../providers/vad/provider.ts';

const LOUD = new Int16Array(160).fill(8_000);
const QUIET = new Int16Array(160);

/** Hearing with a VAD that takes loud frames for speech, and what it writes and dispatches. */
function listen() {
  const written: { sum: number; at: number }[] = [];
  const edges: string[] = [];
  const events: TurnEvent[] = [];
  const words: [text: string, isFinal: boolean][] = [];
  let emit: (event: SttEvent) => void = () => undefined;
  const stt: SttProvider = {
    name: 'recording',
    understands: () => true,
    open({ onEvent }) {
      emit = onEvent;
      return {
        write: (frame, at) => void written.push({ sum: frame.reduce((sum, value) => sum + value, 0), at }),
        speechStarted: (at) => void edges.push(`start ${at}`),
        speechEnded: (at) => void edges.push(`end ${at}`),
        expect: () => undefined,
        close: () => undefined,
      };
    },
    close: () => Promise.resolve(),
  };
  const vad: VadProvider = {
    name: 'level',
    open: () => ({
      process: (frame) => (frame[0] === 0 ? 0 : 1),
      reset: () => undefined,
      close: () => undefined,
    }),
  };
  const agent = { language: 'en-US', secondaryLanguage: null, vocab: [] } as never;
  const hearing = new Hearing(
    { agent },
    {
      providers: { vad, stt },
      sampleRate: 8000,
      noiseFilter: null,
      press: () => undefined,
      onAnswered: () => undefined,
      onWords: (text, isFinal) => void words.push([text, isFinal]),
      onVendor: () => undefined,
      onEars: () => undefined,
      onFault: (error) => {
        throw error;
      },
      dispatch: (event) => void events.push(event),
    },
  );
  return { hearing, written, edges, events, words, emit: (event: SttEvent) => emit(event) };
}

describe('hearing', () => {
  it('fills a gap with silence, up to the time it is noticed', () => {
    const { hearing, written } = listen();
    for (const at of [20, 40]) hearing.audio(LOUD, at);
    hearing.silence(120);
    hearing.silence(140);
    expect(written.map(({ at }) => at)).toEqual([20, 40, 60, 80, 100, 120, 140]);
    expect(written.slice(2).every(({ sum }) => sum === 0)).toBe(true);
  });

  it('writes silence while no packet has come yet', () => {
    const { hearing, written } = listen();
    for (const at of [100, 120, 140]) hearing.silence(at);
    expect(written).toHaveLength(2);
  });

  it('adds at most a second for a process that was suspended', () => {
    const { hearing, written } = listen();
    hearing.audio(QUIET, 20);
    hearing.silence(60_000);
    expect(written.length).toBeLessThanOrEqual(52);
  });

  it('times the edges of speech in the audio that the recogniser was given', () => {
    const { hearing, events } = listen();
    for (let at = 1_020; at <= 1_200; at += 20) hearing.audio(QUIET, at);
    // A burst: five frames arrive at once, 80 ms late.
    for (let i = 0; i < 5; i++) hearing.audio(LOUD, 1_300);
    for (let at = 1_320; at <= 1_420; at += 20) hearing.audio(QUIET, at);
    expect(events).toEqual([
      { type: 'speech_started', at: 1_300, since: 1_240, audioMs: 200 },
      { type: 'speech_paused', isPaused: true, at: 1_320 },
      { type: 'speech_stopped', at: 1_380, since: 1_300, audioMs: 300 },
    ]);
  });

  it('ends the utterance at the recogniser when the call is put on hold in it', () => {
    const { hearing, edges } = listen();
    for (const at of [20, 40, 60, 80]) hearing.audio(LOUD, at);
    hearing.reset(100);
    hearing.reset(120);
    expect(edges).toEqual(['start 0', 'end 100']);
  });

  it('shows words as they are recognised, and when they no longer change', () => {
    const { words, emit } = listen();
    emit({ type: 'partial', text: 'I wan', at: 100, audioMs: null });
    emit({ type: 'eager', text: 'I want', at: 200, audioMs: null });
    emit({ type: 'final', text: 'I want to book', confidence: null, at: 300, audioMs: null });
    emit({ type: 'nothing', at: 400 });
    expect(words).toEqual([
      ['I wan', false],
      ['I want', false],
      ['I want to book', true],
    ]);
  });

  it('passes endpoints, turns and audio times on to the turn machine', () => {
    const { events, emit } = listen();
    const words = [{ text: 'Book', startMs: 100, endMs: 320 }];
    emit({ type: 'eager', text: 'Book', at: 1, audioMs: 400, turn: '2', words });
    emit({ type: 'resumed', turn: '2', at: 2 });
    emit({ type: 'final', text: 'Book it.', confidence: 0.9, endpoint: 'certain', at: 3, audioMs: null });
    emit({ type: 'final', text: 'Now.', confidence: null, at: 4, audioMs: 900 });
    expect(events).toEqual([
      { type: 'eager', text: 'Book', at: 1, audioMs: 400, wordsEndMs: 320, turn: '2' },
      { type: 'endpoint_resumed', turn: '2', at: 2 },
      { type: 'final', text: 'Book it.', at: 3, certain: true },
      { type: 'final', text: 'Now.', at: 4, audioMs: 900, certain: false },
    ]);
  });
});

describe('an echo of the agent', () => {
  it('neither interrupts nor answers itself on a speakerphone', async () => {
    const { interruptions, heard } = await roomCall({
      vad: createVadProvider({ engine: 'light' }),
      room: { echo: { delayMs: 180, db: -14, walls: true } },
      agent: [voice(2_500), voice(1_900)],
      caller: [],
      endMs: 9_000,
    });
    expect([interruptions, heard]).toEqual([0, []]);
  });
});
