import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../shared/clock.ts';
import { recordingUrl } from '../calls/recording-link.ts';
import { briefLinks, LinkRing } from './signed-links.ts';
import { readSignedName, signedName, type LinkKey } from './signed-name.ts';

const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
const NOW = Date.UTC(2026, 0, 5, 10);
const name = {
  workspaceId: '01900000-0000-7000-8000-000000000001',
  id: '01900000-0000-7000-8000-000000000002',
};
const keyOf = (secret: string, change: Partial<LinkKey> = {}): LinkKey => ({
  id: 1,
  secret,
  retiresAt: null,
  oldFormUntil: null,
  ...change,
});
/** Signed by the version before links expired, with the secret `old`. */
const OLD_TOKEN = 'AZAAAAAAcACAAAAAAAAAAQGQAAAAAHAAgAAAAAAAAALszGP4iAknGSJeFQr7Yx1o';

describe('signed names', () => {
  it('name what they were issued for, under their key and for their purpose', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), fc.string(), fc.nat(65_535), (workspaceId, id, secret, keyId) => {
        const key = keyOf(secret, { id: keyId });
        const token = signedName(key, 'recording', { workspaceId, id }, null);
        expect(token).toMatch(/^[\w-]{72}$/);
        expect(readSignedName([key], 'recording', token, NOW)).toEqual({ workspaceId, id });
        expect(readSignedName([keyOf(`${secret}x`, { id: keyId })], 'recording', token, NOW)).toBeNull();
        expect(readSignedName([key], 'recording of attempt 1', token, NOW)).toBeNull();
        expect(readSignedName([key], 'rejects', token, NOW)).toBeNull();
      }),
    );
  });

  it('are rejected after a change of one character, expiry and key included', () => {
    const keys = [keyOf('s'), ...[0, 2, 3, 257].map((id) => keyOf('s', { id }))];
    const token = signedName(keyOf('s'), 'recording', name, NOW + DAY_MS);
    for (let i = 0; i < token.length; i += 1) {
      const changed = token.slice(0, i) + (token[i] === 'A' ? 'B' : 'A') + token.slice(i + 1);
      expect(readSignedName(keys, 'recording', changed, NOW)).toBeNull();
    }
  });

  it('are rejected when malformed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(readSignedName([keyOf('s', { oldFormUntil: NOW * 2 })], 'recording', text, NOW)).toBeNull();
      }),
    );
  });

  it('end with their expiry and with their key', () => {
    const token = signedName(keyOf('s'), 'recording', name, NOW + 1000);
    expect(readSignedName([keyOf('s')], 'recording', token, NOW + 999)).toEqual(name);
    expect(readSignedName([keyOf('s')], 'recording', token, NOW + 1000)).toBeNull();
    expect(readSignedName([keyOf('s', { retiresAt: NOW + 1 })], 'recording', token, NOW)).toEqual(name);
    expect(readSignedName([keyOf('s', { retiresAt: NOW })], 'recording', token, NOW)).toBeNull();
  });

  it('of the old form are valid until the grace of their key ends', () => {
    const until = (oldFormUntil: number | null): readonly LinkKey[] => [
      keyOf('new', { id: 2 }),
      keyOf('old', { oldFormUntil }),
    ];
    expect(readSignedName(until(NOW + 1), 'recording', OLD_TOKEN, NOW)).toEqual(name);
    expect(readSignedName(until(NOW + 1), 'rejects', OLD_TOKEN, NOW)).toBeNull();
    expect(readSignedName(until(NOW), 'recording', OLD_TOKEN, NOW)).toBeNull();
    expect(readSignedName(until(null), 'recording', OLD_TOKEN, NOW)).toBeNull();
  });
});

describe('links', () => {
  const open = async (keys: () => readonly LinkKey[] | Error, days = 30) => {
    const clock = new ManualClock(NOW);
    let loads = 0;
    const load = (): Promise<readonly LinkKey[]> => {
      loads += 1;
      const found = keys();
      return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
    };
    const links = await LinkRing.open({ clock, publicUrl: () => 'https://x.example', days, load });
    return { links, clock, loads: () => loads };
  };
  const tokenOf = (url: string): string => /recordings\/([\w-]+)\.wav/.exec(url)?.[1] ?? '';

  it('are absolute, the same all day, and valid for RECORDING_LINK_DAYS at least', async () => {
    const { links, clock } = await open(() => [keyOf('s')]);
    const url = recordingUrl(links, name.workspaceId, name.id);
    expect(url).toMatch(/^https:\/\/x\.example\/recordings\/[\w-]{72}\.wav$/);
    clock.advance(13 * 3_600_000);
    expect(recordingUrl(links, name.workspaceId, name.id)).toBe(url);
    clock.advance(30 * DAY_MS);
    expect(await links.read('recording', tokenOf(url))).toEqual(name);
    clock.advance(DAY_MS);
    expect(await links.read('recording', tokenOf(url))).toBeNull();
    expect(await links.read('recording', links.issue('recording', name))).toEqual(name);
  });

  it('of the dashboard are the same for a quarter of an hour, and end within half an hour', async () => {
    const { links, clock } = await open(() => [keyOf('s')], 0);
    const token = briefLinks(links).issue('recording', name);
    clock.advance(QUARTER_MS - 1);
    expect(await links.read('recording', token)).toEqual(name);
    expect(briefLinks(links).issue('recording', name)).not.toBe(token);
    clock.advance(QUARTER_MS);
    expect(await links.read('recording', token)).toBeNull();
    expect(links.hasEnded('recording', token)).toBe(true);
  });

  it('do not expire with RECORDING_LINK_DAYS=0', async () => {
    const { links, clock } = await open(() => [keyOf('s')], 0);
    const token = links.issue('recording', name);
    clock.advance(5000 * DAY_MS);
    expect(await links.read('recording', token)).toEqual(name);
  });

  it('of a key that another process made are read at once, and unknown keys cause one query a second', async () => {
    let keys = [keyOf('s')];
    const { links, clock, loads } = await open(() => keys);
    clock.advance(1000);
    const foreign = signedName(keyOf('t', { id: 2 }), 'recording', name, null);
    for (let i = 0; i < 5; i += 1) expect(await links.read('recording', foreign)).toBeNull();
    expect(loads()).toBe(2);
    keys = [keyOf('t', { id: 2 }), keyOf('s', { retiresAt: NOW + DAY_MS })];
    clock.advance(1000);
    expect(await links.read('recording', foreign)).toEqual(name);
    expect(links.issue('recording', name)).toBe(
      signedName(keyOf('t', { id: 2 }), 'recording', name, Date.UTC(2026, 1, 5)),
    );
  });

  it('are signed with the new key after a rotation, however long none was issued', async () => {
    let keys = [keyOf('s')];
    const { links } = await open(() => keys);
    keys = [keyOf('t', { id: 2 }), keyOf('s', { retiresAt: NOW })];
    await links.refresh();
    expect(links.issue('recording', name)).toBe(
      signedName(keyOf('t', { id: 2 }), 'recording', name, Date.UTC(2026, 1, 5)),
    );
  });

  it('of a revoked key are refused after ten seconds, and survive a failed query', async () => {
    let keys: readonly LinkKey[] | Error = [keyOf('s')];
    const { links, clock } = await open(() => keys);
    const token = links.issue('recording', name);
    keys = new Error('the database is away');
    clock.advance(10_000);
    expect(await links.read('recording', token)).toEqual(name);
    keys = [keyOf('t', { id: 2 })];
    clock.advance(10_000);
    expect(await links.read('recording', token)).toBeNull();
  });
});
