import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVadProvider } from '../../src/providers/vad/provider.ts';
import { createOfflineTts } from '../../src/providers/tts/offline.ts';
import { dbfs } from '../../src/voice/audio/level.ts';
import { mixInto } from '../../src/voice/audio/mixer.ts';
import { officeAmbience } from '../../src/voice/audio/office-ambience.ts';
import { initialGate, stepGate } from '../../src/voice/turn/speech-gate.ts';
import { sidesOf } from '../helpers/line-audio.ts';
import { createAgent, place, provisionWith, transcriptOf, whenOver } from '../helpers/scenario.ts';
import { startService, type Service } from '../helpers/service.ts';
import { synthesise } from '../helpers/speech.ts';

const FRAME = 160;

describe('on a call', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ provision: provisionWith({}) });
  });
  afterAll(() => service?.dispose());

  /** Levels of the call's sound in steps of 200 ms, our side and theirs. */
  async function levels(background: object): Promise<{ agent: number[]; caller: number[]; call: any }> {
    const agentId = await createAgent(service, {
      task: '1. Ask "Shall we send you a reminder?"\n2. Thank them and say goodbye.',
      call_config: { background_audio_config: background },
    });
    const call = await whenOver(service, await place(service, agentId, '+14155550123'));
    const sides = sidesOf(Buffer.from(await (await fetch(call.recording_url)).arrayBuffer()));
    const steps = (pcm: Int16Array): number[] =>
      Array.from({ length: Math.floor(pcm.length / 1600) - 2 }, (_, at) =>
        dbfs(pcm.subarray((at + 1) * 1600, (at + 2) * 1600)),
      );
    return { agent: steps(sides.agent), caller: steps(sides.caller), call };
  }

  it('is heard under the voice and between its words, on our side of the recording alone', async () => {
    const [office, quiet] = await Promise.all([
      levels({ audio_id: 'office_ambience', volume: 0.5 }),
      levels({ audio_id: null }),
    ]);
    // Half the volume is 6 dB below the loop's own level of -30. A machine out of breath may leave gaps, so shares count.
    const share = (steps: readonly number[], from: number, to: number): number =>
      steps.filter((level) => level > from && level <= to).length / steps.length;
    expect(share(office.agent, -45, -30)).toBeGreaterThan(0.2);
    expect(share(quiet.agent, -45, -30)).toBeLessThan(share(office.agent, -45, -30) / 2);
    expect(share(quiet.agent, -101, -70)).toBeGreaterThan(0.3);
    expect(share(office.agent, -101, -70)).toBeLessThan(share(quiet.agent, -101, -70) / 2);
    expect(share(office.caller, -101, -60)).toBeGreaterThan(0.3);
    // Neither side takes it for speech: the conversation is the same as without it.
    for (const { call } of [office, quiet]) {
      expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
      expect(
        transcriptOf(call)
          .map((line) => line.bot ?? '')
          .join(' '),
      ).toMatch(/reminder.*goodbye/is);
    }
  }, 120_000);
});

function wholeLoop(): Int16Array {
  const office = officeAmbience(8000);
  office.reach(office.pcm.length);
  return office.pcm;
}

/** How often the gate behind an ear finds that speech begins. */
function speechIn(pcm: Int16Array, engine: 'silero' | 'light'): number {
  const vad = createVadProvider({ engine }).open(8000);
  let gate = initialGate();
  let found = 0;
  for (let at = 0; at + FRAME <= pcm.length; at += FRAME) {
    const frame = pcm.subarray(at, at + FRAME);
    const levelDbfs = dbfs(frame);
    const next = stepGate(gate, { probability: vad.process(frame), levelDbfs, frameMs: 20, at: at / 8 });
    gate = next.gate;
    if (next.edge?.type === 'speech_started') found++;
  }
  vad.close();
  return found;
}

describe('to an ear', () => {
  it('a whole loop of it holds no speech', () => {
    expect(speechIn(wholeLoop(), 'silero')).toBe(0);
  });

  it.each(['silero', 'light'] as const)('a voice over it is speech: %s', async (engine) => {
    const tts = createOfflineTts();
    const voice = await synthesise(tts, {
      voiceKey: 'flite:slt',
      language: 'en-US',
      text: 'Hello, this is Maya of Riverside Dental.',
    });
    await tts.close();
    const pcm = wholeLoop().slice(0, voice.length + 16_000);
    mixInto(pcm.subarray(8000), voice, 1);
    expect(speechIn(pcm, engine)).toBeGreaterThan(0);
  });
});
