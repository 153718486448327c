import { describe, expect, it } from 'vitest';
import {
  answerVirtualCall,
  type VirtualSession,
  type VirtualSessionOptions,
} from '../../test/rigs/calls/virtual-session.ts';
import { VirtualTime } from '../../test/rigs/calls/virtual-time.ts';
import { createFakeLlm } from '../offline/scripted/llm.ts';
import { createFakeStt } from '../offline/scripted/stt.ts';
import { createFakeTts } from '../offline/scripted/tts.ts';
import { ChainedModel } from '../providers/llm/chained.ts';
import { ChainedRecogniser } from '../providers/stt/chained.ts';
import { ChainedVoice } from '../providers/tts/chained.ts';
import { vendorFault } from '../providers/wire/fault.ts';
import { VendorHealth } from '../providers/wire/health.ts';
import { ManualClock } from '../shared/clock.ts';
import type { LlmProvider } from '../providers/ports/model.ts';
import type { SttEvent, SttProvider } from '../providers/ports/recogniser.ts';
import type { TtsProvider } from '../providers/ports/voice.ts';

const CALLS = 20;
const TURNS = 6;
/** The vendor fails between these turns of the callers, which is some seconds. */
const FAILS = { from: 1, until: 4 } as const;

/** What all calls of one process share: time, and a vendor that fails and returns. */
class Outage {
  readonly time = new VirtualTime(new ManualClock());
  readonly health = new VendorHealth(() => this.time.now());
  isDown = false;

  model(): LlmProvider {
    const works = createFakeLlm({ llmMs: 100, replies: ['The model says this.'], scheduler: this.time });
    const vendor: LlmProvider = {
      name: 'anthropic',
      model: 'any',
      open: (context) => {
        const session = works.open(context);
        return {
          ...session,
          reply: (request, onEvent) => {
            if (!this.isDown) return session.reply(request, onEvent);
            const fault = vendorFault('anthropic', 'lost', 'overloaded', { status: 529 });
            this.time.after(50, () =>
              onEvent({ type: 'failed', message: fault.message, retryable: true, fault }),
            );
          },
        };
      },
      close: () => Promise.resolve(),
    };
    const script = createFakeLlm({ llmMs: 20, replies: ['The script says this.'], scheduler: this.time });
    return new ChainedModel([vendor, { ...script, name: 'offline' }], {
      health: this.health,
      scheduler: this.time,
    });
  }
}

/** Twenty people talk at the same time; the vendor fails in the middle. */
async function hold(
  outage: Outage,
  options: () => VirtualSessionOptions,
  fail: () => void,
  mend: () => void,
) {
  const calls = Array.from({ length: CALLS }, () =>
    answerVirtualCall({
      time: outage.time,
      finals: Array.from({ length: TURNS }, (_, n) => `this is sentence ${n}`),
      ...options(),
      agent: { introMessage: 'Hello there.', idleWarningSeconds: 30, idleEndSeconds: 60 },
    }),
  );
  await Promise.all(calls.map((call) => call.hasSaid(/Hello/)));
  const waits: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    if (turn === FAILS.from) fail();
    if (turn === FAILS.until) mend();
    waits.push(...(await Promise.all(calls.map((call, n) => takeTurn(call, n)))));
  }
  const results = await Promise.all(
    calls.map((call) => {
      call.session.remoteHangup(outage.time.now());
      return call.result();
    }),
  );
  return { waits, results };
}

/** Says something and waits for the reply; returns how long the caller heard nothing after their last sound. */
async function takeTurn(call: VirtualSession, n: number): Promise<number> {
  const { time, person } = call;
  // Not all at the same moment, as people talk.
  await time.advance(400 + (n % 5) * 180);
  const before = agentLines(call).length;
  call.talk(700);
  const quietFrom = time.now() + 700;
  let heardAt = 0;
  const remove = time.onTick((at) => {
    if (heardAt === 0 && at > quietFrom && person.quietMs() === 0) heardAt = at;
  });
  await time.until('a reply', () => agentLines(call).length > before, 12_000);
  remove();
  return heardAt - quietFrom;
}

const agentLines = ({ live }: VirtualSession): string[] =>
  live.flatMap((event) => (event.type === 'line' && event.line.role === 'agent' ? [event.line.text] : []));

type Held = Awaited<ReturnType<typeof hold>>;
const repliesOf = ({ results }: Held) =>
  results.map(({ transcript }) => transcript.filter(({ role }) => role === 'agent').slice(1));

describe('twenty calls while a vendor fails and returns', () => {
  it('go on by the script and back to the model, and every reply says which engine spoke', async () => {
    const outage = new Outage();
    const llm = outage.model();
    const script = { temperature: null, maxTokens: null, onModelFailure: 'script' } as const;
    const held = await hold(
      outage,
      () => ({ llm, spec: { llm: script } }),
      () => (outage.isDown = true),
      () => {
        outage.isDown = false;
      },
    );
    expect(held.waits.filter((ms) => ms > 2_500)).toEqual([]);
    const model = { engine: 'model', vendor: 'anthropic', model: 'any', isFallback: false };
    const fallback = { engine: 'script', vendor: null, model: null, isFallback: true };
    for (const replies of repliesOf(held)) {
      expect(replies.slice(0, 4).map(({ text, spokenBy }) => [text, spokenBy])).toEqual([
        ['The model says this.', model],
        ['The script says this.', fallback],
        ['The script says this.', fallback],
        ['The script says this.', fallback],
      ]);
      // The model answers again in every call.
      expect(replies.at(-1)).toMatchObject({ text: 'The model says this.', spokenBy: model });
    }
    for (const { turns = [], reason } of held.results) {
      expect(reason).toBe('USER_LEFT');
      expect(turns.map(({ spokenBy }) => spokenBy?.engine)).toEqual([
        undefined,
        'model',
        'script',
        'script',
        'script',
        expect.any(String),
        'model',
      ]);
    }
  }, 240_000);

  it('apologise once and go on when the model is back at the next turn', async () => {
    const outage = new Outage();
    const llm = outage.model();
    const held = await hold(
      outage,
      () => ({ llm }),
      () => {
        outage.isDown = true;
        outage.time.after(2_400, () => (outage.isDown = false));
      },
      () => undefined,
    );
    expect(held.waits.filter((ms) => ms > 2_500)).toEqual([]);
    for (const replies of repliesOf(held)) {
      const engines = replies.map(({ spokenBy }) => spokenBy?.engine);
      expect(engines.filter((engine) => engine === 'apology').length).toBeLessThanOrEqual(1);
      expect(engines.filter((engine) => engine === 'model').length).toBeGreaterThanOrEqual(TURNS - 1);
    }
    const apologies = repliesOf(held)
      .flat()
      .filter(({ spokenBy }) => spokenBy?.engine === 'apology');
    expect(apologies.length).toBeGreaterThan(0);
    expect(apologies[0]?.spokenBy).toEqual({
      engine: 'apology',
      vendor: null,
      model: null,
      isFallback: true,
    });
  }, 240_000);

  it('understand every sentence although the sockets of the recogniser drop', async () => {
    const outage = new Outage();
    const drops: (() => void)[] = [];
    const works = createFakeStt({
      sttMs: 100,
      finals: Array.from({ length: TURNS * 3 }, (_, n) => `sentence ${n}`),
      scheduler: outage.time,
    });
    const vendor: SttProvider = {
      ...works,
      name: 'deepgram',
      open(options) {
        const fault = vendorFault('deepgram', 'lost', 'closed with code 1006');
        const failed: SttEvent = { type: 'failed', message: fault.message, retryable: true, at: 0, fault };
        const drop = (): void => options.onEvent({ ...failed, at: outage.time.now() });
        if (outage.isDown) outage.time.after(0, drop);
        else drops.push(drop);
        return works.open(options);
      },
    };
    const own = createFakeStt({
      sttMs: 60,
      finals: Array.from({ length: 20 }, () => 'heard here'),
      scheduler: outage.time,
    });
    const recogniser = new ChainedRecogniser([vendor, { ...own, name: 'offline' }], {
      health: outage.health,
      scheduler: outage.time,
    });
    const held = await hold(
      outage,
      () => ({ recogniser, llm: { replies: ['Fine.'] } }),
      () => {
        outage.isDown = true;
        for (const drop of drops.splice(0)) drop();
      },
      () => (outage.isDown = false),
    );
    expect(held.waits.filter((ms) => ms > 2_500)).toEqual([]);
    for (const { transcript, reason } of held.results) {
      expect(reason).toBe('USER_LEFT');
      expect(transcript.filter(({ role }) => role === 'caller')).toHaveLength(TURNS);
    }
    // The recogniser of the vendor hears again at the end.
    const last = held.results.map(
      ({ transcript }) => transcript.findLast(({ role }) => role === 'caller')?.text,
    );
    expect(last.filter((text) => text === 'heard here')).toEqual([]);
  }, 240_000);

  it('speak on although the voice refuses, and with the vendor again after it', async () => {
    const outage = new Outage();
    const works = createFakeTts({ ttsMs: 50, scheduler: outage.time });
    const vendor: TtsProvider = {
      ...works,
      name: 'elevenlabs',
      open(options) {
        const session = works.open(options);
        return {
          close: () => session.close(),
          begin: () => {
            const context = session.begin();
            return {
              end: () => context.end(),
              cancel: () => context.cancel(),
              say: (text, onEvent, manner) => {
                if (outage.isDown) {
                  const fault = vendorFault('elevenlabs', 'limit', 'too many requests', { status: 429 });
                  outage.time.after(40, () =>
                    onEvent({ type: 'failed', message: fault.message, retryable: true, fault }),
                  );
                  return;
                }
                onEvent({ type: 'usage', vendor: 'elevenlabs', model: null, characters: text.length });
                context.say(text, onEvent, manner);
              },
            };
          },
        };
      },
    };
    const own = { ...createFakeTts({ ttsMs: 60, scheduler: outage.time }), name: 'offline' };
    const speaker = new ChainedVoice([vendor, own], { health: outage.health, scheduler: outage.time });
    const held = await hold(
      outage,
      () => ({ speaker, llm: { replies: ['Fine.'] } }),
      () => (outage.isDown = true),
      () => (outage.isDown = false),
    );
    expect(held.waits.filter((ms) => ms > 2_500)).toEqual([]);
    for (const { turns = [], reason, transcript } of held.results) {
      expect(reason).toBe('USER_LEFT');
      expect(transcript.filter(({ role }) => role === 'agent')).toHaveLength(TURNS + 1);
      const voices = turns.map(({ tts }) => tts?.vendor);
      expect([voices[1], voices.at(-1)]).toEqual(['elevenlabs', 'elevenlabs']);
      expect(voices.slice(2, 5)).not.toContain('elevenlabs');
    }
  }, 240_000);
});
