import { expect, it } from 'vitest';
import { stunAddress } from '../../src/telephony/stun.ts';
import { startCoturn } from '../helpers/sip/coturn.ts';
import { freePort } from '../helpers/sip/peer-process.ts';

it('coturn tells our address', async () => {
  const port = await freePort();
  const server = await startCoturn('127.0.0.1', port);
  try {
    expect(await stunAddress(`stun:127.0.0.1:${port}`)).toBe('127.0.0.1');
  } finally {
    await server.stop();
  }
});
