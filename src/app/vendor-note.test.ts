import { expect, it } from 'vitest';
import { vendorFault } from '../providers/wire/fault.ts';
import { VendorFaultCounts } from '../providers/choose/faults.ts';
import { recogniserNote, vendorNote } from './vendor-note.ts';

it('names the last fault of each vendor with time and count, without the words of the vendor', () => {
  let now = Date.UTC(2026, 10, 23, 20, 0, 0);
  const counts = new VendorFaultCounts(() => (now += 1_000));
  expect(vendorNote(counts.list())).toEqual({ name: 'vendors', ok: true });
  counts.add('llm', vendorFault('anthropic', 'key', 'sk-secret', { status: 401 }));
  counts.add('llm', vendorFault('anthropic', 'limit', '', { status: 429 }));
  counts.add('llm', vendorFault('anthropic', 'limit', '', { status: 429 }));
  counts.add('stt', vendorFault('openai', 'lost', 'ECONNREFUSED'));
  counts.add('s2s', vendorFault('gemini-live', 'credit', '', { status: 402 }));
  expect(vendorNote(counts.list())).toEqual({
    name: 'vendors',
    ok: true,
    detail:
      'language model anthropic: too many requests or connections (status 429), 2 times, last at 2026-11-23T20:00:03.000Z; ' +
      'recogniser openai: the connection failed, once, last at 2026-11-23T20:00:04.000Z; ' +
      'speech-to-speech model gemini-live: no credit is left (status 402), once, last at 2026-11-23T20:00:05.000Z',
  });
});

it('names the recognisers that fail in every call, and the model that cannot be loaded, with a command', () => {
  expect(recogniserNote([], null)).toEqual({ name: 'recognisers', ok: true });
  const failing = [{ vendor: 'vosk', kind: 'rejected', calls: 4 }] as const;
  const unloaded = { model: 'vosk-small-en-us', message: 'the file is cut off' };
  expect(recogniserNote(failing, unloaded)).toEqual({
    name: 'recognisers',
    ok: true,
    detail:
      'vosk-small-en-us cannot be loaded (the file is cut off): calls hear phrases; callwright models verify; ' +
      'recogniser vosk failed in each of its last 4 calls: the request is rejected; callwright doctor tries it',
  });
});
