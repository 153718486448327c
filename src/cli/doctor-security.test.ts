import { describe, expect, it } from 'vitest';
import { loadConfig, type Config } from '../config.ts';
import { securityFindings, type Surroundings } from './doctor-security.ts';

const KEY = 'a secret key of thirty-two characters';
const around: Surroundings = { isKeyInEnvironment: false, uid: 1000, keyFileMode: 0o600 };

function adviceOf(env: Record<string, string>, change: Partial<Surroundings> = {}): Record<string, string> {
  const loaded = loadConfig(env, () => KEY);
  if (!loaded.ok) throw new Error(loaded.problems.join());
  const found = securityFindings(loaded.config satisfies Config, { ...around, ...change });
  expect(found.every(({ ok }) => ok)).toBe(true);
  return Object.fromEntries(found.flatMap(({ name, advice }) => (advice === null ? [] : [[name, advice]])));
}

describe('the doctor on security', () => {
  it('has no advice for a closed installation', () => {
    expect(
      adviceOf({
        ALLOWED_COUNTRIES: 'US',
        SECRET_KEY_FILE: '/run/secrets/key',
        DATABASE_URL: 'postgres://db/callwright',
        PUBLIC_URL: 'https://calls.example.com',
      }),
    ).toEqual({});
  });

  it('advises on open destinations, keys in the environment, public metrics, plain HTTP and root', () => {
    const open = adviceOf(
      { HOST: '0.0.0.0', SECRET_KEY: KEY, PUBLIC_URL: 'http://calls.example.com' },
      { isKeyInEnvironment: true, uid: 0 },
    );
    expect(Object.keys(open)).toEqual(['countries', 'secret key', 'metrics', 'API', 'account']);
  });

  it.each<[string, Record<string, string>, Partial<Surroundings>, RegExp]>([
    ['a key file for its owner only', {}, {}, /^nothing$/],
    ['a key file for everyone', {}, { keyFileMode: 0o644 }, /chmod 600/],
    ['a key file beside a database elsewhere', { DATABASE_URL: 'postgres://db/x' }, {}, /SECRET_KEY_FILE/],
    ['no key yet', {}, { keyFileMode: null }, /^nothing$/],
  ])('on %s', (_, env, change, advice) => {
    expect(adviceOf(env, change)['secret key'] ?? 'nothing').toMatch(advice);
  });

  it.each<[Record<string, string>, boolean]>([
    [{ HOST: '127.0.0.1' }, false],
    [{ HOST: '::1' }, false],
    [{ HOST: '0.0.0.0' }, true],
    [{ HOST: '0.0.0.0', METRICS_PORT: '9090' }, false],
    [{ HOST: '127.0.0.1', METRICS_PORT: '9090', METRICS_HOST: '10.0.0.5' }, true],
  ])('on metrics with %j', (env, isOpen) => {
    expect('metrics' in adviceOf(env)).toBe(isOpen);
  });
});
