import { describe, expect, it } from 'vitest';
import type { Scheduler } from '../shared/clock.ts';
import { answerVirtualCall, type VirtualSession } from '../../test/rigs/calls/virtual-session.ts';
import { createFakeStt } from '../offline/scripted/stt.ts';
import type { SttEvent, SttOptions, SttProvider, SttSession } from '../providers/ports/recogniser.ts';
import type { Recorder } from './recorder.ts';
import { createFakeLlm } from '../offline/scripted/llm.ts';
import { createFakeTts } from '../offline/scripted/tts.ts';

const LONG = 'I have a slot on Tuesday at ten and another one on Friday, so which of them suits you better?';

const broken = (): never => {
  throw new Error('broken');
};

/** A recogniser of which some methods fail from `after` on. */
function failing(methods: Partial<SttSession>) {
  const inner = createFakeStt({});
  let fails = false;
  let onEvent: SttOptions['onEvent'] = () => undefined;
  const recogniser: SttProvider = {
    ...inner,
    open: (options) => {
      onEvent = options.onEvent;
      const session = inner.open(options);
      const now = (): SttSession => (fails ? { ...session, ...methods } : session);
      return {
        write: (frame, at) => now().write(frame, at),
        speechStarted: (at) => now().speechStarted(at),
        speechEnded: (at) => now().speechEnded(at),
        expect: (expected) => now().expect(expected),
        close: () => now().close(),
      };
    },
  };
  return {
    recogniser,
    fail: () => {
      fails = true;
    },
    receive: (event: SttEvent) => onEvent(event),
  };
}

describe('a fault in a conversation ends its call, not its thread', () => {
  it('raised by a hold', async () => {
    const { recogniser, fail } = failing({ speechEnded: broken });
    const call = answerVirtualCall({ recogniser });
    await call.hasSaid(/Maya/);
    call.talk(2_000);
    await call.time.advance(600);
    fail();
    call.session.suspension.holdUs(true, call.time.now());
    expect(await call.result()).toMatchObject({ reason: 'FAILED' });
  });

  it('raised by a resume', async () => {
    const { recogniser, fail } = failing({ expect: broken });
    const call = answerVirtualCall({ recogniser });
    await call.hasSaid(/Maya/);
    call.session.suspension.holdUs(true, call.time.now());
    await call.time.advance(200);
    fail();
    call.session.suspension.holdUs(false, call.time.now());
    expect(await call.result()).toMatchObject({ reason: 'FAILED' });
  });

  it('raised by a recogniser result', async () => {
    const { recogniser, receive } = failing({});
    const call = answerVirtualCall({ recogniser });
    await call.hasSaid(/Maya/);
    receive({ type: 'switched', message: 'another', ears: null as never, at: call.time.now() });
    expect(await call.result()).toMatchObject({ reason: 'FAILED' });
  });

  it('raised by the recorder', async () => {
    const recorder = { start: () => undefined, agent: broken, caller: broken, close: () => null };
    const call = answerVirtualCall({ recorder: recorder as unknown as Recorder });
    expect(await call.result()).toMatchObject({ reason: 'FAILED' });
    const notices = call.live.filter((event) => event.type === 'notice');
    expect(notices.at(0)).toMatchObject({ code: 'CONVERSATION_FAILED' });
  });

  it('raised while it closes', async () => {
    const { recogniser, fail } = failing({ close: broken });
    const call = answerVirtualCall({ recogniser });
    await call.hasSaid(/Maya/);
    fail();
    call.session.remoteHangup(call.time.now());
    expect(await call.result()).toMatchObject({ reason: 'USER_LEFT' });
  });
});

describe('a call that is over', () => {
  it('leaves no timer, stream or session open', async () => {
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
      (call) => call.session.suspension.holdUs(true, call.time.now()),
    ];
    for (let n = 0; n < 100; n++) {
      const scheduler: Scheduler = {
        now: () => call.time.now(),
        after: (ms, run) => call.time.after(ms, run),
      };
      const call: VirtualSession = answerVirtualCall({
        spec: { maxCallMs: 20_000 },
        recogniser: ((stt) => ({ ...stt, open: (options) => counted(stt.open(options), 'close') }))(
          createFakeStt({
            finals: ['hello', 'yes'],
            scheduler,
          }),
        ),
        speaker: ((tts) => ({ ...tts, open: (options) => counted(tts.open(options), 'close') }))(
          createFakeTts({ scheduler }),
        ),
        llm: ((llm) => ({ ...llm, open: (context) => counted(llm.open(context), 'close') }))(
          createFakeLlm({
            replies: [LONG],
            scheduler,
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
});
