import { expect, it } from 'vitest';
import { readEvents, splitEvents, type ServerEvent } from './server-events.ts';

it('splits a stream into events, whatever the pieces it arrives in', async () => {
  const text = 'data: {"type":"status"}\n\n: keep-alive\n\nid: a.b\ndata: {"type":"line"}\n\nid: c\nda';
  expect(splitEvents(text)).toEqual({
    events: [
      { id: null, data: { type: 'status' } },
      { id: 'a.b', data: { type: 'line' } },
    ],
    rest: 'id: c\nda',
  });
  expect(splitEvents('')).toEqual({ events: [], rest: '' });
  for (const size of [1, 2, 7, 1000]) {
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
      new TextEncoder().encode(text.slice(i * size, (i + 1) * size)),
    );
    const seen: ServerEvent[] = [];
    await readEvents(new Response(new Blob(pieces)), (events) => seen.push(...events));
    expect(seen.map(({ id }) => id)).toEqual([null, 'a.b']);
  }
});
