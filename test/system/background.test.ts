import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVadProvider } from '../../src/providers/vad/provider.ts';
import { createOfflineTts } from '../../src/providers/tts/offline.ts';
import { dbfs } from '../../src/voice/audio/level.ts';
import { mixInto } from '../../src/voice/audio/mixer.ts';
import { officeAmbience } from '../../src/voice/audio/office-ambience.ts';
import { initialGate, stepGate } from '../../src/voice/turn/speech-gate.ts';
import { sidesOf } from '../helpers/line-audio.ts';
import { phonesOf, type Phones } from '../helpers/line-phone.ts';
import { watchLive } from '../helpers/live-call.ts';
import { recordingOf, startPhoneService } from '../helpers/phone-service.ts';
import { createAgent, place, transcriptOf, whenOver } from '../helpers/scenario.ts';
import type { Service } from '../helpers/service.ts';
import { startSipPeer, type SipPeer } from '../helpers/sip-peer.ts';
import { synthesise } from '../helpers/speech.ts';

const FRAME = 160;

const OURS = '+14155550100';

describe('on a call', () => {
  let service: Service;
  let peer: SipPeer;
  let phones: Phones;
  let close: () => Promise<void> = () => Promise.resolve();
  beforeAll(async () => {
    peer = await startSipPeer();
    phones = phonesOf(peer);
    ({ service, close } = await startPhoneService(
      [{ name: 'carrier', uri: `sip:127.0.0.1:${peer.port}`, transport: 'udp' }],
      [{ number: OURS, trunk: 'carrier' }],
    ));
  });
  afterAll(async () => {
    await close();
    await peer.stop();
  });

  interface Heard {
    /** Level of each frame that came, of 20 ms: the agent's voice, and between its words. */
    readonly levels: number[];
    readonly caller: Int16Array;
    readonly call: any;
  }

  /** A call to a phone whose owner answers one question by a key and is silent otherwise. */
  async function callWith(background: object, number: string): Promise<Heard> {
    const agentId = await createAgent(service, {
      intro_message: 'Hello, this is Maya of Riverside Dental. Shall we send you a reminder?',
      task: '1. Ask "Shall we send you a reminder?"\n2. Thank them and say goodbye.',
      call_config: { background_audio_config: background },
    });
    phones.on(number, { answers: 'PCMU' });
    const callId = await place(service, agentId, number, {
      call_config: { call_retry_config: { retry_count: 0 } },
    });
    const live = await watchLive(service, callId);
    await live.hasSaid(/reminder/);
    const person = phones.calls(number)[0]!;
    person.press('1');
    expect(await person.ended).toBe('caller');
    live.stop();
    const call = await whenOver(service, callId);
    const { caller } = sidesOf(await recordingOf(call));
    return { levels: person.frames().map((frame) => dbfs(frame)), caller, call };
  }

  it('is heard under the voice and between its words, on our side of the recording alone', async () => {
    const [office, quiet] = await Promise.all([
      callWith({ audio_id: 'office_ambience', volume: 0.5 }, '+14155550123'),
      callWith({ audio_id: null }, '+14155550124'),
    ]);
    // Half the volume is 6 dB below the loop's own level of -30. From its first frame on there is none without it.
    const sounding = office.levels.slice(office.levels.findIndex((level) => level > -60));
    expect(sounding.length).toBeGreaterThan(300);
    expect(sounding.filter((level) => level < -42)).toEqual([]);
    expect(sounding.filter((level) => level < -30).length).toBeGreaterThan(100);
    expect(quiet.levels.filter((level) => level < -55).length).toBeGreaterThan(50);
    for (const { call, caller } of [office, quiet]) {
      // Neither side takes it for speech, and nothing of it comes back: the conversation is the same as without it.
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
