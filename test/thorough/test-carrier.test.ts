import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOfflineTts } from '../../src/offline/speech/tts.ts';
import { silentLog } from '../../src/shared/log.ts';
import { replyTo } from '../../src/offline/callee/answers.ts';
import { Recogniser } from '../../src/offline/callee/recogniser.ts';
import { AGENT_SENTENCES } from '../helpers/agents/agent-sentences.ts';
import { sidesOf, soundingMs } from '../helpers/audio/line-audio.ts';
import { createAgent, place, transcriptOf } from '../helpers/service/scenario.ts';
import { heardByCallee, spokenTurn } from '../helpers/audio/callee-speech.ts';
import { startVirtualService, type VirtualService } from '../rigs/calls/virtual-service.ts';

describe('callee speech recognition', () => {
  const tts = createOfflineTts();
  const recogniser = new Recogniser({ log: silentLog });
  afterAll(() => Promise.all([tts.close(), recogniser.close()]));

  // Each sentence in one of the voices, in turn; bench/speech.ts has all of them in all voices.
  it.each([
    ['flite:slt', 0.9, 0],
    ['flite:rms', 0.9, 1],
    ['espeak:m3', 0.75, 2],
  ])(
    'callees answer questions in the voice %s correctly',
    async (voiceKey, share, turn) => {
      const wrong: string[] = [];
      const sentences = AGENT_SENTENCES.filter((_sentence, n) => n % 3 === turn);
      for (const [said, answer] of sentences) {
        const words = await heardByCallee(recogniser, await spokenTurn(tts, voiceKey, said));
        const { say } = replyTo(words);
        if (!answer.test(say)) wrong.push(`${said} | ${words} | ${say}`);
      }
      const allowed = Math.floor((1 - share) * sentences.length);
      // Compared with its own prefix, so that a failure lists the misrecognised sentences.
      expect(wrong).toEqual(wrong.slice(0, allowed));
    },
    120_000,
  );

  it('recognises the question at the end of long speech', async () => {
    const story = 'We are open from nine to five and have a long list of services to talk about. '.repeat(4);
    const pcm = await spokenTurn(tts, 'flite:slt', `${story} Which day would suit you?`);
    expect(pcm.length / 8000).toBeGreaterThan(15);
    expect(replyTo(await heardByCallee(recogniser, pcm)).say).toBe('On Tuesday.');
  });

  it('returns empty text at once without an installed model', async () => {
    const broken = new Recogniser({ log: silentLog, modelDirectory: '/nonexistent' });
    expect(await heardByCallee(broken, new Int16Array(16_000))).toBe('');
    expect(await heardByCallee(broken, new Int16Array(16_000))).toBe('');
    await broken.close();
  });
});

let service: VirtualService;
const linesOf = (call: any, side: 'bot' | 'user'): string[] =>
  transcriptOf(call).flatMap((line) => line[side] ?? []);
const COMPLETED = { call_status: 'completed', call_sub_status: 'AGENT_ENDED', hangup_by: 'agent' };

describe('callees of the test carrier', () => {
  beforeAll(async () => {
    service = await startVirtualService();
  });
  afterAll(() => service?.close());

  it('answer questions for days, times, numbers and choices', async () => {
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
    const call = await service.whenOver(await place(service, agentId, '+14155550123'));
    expect(call).toMatchObject(COMPLETED);
    const said = linesOf(call, 'user').join(', ').toLowerCase();
    for (const answer of ['tuesday', 'nine in the morning', 'three', 'yes']) expect(said).toContain(answer);
    expect(linesOf(call, 'bot').join(' ')).toContain('Shall we send you a reminder?');
  });

  it('voicemail: greeting and tone are on the caller channel of the recording', async () => {
    const agentId = await createAgent(service, {
      call_config: { voicemail: { detect: false }, idle_timeout_warning: 8, idle_timeout_end: 12 },
    });
    const once = { call_config: { call_retry_config: { retry_count: 0 } } };
    const call = await service.whenOver(await place(service, agentId, '+14155550004', once));
    expect(call.call_status).toBe('completed');
    const { caller } = await recorded(call);
    const tone = toneAt(caller, 1000);
    expect(tone.lengthMs).toBeGreaterThan(600);
    expect(tone.lengthMs).toBeLessThan(800);
    expect(soundingMs(caller.subarray(0, tone.startMs * 8))).toBeGreaterThan(3000);
  }, 400_000);

  it('screening: announces the call, then answers like the cooperative callee', async () => {
    const agentId = await createAgent(service, { task: SCREENED });
    const call = await service.whenOver(await place(service, agentId, '+14155550008'));
    expect(call).toMatchObject(COMPLETED);
    const { caller } = await recorded(call);
    // The announcement alone lasts six seconds; "yes" and "goodbye" are short.
    expect(soundingMs(caller)).toBeGreaterThan(5000);
    expect(linesOf(call, 'bot').join(' ')).toMatch(/reminder.*goodbye/is);
  });
});

const SCREENED = '1. Ask "Shall we send you a reminder?"\n2. Thank them and say goodbye.';

const recorded = async (call: any): Promise<{ caller: Int16Array; agent: Int16Array }> =>
  sidesOf(await service.recordingOf(call));

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
