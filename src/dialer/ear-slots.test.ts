import { describe, expect, it } from 'vitest';
import type { CallProviders } from '../vendors/accounts.ts';
import { EarSlots, type EarSlotsOptions } from './ear-slots.ts';

const slotsWith = (over: Partial<EarSlotsOptions> = {}): EarSlots =>
  new EarSlots({
    limit: () => 1,
    hears: (language) => language === 'en-US',
    hasVendors: false,
    now: () => 0,
    ...over,
  });
const call = (callId: string, versionId = 'version', languages = ['en-US']) => ({
  callId,
  versionId,
  languages,
});
const local = (): Promise<CallProviders> => Promise.resolve({});
const vendor = (): Promise<CallProviders> =>
  Promise.resolve({
    stt: [
      { name: 'deepgram', settings: { apiKey: 'k', baseUrl: 'https://x', model: null }, isGuarded: false },
    ],
  });
const unread = (): Promise<CallProviders> => Promise.reject(new Error('the providers were read'));

describe('the slots of this machine’s recognisers', () => {
  it('let as many calls begin as there are slots, and the next one after an end', async () => {
    const slots = slotsWith();
    expect([await slots.take(call('a'), local), await slots.take(call('b'), local)]).toEqual([true, false]);
    expect([slots.used, slots.free]).toEqual([1, 0]);
    slots.release('a');
    expect(await slots.take(call('b'), local)).toBe(true);
  });

  it('are not taken by calls that a vendor hears', async () => {
    const slots = slotsWith({ limit: () => 0 });
    expect(await slots.take(call('a'), vendor)).toBe(true);
    const s2s = {
      name: 'openai',
      settings: { apiKey: 'k', baseUrl: 'https://x', model: null },
      isGuarded: false,
    };
    expect(await slots.take(call('b'), () => Promise.resolve({ s2s } as CallProviders))).toBe(true);
    expect(await slotsWith({ limit: () => 0, hasVendors: true }).take(call('c'), local)).toBe(true);
    expect(slots.used).toBe(0);
  });

  it('are taken by agents that keep vendors out', async () => {
    const slots = slotsWith({ hasVendors: true });
    const offline = (): Promise<CallProviders> => Promise.resolve({ stt: [] });
    expect(await slots.take(call('a'), offline)).toBe(true);
    expect(await slots.take(call('b'), offline)).toBe(false);
  });

  it('cost calls no query where there are none, or in a language that only phrases or keys serve', async () => {
    expect(await slotsWith({ limit: () => null }).take(call('a'), unread)).toBe(true);
    expect(await slotsWith().take(call('b', 'version', ['ta-IN']), unread)).toBe(true);
    expect(slotsWith({ limit: () => null }).free).toBe(Number.POSITIVE_INFINITY);
  });

  it('are known to be needed by a version for five minutes, or until a vendor hears it', async () => {
    let now = 0;
    const slots = slotsWith({ now: () => now });
    await slots.take(call('a'), local);
    expect([slots.needs('version'), slots.needs('other')]).toEqual([true, false]);
    now = 300_000;
    expect(slots.needs('version')).toBe(false);
    await slots.take(call('b'), local);
    await slots.take(call('c'), vendor);
    expect(slots.needs('version')).toBe(false);
  });

  it('are kept for claimed calls of such a version', async () => {
    const slots = slotsWith();
    await slots.take(call('a'), local);
    slots.release('a');
    slots.reserve('b', 'version');
    slots.reserve('c', 'version');
    expect(slots.used).toBe(1);
    expect([await slots.take(call('c'), local), await slots.take(call('b'), local)]).toEqual([false, true]);
    expect(await slots.take(call('b'), vendor)).toBe(true);
    expect(slots.used).toBe(0);
  });
});
