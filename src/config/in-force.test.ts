import { expect, it } from 'vitest';
import { settingsInForce } from './in-force.ts';
import { SETTINGS } from './settings.ts';

const ENTRIES = Object.entries(SETTINGS);
/** Names that hold no secret although they sound like it: an identifier, and limits of requests. */
const NO_SECRETS = new Set(['SIP_TLS_KEY_FILE', 'S3_ACCESS_KEY_ID', 'RATE_LIMIT_WEBCALL_KEY']);

it('lists every setting in the order of the table, with its meaning', () => {
  const shown = settingsInForce({});
  expect(shown.map(({ name, about }) => [name, about])).toEqual(
    ENTRIES.map(([name, { about }]) => [name, about]),
  );
  expect(shown.every(({ source, isSecret, value }) => source === 'default' && !(isSecret && value))).toBe(
    true,
  );
});

it('says where a setting comes from', () => {
  const env = { PORT: ' 9000 ', HOST: '', SECRET_KEY_FILE: '/run/secret', DEEPGRAM_API_KEY: 'dg-1' };
  const shown = new Map(settingsInForce(env).map((each) => [each.name, each]));
  expect(shown.get('PORT')).toMatchObject({ value: '9000', source: 'environment', isSet: true });
  expect(shown.get('HOST')).toMatchObject({ value: '127.0.0.1', source: 'default', isSet: true });
  expect(shown.get('SECRET_KEY')).toMatchObject({ value: null, source: 'file', isSet: true });
  expect(shown.get('DEEPGRAM_API_KEY')).toMatchObject({ value: null, source: 'environment', isSet: true });
  expect(shown.get('OPENAI_API_KEY')).toMatchObject({ value: null, source: 'default', isSet: false });
  expect(shown.get('METRICS_PORT')).toMatchObject({ value: null, source: 'default', isSet: false });
});

it('never holds the value of a secret, by itself or by its file', () => {
  const env = Object.fromEntries(
    ENTRIES.flatMap(([name, { secret }]) =>
      secret ? [[name, `hidden-${name}`] as const, [`${name}_FILE`, `/hidden/${name}`] as const] : [],
    ),
  );
  expect(Object.keys(env).length).toBeGreaterThan(20);
  expect(JSON.stringify(settingsInForce(env))).not.toContain('hidden');
});

it('knows every setting whose name sounds like a secret as one', () => {
  const open = ENTRIES.filter(
    ([name, { secret }]) => /KEY|SECRET|PASSWORD|TOKEN|DATABASE_URL/.test(name) && secret !== true,
  ).map(([name]) => name);
  expect(open.filter((name) => !NO_SECRETS.has(name))).toEqual([]);
});

it('hides user, password and query of a URL', () => {
  const valueOf = (url: string) =>
    settingsInForce({ LLM_BASE_URL: url }).find(({ name }) => name === 'LLM_BASE_URL')?.value;
  expect(valueOf('https://user:pw@llm.example/v1?key=abc&x=1')).toBe('https://***@llm.example/v1?***');
  expect(valueOf('https://llm.example:8443/v1')).toBe('https://llm.example:8443/v1');
});
