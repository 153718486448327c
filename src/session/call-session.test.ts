import { describe, expect, it } from 'vitest';
import { answerVirtualCall, voice } from '../../test/rigs/calls/virtual-session.ts';
import { peak } from '@callwright/audio';
import { createScriptLlm } from '../offline/script/brain.ts';
import type { ConversationResult } from '../voice/conversation.ts';
import type { SttProvider } from '../providers/ports/recogniser.ts';

const lines = ({ transcript }: Pick<ConversationResult, 'transcript'>): string[] =>
  transcript.map(({ role, text, interrupted }) => `${role}${interrupted ? '!' : ''}: ${text}`);
const LONG = 'I have a slot on Tuesday at ten and another one on Friday, so which of them suits you better?';

describe('a call session', () => {
  it('holds a whole conversation with the script brain, each time and latency to the frame', async () => {
    const call = answerVirtualCall({ llm: createScriptLlm(), finals: ['hello', 'yes', 'no thank you'] });
    await call.hasSaid(/Maya/);
    call.talk(600);
    await call.hasSaid(/Tuesday/);
    call.talk(600);
    await call.hasSaid(/anything else/);
    call.talk(600);
    const result = await call.result();
    expect(result.reason).toBe('AGENT_ENDED');
    expect(lines(result)).toEqual([
      'agent: Hello, this is Maya.',
      'caller: hello',
      'agent: Can you make it on Tuesday?',
      'caller: yes',
      'agent: Alright. Is there anything else I can help you with?',
      'caller: no thank you',
      'agent: Thank you for your time. Goodbye!',
    ]);
    const times = result.transcript.map(({ startedAt, endedAt }) => [
      startedAt - result.startedAt,
      endedAt - result.startedAt,
    ]);
    expect(times).toEqual([
      [60, 1240],
      [1260, 1840],
      [2120, 3720],
      [3720, 4320],
      [4600, 7640],
      [7640, 8240],
      [8520, 10420],
    ]);
    expect(result).toMatchObject({
      firstUtteranceMs: 60,
      interruptions: 0,
      latencies: [
        { endpointingMs: 280, recognitionMs: 180, totalMs: 280, prepared: true },
        { endpointingMs: 280, recognitionMs: 180, totalMs: 280, prepared: true },
        { endpointingMs: 280, recognitionMs: 180, totalMs: 280, prepared: true },
      ],
    });
  });

  it('fills gaps with silence, but not the time of a stall whose packets are still to be read', () => {
    let frames = 0;
    const recogniser: SttProvider = {
      name: 'counting',
      understands: () => true,
      open: () => ({
        write: () => void (frames += 1),
        speechStarted: () => undefined,
        speechEnded: () => undefined,
        expect: () => undefined,
        close: () => undefined,
      }),
      close: () => Promise.resolve(),
    };
    const { session, time } = answerVirtualCall({ recogniser });
    const [start, frame, out] = [time.now(), voice(20), new Int16Array(160)];
    const hear = (at: number): void => session.onAudio(frame, 0, false, start + at);
    for (let at = 20; at <= 200; at += 20) {
      hear(at);
      session.fill(out, start + at);
    }
    expect(frames).toBe(10);
    for (let n = 0; n < 3; n++) session.fill(out, start + 320);
    for (let n = 0; n < 6; n++) hear(320);
    session.fill(out, start + 340);
    expect(frames).toBe(16);
    for (let at = 360; at <= 500; at += 20) session.fill(out, start + at);
    // Up to now, in frames.
    expect(frames).toBe(16 + (500 - 320) / 20);
  });

  it('waits for the hello of the callee, and speaks at once after it', async () => {
    const auto = { firstSpeaker: { mode: 'auto', delayMs: 0, limitMs: 10_000 } } as const;
    const silent = answerVirtualCall({ agent: auto });
    await silent.hasSaid(/Maya/);
    const polite = answerVirtualCall({ agent: auto, finals: ['hello'] });
    polite.talk(300);
    await polite.hasSaid(/Maya/);
    for (const call of [silent, polite]) call.session.remoteHangup(call.time.now());
    const [late, soon] = [await silent.result(), await polite.result()];
    expect(late.firstUtteranceMs).toBe(700);
    expect(soon.firstUtteranceMs).toBeLessThan(500);
    expect(lines(soon)).toEqual(['caller: hello', 'agent: Hello, this is Maya.']);
    const inbound = answerVirtualCall({ agent: auto, spec: { direction: 'inbound' } });
    await inbound.hasSaid(/Maya/);
    inbound.session.remoteHangup(inbound.time.now());
    expect((await inbound.result()).firstUtteranceMs).toBe(60);
  });

  it('hangs up 160 ms after the last words have left, when the far side has heard them', async () => {
    const call = answerVirtualCall({ llm: { replies: ['Goodbye.'], endAtReply: 0 }, finals: ['bye'] });
    await call.hasSaid(/Maya/);
    call.talk(400);
    const result = await call.result();
    expect(call.elapsed() - (result.endedAt - result.startedAt)).toBe(160);
  });

  it('stops within a fifth of a second when the caller interrupts, and records what was heard', async () => {
    const call = answerVirtualCall({
      llm: { replies: [LONG, 'All right.'] },
      finals: ['hello', 'friday please'],
    });
    await call.hasSaid(/Maya/);
    call.talk(400);
    await call.time.until('the agent to be in its sentence', () => call.person.soundMs() > 3000);
    call.talk(900);
    await call.hasSaid(/All right/);
    call.session.remoteHangup(call.time.now());
    const result = await call.result();
    expect(result).toMatchObject({ reason: 'USER_LEFT', interruptions: 1 });
    const [interruption] = call.live.filter(({ type }) => type === 'interrupted');
    expect(interruption).toMatchObject({ type: 'interrupted' });
    const [, , cut, words] = lines(result);
    expect(cut).toMatch(/^agent!: I have a slot/);
    expect(cut).not.toContain('suits you better');
    expect(words).toBe('caller: friday please');
  });

  it('lowers its voice under an okay and loses no word by it', async () => {
    const call = answerVirtualCall({
      llm: { replies: [LONG, 'All right.'] },
      tts: { sound: 'tone' },
      finals: ['hello', 'okay'],
    });
    await call.hasSaid(/Maya/);
    call.talk(400);
    await call.time.until('the agent to be in its sentence', () => call.person.soundMs() > 3000);
    const before = call.person.frames().length;
    call.talk(240);
    await call.hasSaid(/suits you better/);
    const levels = call.person.frames().map(peak);
    const loud = Math.max(...levels);
    const low = levels.slice(before).filter((level) => level > 300 && level < loud / 8);
    // From 60 ms of the sound on until the gate has seen its end.
    expect(low.length).toBeGreaterThan(6);
    expect(low.length).toBeLessThan(20);
    expect(call.live.filter(({ type }) => type === 'interrupted')).toEqual([]);
    call.session.remoteHangup(call.time.now());
    const result = await call.result();
    expect(lines(result).slice(2)).toEqual([`agent: ${LONG}`]);
    const [, , sentence] = result.transcript;
    const spokenMs = (sentence?.endedAt ?? 0) - (sentence?.startedAt ?? 0);
    // Two pieces without a gap, to the frame.
    expect(spokenMs).toBeLessThanOrEqual(LONG.length * 60);
  });

  it('resumes its sentence at the word after a noise that stopped it', async () => {
    const call = answerVirtualCall({ llm: { replies: [LONG, 'All right.'] }, finals: ['hello'] });
    await call.hasSaid(/Maya/);
    call.talk(400);
    await call.time.until('the agent to be in its sentence', () => call.person.soundMs() > 3000);
    call.talk(700);
    await call.hasSaid(/suits you better/);
    call.session.remoteHangup(call.time.now());
    const result = await call.result();
    expect(lines(result).slice(2)).toEqual([`agent: ${LONG}`]);
    expect(result.interruptions).toBe(0);
  });

  it('takes keys as a turn of the caller', async () => {
    const call = answerVirtualCall({ llm: {} });
    await call.hasSaid(/Maya/);
    call.person.press('4', '2', '#');
    await call.hasSaid(/You said: 42/);
    call.session.remoteHangup(call.time.now());
    expect((await call.result()).transcript).toContainEqual(
      expect.objectContaining({ role: 'caller', text: '42', by: 'keypad' }),
    );
  });

  it('checks in on a silent caller, then ends the call', async () => {
    const call = answerVirtualCall();
    const result = await call.result();
    expect(result.reason).toBe('USER_BECAME_IDLE');
    expect(lines(result)).toHaveLength(3);
    // 16 s of silence, counted from the agent's last words; the check-in itself is not silence.
    expect(result.endedAt - result.startedAt).toBeGreaterThan(16_000);
    expect(result.endedAt - result.startedAt).toBeLessThan(24_000);
  });

  it('ends at the cap of the call', async () => {
    const call = answerVirtualCall({
      spec: { maxCallMs: 10_000 },
      agent: { idleWarningSeconds: 0, idleEndSeconds: 60 },
    });
    const result = await call.result();
    expect(result.reason).toBe('MAX_CALL_DURATION');
    expect(result.endedAt - result.startedAt).toBeLessThanOrEqual(10_000);
  });

  it('neither speaks nor listens while the far side holds the call', async () => {
    const call = answerVirtualCall({ llm: {}, finals: ['hello'] });
    await call.hasSaid(/Maya/);
    call.session.suspension.holdUs(true, call.time.now());
    await call.time.advance(40);
    const before = call.person.soundMs();
    call.talk(600);
    // Longer than the silence that would have ended the call.
    await call.time.advance(20_000);
    expect(call.person.soundMs()).toBe(before);
    call.session.suspension.holdUs(false, call.time.now());
    call.talk(600);
    await call.hasSaid(/You said: hello/);
    call.session.remoteHangup(call.time.now());
    expect((await call.result()).reason).toBe('USER_LEFT');
  });

  it('plays music to a far side on hold, hears nothing of it, and no silence ends the call before its cap', async () => {
    const call = answerVirtualCall({ llm: {}, finals: ['hello'] });
    await call.hasSaid(/Maya/);
    await call.time.advance(1_000);
    const before = call.person.soundMs();
    call.session.suspension.holdFarSide(true, call.time.now());
    call.talk(600);
    // Longer than the silence that would have ended the call.
    await call.time.advance(20_000);
    expect(call.person.soundMs() - before).toBeGreaterThan(19_000);
    call.session.suspension.holdFarSide(false, call.time.now());
    const after = call.person.soundMs();
    await call.time.advance(500);
    expect(call.person.soundMs() - after).toBeLessThan(100);
    call.talk(600);
    await call.hasSaid(/You said: hello/);
    call.session.remoteHangup(call.time.now());
    const result = await call.result();
    expect(lines(result).filter((line) => line.startsWith('caller'))).toEqual(['caller: hello']);
  });

  it('sends no music while both sides hold the call, and goes on only when neither does', async () => {
    const call = answerVirtualCall({ llm: {}, finals: ['hello'] });
    await call.hasSaid(/Maya/);
    await call.time.advance(1_000);
    call.session.suspension.holdFarSide(true, call.time.now());
    call.session.suspension.holdUs(true, call.time.now());
    const before = call.person.soundMs();
    await call.time.advance(5_000);
    expect(call.person.soundMs()).toBe(before);
    call.session.suspension.holdFarSide(false, call.time.now());
    call.talk(600);
    await call.time.advance(5_000);
    expect(call.person.soundMs()).toBe(before);
    call.session.suspension.holdUs(false, call.time.now());
    call.talk(600);
    await call.hasSaid(/You said: hello/);
    call.session.remoteHangup(call.time.now());
    expect((await call.result()).reason).toBe('USER_LEFT');
  });

  it('ends when no media arrives any more, without waiting for the far side to hear the rest', async () => {
    const call = answerVirtualCall();
    await call.time.advance(500);
    call.session.onMediaTimeout(call.time.now());
    const result = await call.result();
    expect(result.reason).toBe('MEDIA_TIMEOUT');
    expect(call.elapsed()).toBe(500);
  });

  it('reports an opt-out once, however often the caller asks', async () => {
    const call = answerVirtualCall({ llm: {}, finals: ['stop calling me', 'stop calling me'] });
    await call.hasSaid(/Maya/);
    call.talk(600);
    await call.hasSaid(/You said: stop/);
    call.talk(600);
    await call.time.advance(3000);
    call.session.remoteHangup(call.time.now());
    const result = await call.result();
    expect([call.optOuts(), result.optedOut]).toEqual([1, true]);
    expect(result.toolLog.filter(({ name }) => name === 'opt_out')).toHaveLength(1);
  });

  it('runs a tool on the main thread and speaks the reply that follows its result', async () => {
    const call = answerVirtualCall({
      llm: {
        replies: ['One moment.', 'Ten is free.'],
        tools: [{ reply: 0, name: 'find_slots', args: { day: 'Tuesday' } }],
      },
      spec: { tools: [{ name: 'find_slots', description: 'x', parameters: {}, kind: 'remote' }] },
      finals: ['any slot'],
    });
    await call.hasSaid(/Maya/);
    call.talk(600);
    const request = await call.time.until('the tool', () => call.tools[0]);
    expect(request).toMatchObject({ name: 'find_slots', args: { day: 'Tuesday' } });
    await call.time.advance(700);
    call.session.toolResult(request.requestId, {
      ok: true,
      result: { slots: ['ten'] },
      variables: { slot: 'ten' },
    });
    await call.hasSaid(/Ten is free/);
    call.session.remoteHangup(call.time.now());
    const [use] = (await call.result()).toolLog;
    expect(use).toMatchObject({
      name: 'find_slots',
      ok: true,
      ms: 700,
      phase: 'on_call',
      variables: { slot: 'ten' },
    });
  });

  it('bridges the caller to the transfer target after the briefing, and returns them to the agent', async () => {
    const call = answerVirtualCall({ llm: {}, finals: ['hello'] });
    await call.hasSaid(/Maya/);
    const target = call.openTransfer('A caller is waiting.');
    call.session.bridgeAnswered(call.time.now());
    await call.time.until('the two to be connected', () =>
      call.bridge.some(({ type }) => type === 'connected'),
    );
    expect(call.bridge.map(({ type }) => type)).toEqual(['briefing', 'connected']);
    expect(target.soundMs()).toBeGreaterThan(900);
    const [before, heard] = [call.person.soundMs(), target.soundMs()];
    call.talk(600);
    await call.time.advance(1000);
    expect(target.soundMs() - heard).toBeGreaterThan(300);
    target.say(voice(600));
    await call.time.advance(1000);
    expect(call.person.soundMs() - before).toBeGreaterThan(300);
    call.person.press('7');
    target.press('#');
    await call.time.advance(400);
    expect([target.keys, call.person.keys]).toEqual([['7'], ['#']]);
    call.session.closeBridge();
    call.talk(600);
    await call.hasSaid(/You said: hello/);
    call.session.remoteHangup(call.time.now());
    expect((await call.result()).transfers).toHaveLength(1);
  });

  it('ends as FAILED when the handling of a provider event throws, and throws nothing into the provider', async () => {
    const call = answerVirtualCall({
      llm: {
        name: 'broken',
        open: () => ({
          reply: () => {
            throw new Error('broken brain');
          },
          close: () => undefined,
        }),
        close: () => Promise.resolve(),
      },
      finals: ['hello'],
    });
    await call.hasSaid(/Maya/);
    call.talk(600);
    expect((await call.result()).reason).toBe('FAILED');
    expect(call.live).toContainEqual(
      expect.objectContaining({ type: 'notice', code: 'CONVERSATION_FAILED' }),
    );
  });

  it('sends each part of the conversation once: the parts make up the whole', async () => {
    const call = answerVirtualCall({ llm: createScriptLlm(), finals: ['hello', 'yes'] });
    await call.hasSaid(/Maya/);
    call.talk(600);
    await call.hasSaid(/Tuesday/);
    call.talk(600);
    const result = await call.result();
    expect(call.progress.flatMap(({ transcript }) => transcript)).toEqual(result.transcript);
    expect(call.progress.length).toBeGreaterThan(2);
  });
});

it("records that another voice replaces the agent's voice", async () => {
  const message = 'Arushi of cartesia is not available; Asha speaks instead';
  const call = answerVirtualCall({
    agent: { introMessage: 'Hi.', replacedVoice: { vendor: 'cartesia', message } },
  });
  await call.hasSaid(/Hi/);
  call.session.remoteHangup(call.time.now());
  expect((await call.result()).faults).toMatchObject([
    { part: 'tts', vendor: 'cartesia', kind: 'account', status: null, message, effect: 'switched' },
  ]);
});
