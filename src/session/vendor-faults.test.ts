import { describe, expect, it, vi } from 'vitest';
import { answerVirtualCall } from '../../test/rigs/calls/virtual-session.ts';
import type { FakeLlmFailure } from '../offline/scripted/llm.ts';
import type { FakeSttFailure } from '../offline/scripted/stt.ts';
import type { FakeTtsFailure } from '../offline/scripted/tts.ts';
import { loadConfig } from '../config.ts';
import { createScriptLlm } from '../offline/script/brain.ts';

const LONG = 'I have a slot on Tuesday at ten and another one on Friday, so which of them suits you better?';

const STT: readonly FakeSttFailure[] = ['none', 'error', 'fatal', 'hang', 'nothing'];
const LLM: readonly FakeLlmFailure[] = ['none', 'error', 'error-once', 'fatal', 'hang', 'stall', 'empty'];
const TTS: readonly FakeTtsFailure[] = ['none', 'error', 'fatal', 'hang', 'cut', 'empty'];
const CAP_MS = 30_000;

/** A caller who says a line every six seconds, whatever the agent does. */
async function held(stt: FakeSttFailure, llm: FakeLlmFailure, tts: FakeTtsFailure) {
  const call = answerVirtualCall({
    stt: { failure: stt },
    finals: Array.from({ length: 12 }, (_, i) => `I want to book table ${i}.`),
    llm: { replies: ['Sure. Which day suits you?'], failure: llm },
    tts: { failure: tts },
    spec: { maxCallMs: CAP_MS },
  });
  const ended: true[] = [];
  const result = call.result().finally(() => void ended.push(true));
  for (let i = 0; i < 12; i++) {
    const lineAt = 2_000 + i * 6_000;
    await call.time.until('the next line', () => ended.length > 0 || call.elapsed() >= lineAt);
    if (ended.length === 0) call.talk(1_200);
  }
  return result;
}

const faults = STT.flatMap((stt) => LLM.flatMap((llm) => TTS.map((tts) => [stt, llm, tts] as const)));

describe('a call whose vendors fail', () => {
  it.each(faults)('ends by itself: recogniser %s, model %s, voice %s', async (stt, llm, tts) => {
    const result = await held(stt, llm, tts);
    const lengthMs = result.endedAt - result.startedAt;
    // What the caller has heard is on record, and nothing else: a voice that never sounds leaves no line.
    const isMute = tts !== 'none';
    const agent = result.transcript.filter(({ role }) => role === 'agent');
    expect(agent.length > 0).toBe(!isMute);
    // A mute agent is noticed soon, unless the model hangs too and the caller goes on talking: then the cap ends the call.
    const isNoticed = isMute && !(tts === 'hang' && (llm === 'hang' || llm === 'stall'));
    const reasons = isNoticed
      ? ['FAILED']
      : ['FAILED', 'MAX_CALL_DURATION', 'USER_BECAME_IDLE', 'AGENT_ENDED'];
    expect(reasons).toContain(result.reason);
    expect(lengthMs).toBeLessThanOrEqual(isNoticed ? 20_000 : CAP_MS);
  });
});

describe('a call without an answering vendor', () => {
  const parts = ['stt', 'llm', 'tts'] as const;
  it.each([[...parts], ...parts.map((part) => [part])])(
    'ends by its cap when vendors hang: %s %s %s',
    async (...hanging: readonly string[]) => {
      const hangs = (part: string) => (hanging.includes(part) ? { failure: 'hang' as const } : {});
      const call = answerVirtualCall({
        spec: { maxCallMs: 60_000 },
        stt: hangs('stt'),
        tts: hangs('tts'),
        llm: { replies: [LONG], ...hangs('llm') },
        finals: Array.from({ length: 20 }, () => 'and what about friday'),
      });
      for (let ms = 0; ms < 60_000; ms += 5_000) {
        call.talk(1_000);
        await call.time.advance(5_000);
      }
      const result = await call.result();
      expect(result.reason).not.toBe('USER_LEFT');
      expect(result.endedAt - result.startedAt).toBeLessThanOrEqual(60_000);
    },
  );

  it('uses only configured vendors', async () => {
    const loaded = loadConfig({});
    if (!loaded.ok) throw new Error(loaded.problems.join());
    const { providers, llm, stt, tts } = loaded.config;
    expect([llm, stt, tts, providers.models]).toEqual([[], [], [], {}]);
    expect(Object.values(providers.accounts).filter(({ apiKey }) => apiKey !== null)).toEqual([]);
    const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network'));
    try {
      const call = answerVirtualCall({ llm: createScriptLlm(), finals: ['hello', 'yes', 'goodbye'] });
      await call.hasSaid(/Maya/);
      call.talk(600);
      await call.hasSaid(/Tuesday/);
      call.talk(600);
      await call.hasSaid(/anything else/);
      call.talk(600);
      expect((await call.result()).reason).toBe('AGENT_ENDED');
      expect(fetched).not.toHaveBeenCalled();
    } finally {
      fetched.mockRestore();
    }
  });
});
