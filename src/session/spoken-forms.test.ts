import { describe, expect, it } from 'vitest';
import type { TtsEvent, TtsSession, TtsVoice } from '../providers/ports/voice.ts';
import { inSpokenForms, type SpokenLanguages } from './spoken-forms.ts';

/** A speaker that keeps what it is asked to say. */
function speaker(call: SpokenLanguages) {
  const said: { text: string; voice: Partial<TtsVoice> | undefined; emit: (event: TtsEvent) => void }[] = [];
  const tts: TtsSession = {
    begin: () => ({
      say: (text, emit, voice) => void said.push({ text, voice, emit }),
      end: () => undefined,
      cancel: () => undefined,
    }),
    close: () => undefined,
  };
  return { said, context: inSpokenForms(tts, call).begin() };
}

describe('sentences on their way to the speaker', () => {
  it('switch language and voice within one reply, both ways', () => {
    const { said, context } = speaker({
      language: 'hi-IN',
      secondaryLanguage: 'en-IN',
      secondaryVoiceKey: 'offline:english',
    });
    for (const text of ['आपका ऑर्डर तैयार है।', 'Your total is ₹1,50,000.', 'क्या यह 14:30 ठीक है?'])
      context.say(text, () => undefined);
    expect(said.map(({ text, voice }) => [text, voice])).toEqual([
      ['आपका ऑर्डर तैयार है।', undefined],
      [
        'Your total is 1 lakh 50 thousand rupees.',
        { language: 'en-IN', voiceKey: 'offline:english', written: 'Your total is ₹1,50,000.' },
      ],
      ['क्या यह दोपहर 2 बजकर 30 मिनट ठीक है?', { written: 'क्या यह 14:30 ठीक है?' }],
    ]);
  });

  it('keep their marks at the words that were written', () => {
    const { said, context } = speaker({ language: 'en-IN', secondaryLanguage: null });
    const marks: number[] = [];
    context.say('Pay ₹1,50,000 today.', (event) => {
      if (event.type === 'marks') marks.push(...event.marks.map((mark) => mark.textEnd));
    });
    const [sentence] = said;
    const spoken = sentence?.text ?? '';
    sentence?.emit({
      type: 'marks',
      marks: ['Pay', 'Pay 1 lakh', 'Pay 1 lakh 50 thousand rupees', spoken].map(({ length }) => ({
        textEnd: length,
        audioMs: length,
      })),
    });
    expect(marks.map((end) => 'Pay ₹1,50,000 today.'.slice(0, end))).toEqual([
      'Pay',
      'Pay ',
      'Pay ₹1,50,000',
      'Pay ₹1,50,000 today.',
    ]);
  });
});
