import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOfflineTts } from '../../src/providers/tts/offline.ts';
import { joined } from '../../src/providers/tts/speech-audio.ts';
import { silentLog } from '../../src/shared/log.ts';
import { replyTo } from '../../src/telephony/test-carrier/answers.ts';
import { Ear } from '../../src/telephony/test-carrier/ear.ts';
import { NO_TEXT, pushText, restOfText } from '../../src/voice/prompt/sentences.ts';
import { AGENT_SENTENCES } from '../helpers/agent-sentences.ts';
import { sidesOf, soundingMs } from '../helpers/line-audio.ts';
import { createAgent, place, provisionWith, transcriptOf, whenOver } from '../helpers/scenario.ts';
import { startService, type Service } from '../helpers/service.ts';
import { overTheLine, synthesise } from '../helpers/speech.ts';

describe("the callee's ear", () => {
  const tts = createOfflineTts();
  const ear = new Ear({ log: silentLog });
  afterAll(() => Promise.all([tts.close(), ear.close()]));

  /** A turn of the agent as a call speaks it: sentence by sentence. */
  async function spoken(voiceKey: string, turn: string): Promise<Int16Array> {
    const { buffer, sentences } = pushText(NO_TEXT, turn);
    const parts: Int16Array[] = [];
    for (const text of [...sentences, restOfText(buffer) ?? '']) {
      parts.push(await synthesise(tts, { voiceKey, language: 'en-US', text }), new Int16Array(800));
    }
    return overTheLine(joined(parts), 300, 400);
  }

  function heard(from: Ear, pcm: Int16Array): Promise<string> {
    return new Promise((resolve) => {
      const texts: string[] = [];
      const line = from.open(8000, (text) => {
        texts.push(text);
        if (!line.decoding) resolve(texts.join(' '));
      });
      line.begin();
      for (let at = 0; at + 160 <= pcm.length; at += 160) line.write(pcm.subarray(at, at + 160), false);
      line.end();
    });
  }

  it.each([
    ['flite:slt', 0.9],
    ['flite:rms', 0.9],
    ['espeak:m3', 0.75],
  ])(
    'gives a right answer to what %s asks',
    async (voiceKey, share) => {
      const wrong: string[] = [];
      for (const [said, answer] of AGENT_SENTENCES) {
        const words = await heard(ear, await spoken(voiceKey, said));
        const { say } = replyTo(words);
        if (!answer.test(say)) wrong.push(`${said} | ${words} | ${say}`);
      }
      const allowed = Math.floor((1 - share) * AGENT_SENTENCES.length);
      // Compared with the list itself, so that a failure shows what was misheard.
      expect(wrong).toEqual(wrong.slice(0, allowed));
    },
    120_000,
  );

  it('hears the question at the end of a long speech', async () => {
    const story = 'We are open from nine to five and have a long list of services to talk about. '.repeat(4);
    const pcm = await spoken('flite:slt', `${story} Which day would suit you?`);
    expect(pcm.length / 8000).toBeGreaterThan(15);
    expect(replyTo(await heard(ear, pcm)).say).toBe('On Tuesday.');
  });

  it('hears nothing, and keeps nobody waiting, where no model is installed', async () => {
    const deaf = new Ear({ log: silentLog, modelDirectory: '/nonexistent' });
    expect(await heard(deaf, new Int16Array(16_000))).toBe('');
    expect(await heard(deaf, new Int16Array(16_000))).toBe('');
    await deaf.close();
  });
});

const linesOf = (call: any, side: 'bot' | 'user'): string[] =>
  transcriptOf(call).flatMap((line) => line[side] ?? []);
const COMPLETED = { call_status: 'completed', call_sub_status: 'AGENT_ENDED', hangup_by: 'agent' };

describe.concurrent('the demo agent of a first start', () => {
  let service: Service;
  afterAll(() => service?.dispose());

  it('talks with the cooperative callee to the end of its script', async () => {
    const started = await startService();
    const printed = (what: string): string => new RegExp(`${what} +(\\S+)`).exec(started.output())?.[1] ?? '';
    const key = printed('API key');
    service = {
      ...started,
      key,
      async request(method, path, body) {
        const answer = await fetch(`${started.url}${path}`, {
          method,
          headers: { 'x-api-key': key, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        return { status: answer.status, body: await answer.json() };
      },
    };
    const callId = await place(service, printed('Demo agent'), '+14155550123');
    const call = await whenOver(service, callId, 100_000);
    expect(call).toMatchObject(COMPLETED);
    expect(linesOf(call, 'bot').join(' ')).toMatch(/good moment.*Can you make it\?.*reminder.*goodbye/is);
    expect(linesOf(call, 'user').filter((line) => /yes/i.test(line)).length).toBeGreaterThanOrEqual(3);
  }, 150_000);
});

describe.concurrent('callees of the test carrier', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ provision: provisionWith({}) });
  });
  afterAll(() => service?.dispose());

  it('answers days, times, numbers and choices as they are asked', async () => {
    const agentId = await createAgent(service, {
      task: [
        '1. Say "You have a check-up with us next week."',
        '2. Ask "Which day would suit you?"',
        '3. Ask "What time works best for you?"',
        '4. Ask "How many people will come along?"',
        '5. Ask "Would you like a morning or an afternoon call?"',
        '6. Ask "Shall we send you a reminder?"',
        '7. Thank them and say goodbye.',
      ].join('\n'),
    });
    const call = await whenOver(service, await place(service, agentId, '+14155550123'), 120_000);
    expect(call).toMatchObject(COMPLETED);
    const said = linesOf(call, 'user').join(', ').toLowerCase();
    for (const answer of ['tuesday', 'nine in the morning', 'three', 'yes']) expect(said).toContain(answer);
    expect(linesOf(call, 'bot').join(' ')).toContain('Shall we send you a reminder?');
  }, 150_000);

  it('greets as voicemail and sounds a tone, both in the caller side of the recording', async () => {
    const agentId = await createAgent(service, {
      call_config: { voicemail: { detect: false }, idle_timeout_warning: 8, idle_timeout_end: 12 },
    });
    const once = { call_config: { call_retry_config: { retry_count: 0 } } };
    const call = await whenOver(service, await place(service, agentId, '+14155550004', once));
    expect(call.call_status).toBe('completed');
    const { caller } = await recorded(call);
    const tone = toneAt(caller, 1000);
    expect(tone.lengthMs).toBeGreaterThan(600);
    expect(tone.lengthMs).toBeLessThan(800);
    expect(soundingMs(caller.subarray(0, tone.startMs * 8))).toBeGreaterThan(3000);
  }, 120_000);

  it('screens a call, then answers like anyone', async () => {
    const agentId = await createAgent(service, { task: SCREENED });
    const call = await whenOver(service, await place(service, agentId, '+14155550008'), 100_000);
    expect(call).toMatchObject(COMPLETED);
    const { caller } = await recorded(call);
    // The announcement alone is six seconds long; yes and goodbye are not.
    expect(soundingMs(caller)).toBeGreaterThan(5000);
    expect(linesOf(call, 'bot').join(' ')).toMatch(/reminder.*goodbye/is);
  }, 150_000);
});

const SCREENED = '1. Ask "Shall we send you a reminder?"\n2. Thank them and say goodbye.';

const recorded = async (call: any): Promise<{ caller: Int16Array; agent: Int16Array }> =>
  sidesOf(Buffer.from(await (await fetch(call.recording_url)).arrayBuffer()));

/** The longest stretch of a steady tone at `hz` in 8 kHz sound, by its share of each 20 ms frame's power. */
function toneAt(pcm: Int16Array, hz: number): { startMs: number; lengthMs: number } {
  let longest = { startMs: 0, lengthMs: 0 };
  let run = 0;
  for (let at = 0; at + 160 <= pcm.length; at += 160) {
    let [cos, sin, power] = [0, 0, 1];
    for (let i = 0; i < 160; i++) {
      const sample = pcm[at + i] ?? 0;
      cos += sample * Math.cos((2 * Math.PI * hz * i) / 8000);
      sin += sample * Math.sin((2 * Math.PI * hz * i) / 8000);
      power += sample * sample;
    }
    const isTone = power / 160 > 300 ** 2 && (2 * (cos * cos + sin * sin)) / (160 * power) > 0.8;
    run = isTone ? run + 20 : 0;
    if (run > longest.lengthMs) longest = { startMs: at / 8 + 20 - run, lengthMs: run };
  }
  return longest;
}
