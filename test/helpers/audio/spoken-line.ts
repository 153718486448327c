import { decodeUlawTo, encodeUlawTo } from '@callwright/audio';
import type { Language } from '@callwright/language';
import { joined } from '../../../src/offline/speech/speech-audio.ts';
import type { TtsEvent, TtsProvider } from '../../../src/providers/ports/voice.ts';

/** What an agent of a clinic says. */
export const CLINIC_SENTENCES = [
  'Hello, this is the front desk of Riverside Dental. How can I help you today?',
  'Your appointment is on Tuesday the fourteenth at half past nine in the morning.',
  'I am sorry, we have nothing free on that day. Would Thursday afternoon suit you better?',
  'Please bring your insurance card and arrive ten minutes early.',
  'May I have your last name and your date of birth?',
  'The first visit costs eighty dollars, and you can pay by card.',
  'We are open from eight in the morning until six in the evening.',
  'Let me check that for you. One moment, please.',
  'I have moved your visit to Friday at three.',
  'Our office is on Main Street, next to the library.',
  'Thank you for calling. Have a nice day, and goodbye.',
  'Would you like me to send you a reminder the day before?',
] as const;

export const LINE_RATE = 8000;

export interface SpokenLine {
  readonly events: readonly TtsEvent[];
  readonly pcm: Int16Array;
  /** Until the first audio, ms. */
  readonly firstMs: number;
}

/** What a call gets of a text by one voice. */
export async function speakLine(
  tts: Pick<TtsProvider, 'open'>,
  text: string,
  {
    voiceKey,
    speed = 1,
    language = 'en-US',
  }: { readonly voiceKey: string; readonly speed?: number; readonly language?: Language },
): Promise<SpokenLine> {
  const events: TtsEvent[] = [];
  const startedAt = performance.now();
  let firstMs = 0;
  const session = tts.open({ voiceKey, language, speed, sampleRate: LINE_RATE });
  await new Promise<void>((resolve, reject) => {
    session.begin().say(text, (event) => {
      if (firstMs === 0 && event.type === 'audio') firstMs = performance.now() - startedAt;
      events.push(event);
      if (event.type === 'done') resolve();
      if (event.type === 'failed') reject(new Error(event.message));
    });
  });
  session.close();
  const pcm = joined(events.flatMap((event) => (event.type === 'audio' ? [event.pcm] : [])));
  return { events, pcm, firstMs };
}

/** As the far side of a phone line has it. */
export function overG711(pcm: Int16Array): Int16Array {
  const [wire, out] = [new Uint8Array(pcm.length), new Int16Array(pcm.length)];
  encodeUlawTo(wire, 0, pcm);
  decodeUlawTo(out, wire);
  return out;
}
