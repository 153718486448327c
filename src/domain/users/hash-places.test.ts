import { describe, expect, it } from 'vitest';
import { HashPlaces, known, stranger, type HashClient } from './hash-places.ts';

/** Hashes that end when the test says so. */
function hashing() {
  const places = new HashPlaces({ now: () => 0, after: () => () => undefined });
  const running: { readonly of: string; readonly end: () => void }[] = [];
  const refused: string[] = [];
  const hash = (client: HashClient): void => {
    const done = Promise.withResolvers<void>();
    places
      .within(client, () => {
        running.push({ of: client.tenant, end: done.resolve });
        return done.promise;
      })
      .catch((error: { code: string }) => refused.push(error.code));
  };
  const settled = async (): Promise<void> => {
    for (let n = 0; n < 20; n += 1) await Promise.resolve();
  };
  const tenants = (): string[] => running.map(({ of }) => of);
  /** Ends the hash that runs longest. */
  const end = async (): Promise<void> => {
    running.shift()?.end();
    await settled();
  };
  return { hash, settled, tenants, end, refused };
}

describe('password hashes from one IPv6 /64', () => {
  it('run one at a time, whatever addresses of the block send them, and are refused beyond 20 in line', async () => {
    const { hash, settled, tenants, refused } = hashing();
    for (let n = 0; n < 100; n += 1) hash(stranger(`2001:db8:1:2::${n.toString(16)}`));
    await settled();
    expect(tenants()).toEqual(['2001:db8:1:2::/64']);
    expect(refused).toHaveLength(79);
    expect(new Set(refused)).toEqual(new Set(['RATE_LIMITED']));
  });

  it('leave another block of addresses the next thread', async () => {
    const { hash, settled, tenants, end } = hashing();
    for (let n = 0; n < 20; n += 1) hash(stranger('2001:db8:1:2::1'));
    hash(stranger('203.0.113.7'));
    hash(stranger('198.51.100.1'));
    await settled();
    expect(tenants()).toEqual(['2001:db8:1:2::/64', '203.0.113.0/24']);
    await end();
    expect(tenants()).toEqual(['203.0.113.0/24', '198.51.100.0/24']);
  });

  it('take no place of a client that proved who it is, not even with those of many other blocks', async () => {
    const { hash, settled, tenants } = hashing();
    for (let n = 0; n < 200; n += 1) hash(stranger(`2001:db8:${n.toString(16)}::1`));
    hash(known('device'));
    await settled();
    expect(tenants()).toHaveLength(3);
    expect(tenants()).toContain('device');
  });
});
