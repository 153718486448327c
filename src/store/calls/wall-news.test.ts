import { array, assert, constant, property, record, string } from 'fast-check';
import { expect, it } from 'vitest';
import { newsIn, payloadsOf, requestIn } from './wall-news.ts';

it('packs events into payloads that PostgreSQL takes, in order and whole', () => {
  const event = record({
    type: constant('words'),
    text: string({ maxLength: 2_000, unit: 'grapheme' }),
  });
  assert(
    property(array(event, { maxLength: 60 }), (texts) => {
      const events = texts.map((each, index) => ({ ...each, callId: String(index) }));
      const payloads = payloadsOf({ workspaceId: 'w', from: 'p', events });
      expect(payloads.every((payload) => Buffer.byteLength(payload) < 8_000)).toBe(true);
      const read = payloads.map(newsIn);
      expect(read.every((news) => news?.workspaceId === 'w' && news.from === 'p')).toBe(true);
      const fits = events.filter((each) => Buffer.byteLength(JSON.stringify(each)) < 7_800);
      const back = read.flatMap((news) => news?.events ?? []);
      expect(back.filter(({ callId }) => fits.some((fit) => fit.callId === callId))).toEqual(fits);
    }),
  );
});

it('leaves out an event that is too long for a payload', () => {
  const long = { type: 'notice', callId: 'a', message: 'x'.repeat(9_000) };
  const short = { type: 'notice', callId: 'b' };
  expect(payloadsOf({ workspaceId: 'w', from: 'p', events: [long, short] }).map(newsIn)).toEqual([
    { workspaceId: 'w', from: 'p', events: [short] },
  ]);
  expect(payloadsOf({ workspaceId: 'w', from: 'p', events: [] })).toEqual([]);
});

it('takes a payload of another form for none', () => {
  for (const payload of ['', '{', '[]', '{"workspaceId":7}', '"x"', 'null']) {
    expect(newsIn(payload)).toBeNull();
    expect(requestIn(payload)).toBeNull();
  }
});
