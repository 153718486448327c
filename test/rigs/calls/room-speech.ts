import type { TtsProvider } from '../../../src/providers/ports/voice.ts';
import { synthesise } from '../../helpers/audio/speech.ts';

/** Synthesised speech for calls in a room. */
export interface RoomSpeech {
  /** A long message of the agent. */
  readonly agent: Int16Array;
  /** What callers say, in different voices. */
  readonly callers: readonly Int16Array[];
  /** A television: a voice that talks without a longer pause. */
  readonly television: Int16Array;
}

const MESSAGE = [
  'I am calling about your appointment with the dentist, which we have to move.',
  'It is on Tuesday at ten in the morning, or on Friday in the afternoon.',
  'Please tell me which of the two suits you better, and I will note it down.',
];
const NEWS =
  'Heavy rain has reached the coast this evening and the fire brigade has closed two bridges while the ' +
  'minister of transport says that trains will run again before the weekend and schools stay open as usual';

export async function roomSpeech(tts: TtsProvider): Promise<RoomSpeech> {
  const say = (voice: string, text: string): Promise<Int16Array> =>
    synthesise(tts, { voiceKey: `flite:${voice}`, language: 'en-US', text });
  const message = await Promise.all(MESSAGE.map((text) => say('slt', text)));
  return {
    agent: Int16Array.from(message.flatMap((pcm) => Array.from(pcm))),
    callers: await Promise.all([
      say('rms', 'Wait a moment please, I cannot do it on that day.'),
      say('awb', 'No, stop, that is not my appointment.'),
    ]),
    television: await say('kal16', NEWS),
  };
}
