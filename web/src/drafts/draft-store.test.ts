import { describe, expect, it } from 'vitest';
import { draftKey, readDraft, sweepDrafts, writeDraft, type Shelf } from './draft-store.ts';

const DAY_MS = 86_400_000;

function shelf(): Shelf & { entries: Map<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    get length() {
      return entries.size;
    },
    key: (index) => [...entries.keys()][index] ?? null,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  };
}
const KEY = draftKey(['user', 'workspace', 'agent', 'version', 'Opening']);

describe('a draft that the browser keeps', () => {
  it('comes back with the time of its last change', () => {
    const own = shelf();
    writeDraft(own, KEY, { text: 'Hello' }, { text: 'Good morning' }, 1_000);
    expect(readDraft(own, KEY, { text: 'Hello' }, 2_000)).toEqual({
      at: 1_000,
      stored: '{"text":"Hello"}',
      draft: { text: 'Good morning' },
    });
  });

  it('is forgotten once it equals what is stored, after 30 days, and when the form has other fields', () => {
    for (const [stored, now] of [
      [{ text: 'Good morning' }, 2_000],
      [{ text: 'Hello' }, 1_000 + 31 * DAY_MS],
      [{ text: 'Hello', tone: 'warm' }, 2_000],
      [['Hello'], 2_000],
    ] as const) {
      const own = shelf();
      writeDraft(own, KEY, { text: 'Hello' }, { text: 'Good morning' }, 1_000);
      expect(readDraft(own, KEY, stored, now)).toBeNull();
      expect(own.entries.size).toBe(0);
    }
  });

  it('holds no secret: neither keys nor headers that authenticate, but their masks and templates', () => {
    const own = shelf();
    const draft = {
      apiKey: 'sk-live-1',
      headers: [
        ['Authorization', 'Bearer abc'],
        ['X-Api-Key', '••••1234'],
        ['X-Token', '{{token}}'],
        ['Accept', 'text/html'],
      ],
      other: { headers: { Cookie: 'a=b' } },
      parameters: [
        { key: 'api_key', value: 'sk-live-2' },
        { key: 'day', value: 'Monday' },
      ],
    };
    writeDraft(own, KEY, {}, draft, 1_000);
    expect(JSON.parse(own.getItem(KEY) ?? '').draft).toEqual({
      apiKey: '',
      headers: [
        ['Authorization', ''],
        ['X-Api-Key', '••••1234'],
        ['X-Token', '{{token}}'],
        ['Accept', 'text/html'],
      ],
      other: { headers: { Cookie: '' } },
      parameters: [
        { key: 'api_key', value: '' },
        { key: 'day', value: 'Monday' },
      ],
    });
  });

  it('is not kept where the storage is full', () => {
    const own = shelf();
    writeDraft(own, KEY, {}, { text: 'first' }, 1_000);
    const full: Shelf = {
      ...own,
      length: 1,
      setItem: () => {
        throw new Error('QuotaExceededError');
      },
    };
    writeDraft(full, KEY, {}, { text: 'second' }, 2_000);
    expect(own.getItem(KEY)).toBeNull();
  });

  it('is swept once it is old or unreadable, and nothing else is', () => {
    const own = shelf();
    writeDraft(own, KEY, {}, { text: 'old' }, 0);
    writeDraft(own, `${KEY} 2`, {}, { text: 'new' }, 40 * DAY_MS);
    own.setItem(draftKey(['broken']), '{');
    own.setItem('theme', 'dark');
    sweepDrafts(own, 41 * DAY_MS);
    expect([...own.entries.keys()]).toEqual([`${KEY} 2`, 'theme']);
  });
});
