import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVadProvider } from '../../../src/providers/vad/provider.ts';
import { createOfflineTts } from '../../../src/offline/speech/tts.ts';
import { dbfs, mixInto, officeAmbience } from '@callwright/audio';
import { initialGate, stepGate } from '@callwright/turns';
import { sidesOf } from '../../helpers/audio/line-audio.ts';
import { createAgent, place, transcriptOf } from '../../helpers/service/scenario.ts';
import { synthesise } from '../../helpers/audio/speech.ts';
import { startVirtualService, type VirtualService } from '../../rigs/calls/virtual-service.ts';

const FRAME = 160;

describe('background audio on a call', () => {
  let service: VirtualService;
  beforeAll(async () => {
    service = await startVirtualService();
  });
  afterAll(() => service?.close());

  interface HeardCall {
    /** Level of each received frame of 20 ms, in dBFS. */
    readonly levels: number[];
    readonly caller: Int16Array;
    readonly call: any;
  }

  /** Places a call to a phone that answers the question by a key and is silent otherwise. */
  async function callWith(background: object, number: string): Promise<HeardCall> {
    const agentId = await createAgent(service, {
      intro_message: 'Hello, this is Maya of Riverside Dental. Shall we send you a reminder?',
      task: '1. Ask "Shall we send you a reminder?"\n2. Thank them and say goodbye.',
      call_config: { background_audio_config: background },
    });
    const calls = service.carrier.phone(number);
    const callId = await place(service, agentId, number, {
      call_config: { call_retry_config: { retry_count: 0 } },
    });
    await service.hasSaid(callId, /reminder/);
    const person = calls[0]!;
    person.press('1');
    const call = await service.whenOver(callId);
    expect(person.endedBy).toBe('agent');
    const { caller } = sidesOf(await service.recordingOf(call));
    return { levels: person.frames().map((frame) => dbfs(frame)), caller, call };
  }

  it('plays during and between the agent’s words, and only in the agent’s channel of the recording', async () => {
    const [office, quiet] = await Promise.all([
      callWith({ audio_id: 'office_ambience', volume: 0.5 }, '+14155550123'),
      callWith({ audio_id: null }, '+14155550124'),
    ]);
    // Half the volume is 6 dB below the loop's level of -30 dBFS. Every frame from the first one on contains it.
    const sounding = office.levels.slice(office.levels.findIndex((level) => level > -60));
    expect(sounding.length).toBeGreaterThan(300);
    expect(sounding.filter((level) => level < -42)).toEqual([]);
    expect(sounding.filter((level) => level < -30).length).toBeGreaterThan(100);
    expect(quiet.levels.filter((level) => level < -55).length).toBeGreaterThan(50);
    for (const { call, caller } of [office, quiet]) {
      // Neither side detects speech in it, and none is echoed: the conversation equals the one without it.
      expect(call).toMatchObject({
        call_status: 'completed',
        call_sub_status: 'AGENT_ENDED',
        interruptions: 0,
      });
      expect(caller.every((sample) => Math.abs(sample) < 16)).toBe(true);
      expect(
        transcriptOf(call)
          .map((line) => line.bot ?? '')
          .join(' '),
      ).toMatch(/reminder.*goodbye/is);
    }
  });
});

function wholeLoop(): Int16Array {
  const office = officeAmbience(8000);
  office.reach(office.pcm.length);
  return office.pcm;
}

/** How often VAD and speech gate detect a start of speech. */
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

describe('voice activity detection', () => {
  it('detects no speech in a whole loop of background audio', () => {
    expect(speechIn(wholeLoop(), 'silero')).toBe(0);
  });

  it.each(['silero', 'light'] as const)('detects a voice over background audio (%s)', async (engine) => {
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
