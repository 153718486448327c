import { describe, expect, it } from 'vitest';
import type { LlmEvent } from '../ports/model.ts';
import type { TtsEvent } from '../ports/voice.ts';
import { vendorFault } from '../wire/fault.ts';
import { S2sReply } from './reply.ts';

const RATE = 8000;
const audio = (ms: number): Int16Array => new Int16Array((RATE * ms) / 1000).fill(1_000);

function replied(tell: (reply: S2sReply) => void) {
  const reply = new S2sReply('r1', RATE, 0);
  const events: LlmEvent[] = [];
  tell(reply);
  reply.listen((event) => events.push(event));
  return { reply, events, texts: events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])) };
}
const lengths = ({ pieces }: S2sReply): [string, number][] =>
  pieces.map(({ text, samples }) => [text, (samples * 1000) / RATE]);

describe('pieces of a reply from parallel words and audio', () => {
  it('follow the order of arrival and are cut between words', () => {
    const { reply, texts } = replied((to) => {
      to.text('Sure,');
      to.text(' I ca');
      to.audio(audio(200));
      to.text('n book');
      to.audio(audio(300));
      to.text(' it.');
      to.audio(audio(100));
      to.done();
    });
    expect(texts).toEqual(['Sure, I', 'can', 'book it.']);
    expect(lengths(reply)).toEqual([
      ['Sure, I', 200],
      ['can', 300],
      ['book it.', 100],
    ]);
  });

  it('hold audio without words, and words without audio', () => {
    const early = replied((to) => {
      to.audio(audio(200));
      to.audio(audio(100));
      expect(to.pieces).toEqual([]);
      to.text('Hello. ');
      to.audio(audio(50));
      to.text('Bye.');
      to.done();
    });
    expect(lengths(early.reply)).toEqual([
      ['Hello.', 350],
      ['Bye.', 20],
    ]);
  });

  it('cut scripts without spaces anywhere', () => {
    const { texts } = replied((to) => {
      to.text('你好');
      to.audio(audio(100));
      to.text('再见');
      to.audio(audio(100));
      to.done();
    });
    expect(texts).toEqual(['你好', '再见']);
  });

  it('emit tool calls, the end and a fault once', () => {
    const { events } = replied((to) => {
      to.tool('c1', 'book', { day: 'Friday' });
      to.done();
      to.fail(vendorFault('v', 'lost', ''));
    });
    expect(events).toMatchObject([
      { type: 'tool', id: 'c1', name: 'book', args: { day: 'Friday' } },
      { type: 'done' },
    ]);
  });

  it('fail in the middle of the piece that is playing', () => {
    const { reply, events } = replied((to) => {
      to.text('One two ');
      to.audio(audio(100));
      to.fail(vendorFault('v', 'lost', 'cut'));
    });
    const spoken: TtsEvent[] = [];
    reply.pieces[0]?.follow(0, (event) => spoken.push(event));
    expect(spoken.map(({ type }) => type)).toEqual(['audio', 'failed']);
    expect(events.at(-1)).toMatchObject({ type: 'failed', retryable: true });
  });
});

describe('the heard part of a reply', () => {
  const { reply } = replied((to) => {
    to.text('We open at nine. ');
    to.audio(audio(1_600));
    to.text('Shall I book it?');
    to.audio(audio(1_600));
    to.done();
  });

  it.each([
    ['We open at nine. Shall I book it?', { ms: 3_200, isAll: true }],
    ['We open at nine. Shall I', { ms: 2_300, isAll: false }],
    ['We open at nine.', { ms: 1_600, isAll: false }],
    ['We open', { ms: 700, isAll: false }],
    ['One moment. We open', { ms: 700, isAll: false }],
    ['Are you still there?', null],
  ])('ends with the words of the record: %s', (line, heard) => {
    expect(reply.heardMs(line, RATE)).toEqual(heard);
  });

  it('resumes at the word where it was interrupted', () => {
    const spoken: TtsEvent[] = [];
    reply.pieces[1]?.follow(0.5, (event) => spoken.push(event));
    const samples = spoken.reduce((sum, event) => sum + (event.type === 'audio' ? event.pcm.length : 0), 0);
    expect([samples, spoken.at(-1)?.type]).toEqual([RATE * 0.8, 'done']);
  });
});
