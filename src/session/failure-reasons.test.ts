import { describe, expect, it } from 'vitest';
import { answerVirtualCall } from '../../test/rigs/calls/virtual-session.ts';
import { createFakeStt } from '../offline/scripted/stt.ts';
import type { SttSession } from '../providers/ports/recogniser.ts';

const brokenAfterStart = (session: SttSession): SttSession => ({
  ...session,
  speechEnded: () => {
    throw new Error('broken');
  },
});

describe('a conversation that fails says why', () => {
  it('names the voice when its engine gives no sound', async () => {
    const call = answerVirtualCall({ tts: { failure: 'fatal' } });
    expect(await call.result()).toMatchObject({ reason: 'FAILED', failure: { code: 'VOICE_FAILED' } });
  });

  it('repeats the words of the voice engine', async () => {
    const call = answerVirtualCall({ tts: { failure: 'empty' } });
    const { failure } = await call.result();
    expect(failure?.message).toContain('(the voice returned no sound)');
  });

  it('names the voice or what it waited for when no audio comes at all', async () => {
    const call = answerVirtualCall({ tts: { failure: 'hang' } });
    expect(await call.result()).toMatchObject({ reason: 'FAILED', failure: { code: 'REPLY_FAILED' } });
  });

  it('names the language model when it fails twice', async () => {
    const call = answerVirtualCall({ llm: { failure: 'fatal' }, stt: { finals: ['yes', 'no', 'yes'] } });
    await call.hasSaid(/Maya/);
    call.talk(900);
    await call.hasSaid(/Sorry/);
    await call.time.until('the agent to be quiet', () => call.person.quietMs() > 800);
    call.talk(900);
    expect(await call.result()).toMatchObject({ reason: 'FAILED', failure: { code: 'MODEL_FAILED' } });
  });

  it('names an error inside the conversation', async () => {
    const call = answerVirtualCall({
      recogniser: {
        ...createFakeStt({}),
        open: (options) => brokenAfterStart(createFakeStt({}).open(options)),
      },
    });
    await call.hasSaid(/Maya/);
    call.talk(900);
    expect(await call.result()).toMatchObject({ reason: 'FAILED', failure: { code: 'CONVERSATION_FAILED' } });
  });

  it('says that it was closed without an end of its own', async () => {
    const call = answerVirtualCall({});
    await call.hasSaid(/Maya/);
    expect(await call.session.finish()).toMatchObject({ failure: { code: 'CONVERSATION_CUT' } });
  });

  it('has no failure when the caller hangs up', async () => {
    const call = answerVirtualCall({});
    await call.hasSaid(/Maya/);
    call.session.remoteHangup(call.time.now());
    expect(await call.result()).toMatchObject({ reason: 'USER_LEFT', failure: null });
  });
});
