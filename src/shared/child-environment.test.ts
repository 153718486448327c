import { expect, it } from 'vitest';
import { childEnvironment } from './child-environment.ts';

it('passes the path and the language only', () => {
  const secrets = {
    SECRET_KEY: 's',
    DATABASE_URL: 'd',
    S3_SECRET_ACCESS_KEY: 'k',
    NODE_OPTIONS: '--inspect',
  };
  expect(childEnvironment({ PATH: '/bin', LANG: 'C.UTF-8', ...secrets })).toEqual({
    PATH: '/bin',
    LANG: 'C.UTF-8',
  });
  expect(childEnvironment({})).toEqual({ PATH: '/usr/bin:/bin' });
});
