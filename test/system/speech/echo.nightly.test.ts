import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOfflineTts } from '../../../src/offline/speech/tts.ts';
import { roomSpeech, type RoomSpeech } from '../../rigs/calls/room-speech.ts';
import { echoTrials } from '../../rigs/calls/echo-trials.ts';

const tts = createOfflineTts();
let speech: RoomSpeech;
beforeAll(async () => {
  speech = await roomSpeech(tts);
});
afterAll(() => tts.close());

describe('an agent on a speakerphone', () => {
  it('never interrupts or answers itself, and is interrupted by every caller', async () => {
    const trials = await echoTrials(speech, 20);
    expect(trials.filter(({ self }) => self.interruptions > 0 || self.heard.length > 0)).toEqual([]);
    expect(trials.filter(({ real }) => real.interruptions !== 1 || real.heard.length !== 1)).toEqual([]);
  }, 180_000);
});
