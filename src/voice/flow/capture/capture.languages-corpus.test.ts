import { describe, expect, it } from 'vitest';
import { SPEECH, Speaker, type Sentence } from '../../../../test/corpora/capture/sentences.ts';
import type { Language } from '@callwright/language';
import type { CaptureKind } from '../document.ts';
import { wordingOf } from '../wording.ts';
import { capture } from './capture.ts';

/** Friday 27 November 2026, noon. */
const NOON = Date.UTC(2026, 10, 27, 12);
const UTTERANCES = 200;
const LEAST_RIGHT = 0.98;

const SAY: Readonly<Record<CaptureKind, (speaker: Speaker) => Sentence>> = {
  yes_no: (speaker) => speaker.yesNo(),
  consent: (speaker) => speaker.yesNo(),
  choice: (speaker) => speaker.choice(),
  name: (speaker) => speaker.name(),
  spelled: (speaker) => speaker.spelled(),
  email: (speaker) => speaker.email(),
  phone: (speaker) => speaker.phone(),
  address: (speaker) => speaker.address(),
  postcode: (speaker) => speaker.postcode(),
  date: (speaker) => speaker.date(),
  time: (speaker) => speaker.time(),
  date_time: (speaker) => speaker.dateTime(),
  number: (speaker) => speaker.number(),
  money: (speaker) => speaker.money(),
  digits: (speaker) => speaker.digits(),
  card: (speaker) => speaker.card(),
  account: (speaker) => speaker.account(),
  free: (speaker) => speaker.free(),
};

/** The share of sentences whose value is right, and those whose is not. */
function heard(kind: CaptureKind, language: Language): { right: number; wrong: string[] } {
  const speaker = new Speaker(language, NOON, 11);
  const wording = wordingOf(language);
  const wrong: string[] = [];
  for (let count = 0; count < UTTERANCES; count += 1) {
    const { text, value, values = [], digits = null } = SAY[kind](speaker);
    const wanted = { kind, values, digits, isSensitive: false };
    const found = capture(wanted, { text, by: 'speech' }, wording, { now: NOON, zone: 'UTC' });
    const got = found.type === 'value' ? found.value : found.type;
    if (got !== value) wrong.push(`${text} → ${String(got)}, not ${String(value)}`);
  }
  return { right: 1 - wrong.length / UTTERANCES, wrong };
}

describe.each(Object.keys(SPEECH) as Language[])('two hundred sentences in %s', (language) => {
  it.each(Object.keys(SAY) as CaptureKind[])('have the right value: %s', (kind) => {
    const { right, wrong } = heard(kind, language);
    expect(right >= LEAST_RIGHT ? [] : wrong).toEqual([]);
  });
});
