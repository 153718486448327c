import { describe, expect, it } from 'vitest';
import { FRAME_MS } from '@callwright/audio';
import type { TranscriptLine } from '@callwright/turns';
import { answerVirtualCall, virtualSpec } from '../../test/rigs/calls/virtual-session.ts';
import { VirtualTime } from '../../test/rigs/calls/virtual-time.ts';
import { createFakeLlm } from '../offline/scripted/llm.ts';
import { createFakeStt } from '../offline/scripted/stt.ts';
import { createFakeTts } from '../offline/scripted/tts.ts';
import { ManualClock } from '../shared/clock.ts';
import type { TtsProvider } from '../providers/ports/voice.ts';
import type { Flow } from '../voice/flow/document.ts';

const BILLING = '0190a2f4-0000-7000-8000-000000000001';
/** Two questions, then another agent without a word between. */
const DESK: Flow = {
  start: 'invoice',
  variables: [
    { name: 'invoice', type: 'text' },
    { name: 'year', type: 'text' },
  ],
  nodes: [
    { id: 'invoice', type: 'collect', variable: 'invoice', ask: 'Which invoice?', edges: [{ to: 'year' }] },
    { id: 'year', type: 'collect', variable: 'year', ask: 'Which year?', edges: [{ to: 'billing' }] },
    { id: 'billing', type: 'handoff', agent_id: BILLING, edges: [{ to: 'sorry', on: 'failed' }] },
    { id: 'sorry', type: 'end', say: 'Nobody is free. Goodbye.' },
  ],
};
const BILLING_FLOW: Flow = {
  start: 'paid',
  variables: [{ name: 'answer', type: 'text' }],
  nodes: [
    { id: 'paid', type: 'collect', variable: 'answer', ask: 'क्या हुआ?', edges: [{ to: 'bye' }] },
    { id: 'bye', type: 'end', say: 'धन्यवाद। नमस्ते।' },
  ],
};
/** What the main thread takes to find and prepare the next agent. */
const PREPARE_MS = 40;
/** What a vendor's voice takes to connect. */
const CONNECT_MS = 900;

/** A voice of a vendor: what is said before its connection stands waits for it. */
function slowVoice(time: VirtualTime): TtsProvider & { connect(): void } {
  let standsAt = Number.POSITIVE_INFINITY;
  const connect = (): void => {
    standsAt = Math.min(standsAt, time.now() + CONNECT_MS);
  };
  const fake = createFakeTts({ ttsMs: 50, scheduler: time });
  return {
    ...fake,
    connect,
    open(options) {
      connect();
      const session = fake.open(options);
      return {
        close: () => session.close(),
        begin() {
          const context = session.begin();
          return {
            say: (...said) => void time.after(Math.max(0, standsAt - time.now()), () => context.say(...said)),
            end: () => void time.after(Math.max(0, standsAt - time.now()), () => context.end()),
            cancel: () => context.cancel(),
          };
        },
      };
    },
  };
}

/** A call in English, whose next agent has another voice and speaks Hindi; `frames`: when the recogniser got the caller's sound. */
function bilingualCall({ isSlow = false, isPrepared = true } = {}) {
  const time = new VirtualTime(new ManualClock());
  const frames: number[] = [];
  const voice = isSlow ? slowVoice(time) : null;
  const ahead: string[] = [];
  const fake = createFakeStt({
    sttMs: 100,
    finals: ['last week', 'this year', 'the letter is wrong'],
    scheduler: time,
  });
  const call = answerVirtualCall({
    time,
    onMayHandTo(agentIds) {
      ahead.push(...agentIds);
      if (isPrepared) time.after(PREPARE_MS, () => voice?.connect());
    },
    recogniser: {
      ...fake,
      open: (options) => {
        const session = fake.open(options);
        const write = session.write.bind(session);
        return Object.assign(session, {
          write: (frame: Int16Array, at: number) => {
            frames.push(at);
            write(frame, at);
          },
        });
      },
    },
    spec: { handsOver: true, maxCallMs: 600_000 },
    agent: {
      voiceKey: 'fake:desk',
      secondaryLanguage: 'hi-IN',
      introMessage: 'City Dental.',
      flow: { document: DESK, zone: 'UTC' },
    },
  });
  const spec = virtualSpec({
    agent: {
      name: 'Billing',
      language: 'hi-IN',
      voiceKey: 'fake:billing',
      introMessage: 'यह बिलिंग है।',
      flow: { document: BILLING_FLOW, zone: 'UTC' },
    },
  });
  return {
    call,
    frames,
    ahead,
    handOver: async (): Promise<void> => {
      const { requestId } = await time.until('the handoff', () =>
        call.tools.find(({ name }) => name === 'hand_over'),
      );
      await time.advance(PREPARE_MS);
      call.session.toolResult(
        requestId,
        {
          ok: true,
          result: { status: 'handed_over', agent_id: BILLING, agent_name: 'Billing' },
          next: { id: BILLING, spec },
        },
        {
          llm: createFakeLlm({ llmMs: 100, scheduler: time }),
          tts: voice ?? createFakeTts({ ttsMs: 50, scheduler: time }),
        },
      );
    },
  };
}

function reactionTo(transcript: readonly TranscriptLine[], words: string): number {
  const at = transcript.findIndex(({ role, text }) => role === 'caller' && text === words);
  return transcript[at + 1]!.startedAt - transcript[at]!.endedAt;
}

describe('a handoff to an agent of another voice and language', () => {
  it('has the second agent speak within 1.2 times the usual reaction, and the ears miss no frame', async () => {
    const { call, frames, handOver } = bilingualCall();
    await call.hasSaid(/Which invoice/);
    call.talk(900);
    await call.hasSaid(/Which year/);
    call.talk(900);
    await handOver();
    await call.hasSaid(/क्या हुआ/);
    call.talk(900);
    await call.hasSaid(/नमस्ते/);
    const { transcript, reason } = await call.result();
    expect(reason).toBe('AGENT_ENDED');
    expect(reactionTo(transcript, 'this year') / reactionTo(transcript, 'last week')).toBeLessThanOrEqual(
      1.2,
    );
    expect(transcript.find(({ text }) => text.startsWith('यह'))?.spokenBy?.agent?.name).toBe('Billing');
    expect(transcript.findLast(({ role }) => role === 'caller')?.text).toBe('the letter is wrong');
    const gaps = frames.slice(1).map((at, index) => at - frames[index]!);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(FRAME_MS);
    expect(frames.length).toBeGreaterThan(400);
  });

  it('connects to the vendor of its voice while the question before it is open', async () => {
    const reactions = async (isPrepared: boolean): Promise<number> => {
      const { call, ahead, handOver } = bilingualCall({ isSlow: true, isPrepared });
      await call.hasSaid(/Which invoice/);
      call.talk(900);
      await call.hasSaid(/Which year/);
      expect(new Set(ahead)).toEqual(new Set([BILLING]));
      call.talk(900);
      await handOver();
      await call.hasSaid(/क्या हुआ/);
      call.session.remoteHangup(call.time.now());
      const { transcript } = await call.result();
      return reactionTo(transcript, 'this year') / reactionTo(transcript, 'last week');
    };
    expect(await reactions(true)).toBeLessThanOrEqual(1.2);
    expect(await reactions(false)).toBeGreaterThan(1.2);
  });

  it('keeps what the caller says while the next agent is prepared', async () => {
    const { call, handOver } = bilingualCall();
    await call.hasSaid(/Which invoice/);
    call.talk(900);
    await call.hasSaid(/Which year/);
    call.talk(900);
    await call.time.until('the handoff', () => call.tools.some(({ name }) => name === 'hand_over'));
    call.talk(900);
    await handOver();
    await call.hasSaid(/नमस्ते|क्या हुआ/);
    await call.time.until('the words', () =>
      call.live.some((event) => event.type === 'line' && event.line.text === 'the letter is wrong'),
    );
    call.session.remoteHangup(call.time.now());
    const { transcript } = await call.result();
    expect(transcript.filter(({ role }) => role === 'caller').map(({ text }) => text)).toEqual([
      'last week',
      'this year',
      'the letter is wrong',
    ]);
  });
});
