import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../shared/clock.ts';
import { createSeal } from '../../shared/seal.ts';
import { DEVICE_MS, KnownDevices } from './known-devices.ts';

const clock = new ManualClock();
/** Another process with the same key, such as after a restart. */
const devices = (key = 'key'): KnownDevices => new KnownDevices({ seal: createSeal(key), clock });

describe('a known device', () => {
  it('is known after a restart, to the account that signed in with it alone', () => {
    const cookie = devices().signedIn(null, 'Ann@example.com');
    expect(devices().idOf(cookie, 'ann@example.com')).toHaveLength(22);
    expect(devices().idOf(cookie, 'bob@example.com')).toBeNull();
    expect(devices().idOf(null, 'ann@example.com')).toBeNull();
  });

  it('keeps its id and the last five accounts', () => {
    let cookie = devices().signedIn(null, 'user0@example.com');
    const id = devices().idOf(cookie, 'user0@example.com');
    for (let n = 1; n <= 5; n += 1) cookie = devices().signedIn(cookie, `user${n}@example.com`);
    const known = [0, 1, 5].map((n) => devices().idOf(cookie, `user${n}@example.com`));
    expect(known).toEqual([null, id, id]);
  });

  it('cannot be forged: not by another key, another sealed text or a changed byte', () => {
    const cookie = devices().signedIn(null, 'ann@example.com');
    expect(devices('other').idOf(cookie, 'ann@example.com')).toBeNull();
    const sealed = ['"text"', '{}', 'null', '{"id":1,"accounts":[]}', '{"id":"a","accounts":[[1]]}'];
    for (const text of sealed) {
      expect(devices().idOf(createSeal('key').seal(text), 'ann@example.com')).toBeNull();
    }
    const last = cookie.endsWith('A') ? 'B' : 'A';
    expect(devices().idOf(`${cookie.slice(0, -2)}${last}${last}`, 'ann@example.com')).toBeNull();
    expect(devices().idOf('x'.repeat(5_000), 'ann@example.com')).toBeNull();
  });

  it('is forgotten after 180 days without a sign-in', () => {
    const cookie = devices().signedIn(null, 'ann@example.com');
    clock.advance(DEVICE_MS);
    expect(devices().idOf(cookie, 'ann@example.com')).toBeNull();
  });
});
