import { joined } from '../../../src/offline/speech/speech-audio.ts';
import type { Language } from '@callwright/language';
import { type SampleRate, decodeUlawTo, encodeUlawTo } from '@callwright/audio';
import type { Expected } from '@callwright/turns';
import type { SttEvent, SttProvider } from '../../../src/providers/ports/recogniser.ts';
import type { TtsProvider } from '../../../src/providers/ports/voice.ts';

export interface SpeechRequest {
  voiceKey: string;
  language: Language;
  text: string;
  speed?: number;
  sampleRate?: SampleRate;
}

/** Synthesises a text whole; rejects when synthesis fails. */
export function synthesise(tts: TtsProvider, request: SpeechRequest): Promise<Int16Array> {
  const { voiceKey, language, text, speed = 1, sampleRate = 8000 } = request;
  const session = tts.open({ voiceKey, language, speed, sampleRate });
  const chunks: Int16Array[] = [];
  return new Promise((resolve, reject) => {
    const speech = session.begin();
    speech.say(text, (event) => {
      if (event.type === 'audio') chunks.push(event.pcm);
      else if (event.type === 'done') resolve(joined(chunks));
      else if (event.type === 'failed') reject(new Error(event.message));
    });
    speech.end();
  });
}

/** A caller's words as they arrive at 8 kHz: line noise at about -70 dBFS, silence around, through mu-law. */
export function overTheLine(speech: Int16Array, leadMs = 300, tailMs = 200): Int16Array {
  const lead = leadMs * 8;
  const sent = new Int16Array(lead + speech.length + tailMs * 8);
  let state = 1;
  for (let i = 0; i < sent.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    sent[i] = (speech[i - lead] ?? 0) + Math.round((state / 4_294_967_296 - 0.5) * 20);
  }
  const wire = new Uint8Array(sent.length);
  encodeUlawTo(wire, 0, sent);
  const received = new Int16Array(sent.length);
  decodeUlawTo(received, wire);
  return received;
}

/** The result of a recogniser session for one utterance. */
export function recognise(
  stt: SttProvider,
  expected: Expected | null,
  pcm: Int16Array,
  vocab: readonly string[] = [],
): Promise<SttEvent> {
  return new Promise((resolve) => {
    const session = stt.open({
      language: 'en-US',
      secondaryLanguage: null,
      sampleRate: 8000,
      vocab,
      onEvent: (event) => {
        session.close();
        resolve(event);
      },
    });
    session.expect(expected);
    session.speechStarted(0);
    for (let at = 0; at + 160 <= pcm.length; at += 160) session.write(pcm.subarray(at, at + 160), at / 8);
    session.speechEnded(pcm.length / 8);
  });
}

/** Short answers of callers with the expected answer kinds; recognition is measured on them. */
export const PHRASE_SETS: readonly { name: string; expected: Expected; phrases: readonly string[] }[] = [
  {
    name: 'yes and no',
    expected: { kinds: ['yes_no'], phrases: [] },
    phrases: [
      'yes',
      'yeah',
      'yes please',
      'sure',
      'okay',
      'correct',
      'that is correct',
      'of course',
      'no',
      'no thanks',
      'no thank you',
      'not really',
      'maybe',
      'i am not sure',
    ],
  },
  {
    name: 'control',
    expected: { kinds: ['yes_no'], phrases: [] },
    phrases: [
      'hello',
      'thank you',
      'goodbye',
      'repeat please',
      'who is this',
      'why are you calling',
      'are you a robot',
      'not interested',
      'call me later',
      'speak to a human',
      'stop calling me',
      'hold on',
      'what',
      'i do not know',
    ],
  },
  {
    name: 'days and times',
    expected: { kinds: ['date', 'time'], phrases: [] },
    phrases: [
      'monday',
      'tuesday',
      'wednesday',
      'thursday',
      'friday',
      'saturday',
      'sunday',
      'tomorrow',
      'today',
      'next week',
      'tuesday at three',
      'tomorrow morning',
      'march the fifth',
      'half past two',
      'three p m',
      'in the afternoon',
    ],
  },
  {
    name: 'numbers',
    expected: { kinds: ['number'], phrases: [] },
    phrases: [
      'one',
      'two',
      'three',
      'four',
      'five',
      'seven',
      'nine',
      'ten',
      'twelve',
      'twenty five',
      'forty two',
    ],
  },
  {
    name: 'digits',
    expected: { kinds: ['digits'], phrases: [] },
    phrases: [
      'one two three',
      'four five six seven',
      'two zero one nine',
      'five five five one two three four',
    ],
  },
  {
    name: 'choices',
    expected: {
      kinds: ['choice'],
      phrases: ['red', 'blue', 'large pizza', 'small pizza', 'delivery', 'pick up'],
    },
    phrases: ['red', 'blue', 'large pizza', 'small pizza', 'delivery', 'pick up'],
  },
];

/** Speech that answers no question. */
export const OTHER_SPEECH: readonly string[] = [
  'i went to the shop to buy bread',
  'the weather is very nice over here',
  'my dog ate the homework',
  'we already paid that bill last month',
  'please send it to my office',
];

/** Whether the recognised answer equals the spoken one, synonyms included. */
export const sameAnswer = (said: string, heard: string): boolean => plain(said) === plain(heard);
const plain = (text: string): string => ({ yeah: 'yes', nope: 'no' })[text] ?? text;
