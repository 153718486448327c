import { describe, expect, it, vi } from 'vitest';
import {
  answerVirtualCall,
  voice,
  type VirtualSession,
  type VirtualSessionOptions,
} from '../../test/rigs/calls/virtual-session.ts';
import { roomCall } from '../../test/rigs/calls/room-call.ts';
import { loadConfig } from '../config.ts';
import { createFakeLlm } from '../offline/scripted/llm.ts';
import { createFakeStt } from '../offline/scripted/stt.ts';
import { createFakeTts } from '../offline/scripted/tts.ts';
import { createScriptLlm } from '../offline/script/brain.ts';
import { createVadProvider } from '../providers/vad/provider.ts';
import { peak } from '@callwright/audio';
import { Player } from './player.ts';

/** Faults that users of other voice agents report, in whole sessions; each test is named after the fault it prevents. */
const LONG = 'I have a slot on Tuesday at ten and another one on Friday, so which of them suits you better?';

const outbound = (finals: readonly string[], options: VirtualSessionOptions = {}): VirtualSession =>
  answerVirtualCall({
    llm: { replies: ['I see.', 'Right.'] },
    finals,
    ...options,
    agent: { voicemail: { action: 'end', staticMessage: null }, idleWarningSeconds: 0, idleEndSeconds: 60 },
  });
const answeredBy = (call: VirtualSession): string[] =>
  call.live.flatMap((event) =>
    event.type === 'notice' && event.code === 'ANSWERED_BY' ? [event.message] : [],
  );
const hungUp = async (call: VirtualSession) => {
  call.session.remoteHangup(call.time.now());
  return call.result();
};

describe('no agent', () => {
  it.each([
    ['voicemail', 'hi this is bob please leave a message after the tone'],
    ['screening', 'please say your name and why you are calling'],
    ['ivr', 'for sales press one for support press two'],
    ['hold', 'all our agents are busy your call is important to us'],
    ['human', 'hello this is bob who is calling'],
  ])('takes %s for something else, or needs more than 4 s', async (kind, words) => {
    const call = outbound([words]);
    call.talk(2_500);
    await call.time.until('a decision', () => answeredBy(call).includes(kind));
    const { answeredBy: decided } = await hungUp(call);
    expect(decided).toMatchObject({ kind });
    expect(decided?.confidence).toBeGreaterThan(0.5);
    expect(decided?.revisedMs ?? decided?.decidedMs).toBeLessThan(4_000);
  });

  it.each([
    'he is not available right now can I help you',
    'would you like to leave a message for her',
    'riverside dental how can I help you please hold on a second',
    'sorry I cannot hear you',
  ])('hangs up on a person who says: %s', async (words) => {
    const call = outbound([words, 'yes']);
    call.talk(2_000);
    await call.hasSaid(/I see|Right/);
    call.talk(500);
    await call.time.advance(3_000);
    expect((await hungUp(call)).reason).toBe('USER_LEFT');
  });

  it('trusts the first answer for ever: a mailbox after a transfer by the far side is noticed', async () => {
    const call = outbound(['hello', 'please leave a message after the tone']);
    call.talk(500);
    await call.time.until('the person', () => answeredBy(call).includes('human'));
    await call.time.advance(3_000);
    call.session.hold(true, call.time.now());
    await call.time.advance(6_000);
    call.session.hold(false, call.time.now());
    call.talk(2_500);
    const { reason, answeredBy: decided } = await call.result();
    expect([reason, decided?.kind]).toEqual(['VOICEMAIL_DETECTED', 'voicemail']);
  });

  const parts = ['stt', 'llm', 'tts'] as const;
  it.each([[...parts], ...parts.map((part) => [part])])(
    'stays on a call for ever when vendors hang: %s %s %s',
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

  it('leaves a timer, stream or session behind when its call is over', async () => {
    let open = 0;
    const counted = <T extends object>(opened: T, close: keyof T): T => {
      open += 1;
      const real = opened[close] as () => void;
      return Object.assign(opened, {
        [close]: () => {
          open -= 1;
          real.call(opened);
        },
      });
    };
    const ends: ((call: VirtualSession) => unknown)[] = [
      (call) => call.session.remoteHangup(call.time.now()),
      (call) => call.session.onMediaTimeout(call.time.now()),
      (call) => call.session.requestEnd('USER_TERMINATED', 'Goodbye.'),
      (call) => call.session.hold(true, call.time.now()),
    ];
    for (let n = 0; n < 100; n++) {
      const timers = { after: (ms: number, run: () => void) => call.time.after(ms, run) };
      const call: VirtualSession = answerVirtualCall({
        spec: { maxCallMs: 20_000 },
        recogniser: ((stt) => ({ ...stt, open: (options) => counted(stt.open(options), 'close') }))(
          createFakeStt({
            finals: ['hello', 'yes'],
            timers,
          }),
        ),
        speaker: ((tts) => ({ ...tts, open: (options) => counted(tts.open(options), 'close') }))(
          createFakeTts({ timers }),
        ),
        llm: ((llm) => ({ ...llm, open: (context) => counted(llm.open(context), 'close') }))(
          createFakeLlm({
            replies: [LONG],
            timers,
          }),
        ),
      });
      await call.time.advance(200 + 40 * n);
      call.talk(400);
      await call.time.advance(10 * n);
      ends[n % ends.length]?.(call);
      await call.result();
      expect([n, open, call.time.pending]).toEqual([n, 0, 0]);
    }
  });

  it('interrupts or answers itself on a speakerphone', async () => {
    const { interruptions, heard } = await roomCall({
      vad: createVadProvider({ engine: 'light' }),
      room: { echo: { delayMs: 180, db: -14, walls: true } },
      agent: [voice(2_500), voice(1_900)],
      caller: [],
      endMs: 9_000,
    });
    expect([interruptions, heard]).toEqual([0, []]);
  });

  it('leaves a gap at the seam of two pieces of a voice, or between its sentences', () => {
    const player = new Player(8000, { onStarted: () => undefined, onEnded: () => undefined });
    const piece = (ms: number): Int16Array => new Int16Array(ms * 8).fill(4_000);
    for (const id of [1, 2]) player.add(1, id);
    player.release(1);
    // Pieces of odd lengths, as speakers send them.
    for (const ms of [33, 7, 110, 51]) player.push(1, piece(ms));
    player.complete(1);
    for (const ms of [90, 29, 121]) player.push(2, piece(ms));
    player.complete(2);
    const out = new Int16Array(160);
    const samples: number[] = [];
    for (let at = 0; player.fill(out.fill(0), at); at += 20) samples.push(...out);
    expect(samples.slice(0, 441 * 8).indexOf(0)).toBe(-1);
    expect(samples.length).toBeLessThanOrEqual(460 * 8);
  });

  it('hears the other two after it has connected them, and none leaves a caller alone whose target is lost', async () => {
    const call = answerVirtualCall({
      llm: { replies: ['I connect you.'] },
      finals: ['hello', 'is that maya', 'hello'],
    });
    await call.hasSaid(/Maya/);
    const target = call.openTransfer('A caller for you.');
    call.session.bridgeAnswered(call.time.now());
    await call.time.until('the connection', () => call.bridge.some(({ type }) => type === 'connected'));
    const before = call.live.length;
    call.talk(1_000);
    target.say(voice(3_000));
    await call.time.advance(4_000);
    // Neither words nor music of the two become turns.
    expect(call.live.slice(before).filter(({ type }) => type === 'line')).toEqual([]);
    expect(target.soundMs()).toBeGreaterThan(500);
    call.session.closeBridge();
    call.talk(500);
    await call.hasSaid(/connect you/);
    expect((await hungUp(call)).reason).toBe('USER_LEFT');
  });

  it('is deaf or drowned under its own background sound, which is one stream with its voice', async () => {
    const call = answerVirtualCall({
      agent: { backgroundVolume: 1 },
      llm: { replies: [LONG, 'All right.'] },
      finals: ['hello', 'friday please'],
    });
    await call.hasSaid(/Maya/);
    call.talk(400);
    await call.time.advance(2_500);
    call.talk(600);
    await call.hasSaid(/All right/);
    const frames = call.person.frames();
    expect(call.live.filter(({ type }) => type === 'interrupted')).toHaveLength(1);
    // One frame every 20 ms, none of them silent.
    expect(Math.abs(frames.length - call.elapsed() / 20)).toBeLessThanOrEqual(2);
    expect(frames.slice(2).filter((frame) => peak(frame) === 0)).toEqual([]);
    await hungUp(call);
  });

  it('reaches for a vendor that nobody configured', async () => {
    const loaded = loadConfig({});
    if (!loaded.ok) throw new Error(loaded.problems.join());
    const { providers, llm, stt, tts } = loaded.config;
    expect([llm, stt, tts, providers.models]).toEqual([[], [], [], {}]);
    expect(Object.values(providers.accounts).filter(({ apiKey }) => apiKey !== null)).toEqual([]);
    const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network'));
    try {
      const call = answerVirtualCall({ llm: createScriptLlm(), finals: ['hello', 'yes'] });
      await call.hasSaid(/Maya/);
      call.talk(600);
      await call.hasSaid(/Tuesday/);
      call.talk(600);
      expect((await call.result()).reason).toBe('AGENT_ENDED');
      expect(fetched).not.toHaveBeenCalled();
    } finally {
      fetched.mockRestore();
    }
  });
});
