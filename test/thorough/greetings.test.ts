import { afterAll, describe, expect, it } from 'vitest';
import { createOfflineStt } from '../../src/offline/recogniser/stt.ts';
import { createOfflineTts } from '../../src/offline/speech/tts.ts';
import { createVadProvider } from '../../src/providers/vad/provider.ts';
import { Answering } from '../../src/session/answering.ts';
import { beep, dbfs, dualTone } from '@callwright/audio';
import { initialGate, stepGate } from '@callwright/turns';
import { overTheLine, synthesise } from '../helpers/audio/speech.ts';

const [tts, stt, vad] = [createOfflineTts(), createOfflineStt(), createVadProvider()];
afterAll(() => Promise.all([tts.close(), stt.close()]));

type Part = string | { quiet: number } | { beep: number; ms?: number } | { ring: number };
const VOICES = ['flite:rms', 'flite:slt', 'flite:awb', 'flite:kal16'];

/** Audio of the far side after a telephone line. */
async function line(parts: readonly Part[], voiceKey: string): Promise<Int16Array> {
  const pieces: Int16Array[] = [];
  for (const part of parts) {
    if (typeof part === 'string') {
      pieces.push(await synthesise(tts, { voiceKey, language: 'en-US', text: part }));
    } else if ('quiet' in part) pieces.push(new Int16Array(part.quiet * 8));
    else if ('beep' in part) pieces.push(beep(part.beep, part.ms ?? 400, 8000));
    else pieces.push(dualTone(440, 480, part.ring, 8000));
  }
  const whole = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return overTheLine(whole, 400, 3000);
}

/** Runs VAD, speech gate, tone detector and recogniser as a call does. Returns the verdict and the events dispatched. */
async function heard(pcm: Int16Array): Promise<{ verdict: string; events: string[] }> {
  const out = { verdict: 'uncertain', events: [] as string[] };
  const ear = vad.open(8000);
  let gate = initialGate();
  let owed = 0;
  const answering = new Answering({ message: null, introduction: 'This is Maya.' }, 8000, 0, {
    dispatch: (event) => out.events.push(event.type),
    press: () => undefined,
    onSettled: () => undefined,
    onAnswered: ({ kind }) => {
      out.verdict = kind;
    },
  });
  const session = stt.open({
    language: 'en-US',
    secondaryLanguage: null,
    sampleRate: 8000,
    vocab: [],
    onEvent: (event) => {
      owed -= 1;
      answering.recognised(event);
    },
  });
  session.expect(answering.expect({ kinds: ['yes_no'], phrases: [] }));
  for (let from = 0; from + 160 <= pcm.length; from += 160) {
    const at = from / 8 + 20;
    const frame = pcm.slice(from, from + 160);
    answering.audio(frame, 1, at);
    session.write(frame, at);
    const next = stepGate(gate, { probability: ear.process(frame), levelDbfs: dbfs(frame), frameMs: 20, at });
    gate = next.gate;
    if (next.edge !== null) {
      if (next.edge.type === 'speech_started') session.speechStarted(next.edge.since);
      else {
        owed += 1;
        session.speechEnded(at);
      }
      answering.edge(next.edge);
    }
    answering.tick(at);
    // Wait for the words of ended speech: on a call they arrive within the next frames.
    const end = Date.now() + 4000;
    const isWaiting = (): boolean => owed > 0 && Date.now() < end;
    while (isWaiting()) await new Promise((done) => setTimeout(done, 5));
  }
  session.close();
  ear.close();
  return out;
}

const MACHINES: readonly (readonly Part[])[] = [
  [
    'Hello, you have reached the voice mail of Alex. I cannot take your call right now. Please leave a message after the tone.',
    { beep: 1000, ms: 700 },
  ],
  [
    'Hi, this is Sam. I am out at the moment, but leave your name and number and I will get back to you.',
    { quiet: 600 },
    { beep: 440 },
  ],
  [
    'You have reached five five five, zero one two three. No one is here to answer the phone.',
    { quiet: 1200 },
    { beep: 1400, ms: 250 },
  ],
  [
    'Hey, it is Jordan.',
    { quiet: 2300 },
    'You know what to do, so do it after the sound.',
    { quiet: 300 },
    { beep: 850 },
  ],
  [
    'Thank you for calling Smith and Sons. Our office is closed today. We open again on Monday at nine.',
    { quiet: 900 },
    { beep: 620 },
  ],
  ['Please leave a message after the tone.', { quiet: 3000 }],
];
const SCREENS: readonly (readonly Part[])[] = [
  [
    'Hi, the person you are calling is using a call screening service. Please say your name and why you are calling.',
  ],
  ['Record your name and reason for calling.', { quiet: 500 }],
];
const PEOPLE: readonly (readonly Part[])[] = [
  ['Hello?', { quiet: 5000 }],
  ['Yes?', { quiet: 1500 }, 'Who is this?', { quiet: 4000 }],
  ['Good morning, Riverside Dental, this is Anna speaking. How may I help you today?', { quiet: 5000 }],
  [
    'Thank you for calling Smith and Sons, you are speaking with George in the service department, what can I do for you?',
    { quiet: 5000 },
  ],
  [
    'Hello, hello? Wait, I cannot hear you, let me go outside for a moment. Now. Who is calling please?',
    { quiet: 4000 },
  ],
  ['He is not here right now, can I take a message for him?', { quiet: 4000 }],
  ['I am driving, can you call me later this afternoon?', { quiet: 4000 }],
  ['Alex speaking.', { quiet: 1000 }, { ring: 800 }, { quiet: 3000 }],
];

describe('machine detection on synthesised greetings', () => {
  const all = [
    ...MACHINES.map((parts) => ({ parts, is: 'voicemail' })),
    ...SCREENS.map((parts) => ({ parts, is: 'screening' })),
    ...PEOPLE.map((parts) => ({ parts, is: 'person' })),
  ];

  it('classifies at least 95 % correctly and takes no person for a machine', async () => {
    const wrong: string[] = [];
    const accused: string[] = [];
    for (const [at, { parts, is }] of all.entries()) {
      const voice = VOICES[at % VOICES.length] ?? '';
      const { verdict, events } = await heard(await line(parts, voice));
      const took = verdict === 'voicemail' || verdict === 'screening' ? verdict : 'person';
      if (took !== is) wrong.push(`${is} taken for ${took}: ${JSON.stringify(parts[0])}`);
      if (is === 'person' && events.length > 0) accused.push(JSON.stringify(parts[0]));
    }
    expect(accused).toEqual([]);
    expect(wrong.length / all.length > 0.05 ? wrong : []).toEqual([]);
  }, 400_000);
});
