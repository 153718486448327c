import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { DeliveryRig } from '../../helpers/webhooks/delivery-rig.ts';
import { SELF_SIGNED } from '../../helpers/api/self-signed.ts';

const rig = new DeliveryRig();

describe('the answer of a receiver', () => {
  it.each([201, 202, 204, 301, 302, 307, 400, 404, 410, 429, 500, 503])(
    'treats status %i as a failure',
    async (status) => {
      rig.answer = (_, response) => response.writeHead(status, { location: `${rig.base}/elsewhere` }).end();
      await rig.event();
      rig.deliverer();
      await rig.attemptsDone(1);
      expect(await rig.rows()).toMatchObject([
        { state: 'due', attempt: 1, attempts: [{ attempt: 1, status }] },
      ]);
      expect(rig.received.map((got) => got.path)).toEqual(['/hook']);
    },
  );

  it.each<[string, (response: ServerResponse) => void, string]>([
    ['answers nothing', () => undefined, 'timeout'],
    [
      'sends its body slowly',
      (response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(drip));
      },
      'timeout',
    ],
    ['hangs up', (response) => response.destroy(), 'network'],
  ])('a receiver that %s fails within the time limit', async (_, behave, error) => {
    rig.answer = (__, response) => behave(response);
    await rig.event();
    rig.deliverer({ timeoutMs: error === 'timeout' ? 250 : 30_000 });
    await rig.attemptsDone(1);
    expect(await rig.rows()).toMatchObject([{ state: 'due', attempts: [{ status: null, error }] }]);
  });

  it('reads at most 64 kB of a response', async () => {
    let sent = 0;
    rig.answer = (_, response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && sent < 1e9) {
          sent += 65_536;
          if (!response.write(Buffer.alloc(65_536))) break;
        }
      };
      response.on('drain', more);
      more();
    };
    await rig.event();
    rig.deliverer();
    await rig.attemptsDone(1);
    expect(await rig.states()).toEqual(['delivered']);
    expect(sent).toBeLessThan(50_000_000);
  });

  it.each([
    ['ftp://example.com/', 'invalid_url'],
    ['nonsense', 'invalid_url'],
    ['http://127.0.0.1:1/refused', 'refused'],
    ['http://no-such-host.invalid/', 'dns'],
  ])('records why %s could not be reached', async (url, error) => {
    await rig.event({ url });
    rig.deliverer({ timeoutMs: 5000 });
    await rig.attemptsDone(1);
    expect(await rig.rows()).toMatchObject([{ state: 'due', attempts: [{ status: null, error }] }]);
  });

  it.each(['http://10.0.0.1/x', 'http://[::1]:1/x', 'http://169.254.169.254/latest'])(
    'gives %s up after one attempt, and names SAFE_FETCH_ALLOW',
    async (url) => {
      const callId = newId();
      await rig.event({ callId, url, type: 'call_started' });
      await rig.event({ callId, url, type: 'call_completed' });
      rig.deliverer({ timeoutMs: 5000 });
      await rig.attemptsDone(2);
      const detail = 'an inner address that SAFE_FETCH_ALLOW does not list for webhooks';
      const blocked = { state: 'dead', attempts: [{ attempt: 1, status: null, error: 'blocked', detail }] };
      expect(await rig.rows()).toMatchObject([blocked, blocked]);
    },
  );

  it('counts 201 as success for a receiver of 2xx, and for no other', async () => {
    rig.answer = (_, response) => response.writeHead(201).end();
    await rig.event({ path: '/any', success: '2xx' });
    await rig.event({ path: '/exact' });
    rig.deliverer();
    await rig.attemptsDone(2);
    expect((await rig.rows()).map(({ url, state }) => [new URL(url).pathname, state])).toEqual([
      ['/any', 'delivered'],
      ['/exact', 'due'],
    ]);
  });

  it('records a header that cannot be sent as a failed attempt', async () => {
    await rig.event({ headers: { 'x-bad': 'a\r\nb: c' } });
    rig.deliverer();
    await rig.attemptsDone(1);
    expect(await rig.rows()).toMatchObject([{ state: 'due', attempts: [{ error: 'invalid_request' }] }]);
    expect(rig.received).toEqual([]);
  });

  it('refuses a self-signed certificate', async () => {
    const { cert, key } = SELF_SIGNED;
    const secure = createTlsServer({ cert, key }, (_, response) => response.end());
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    await rig.event({ url: `https://127.0.0.1:${(secure.address() as AddressInfo).port}/` });
    rig.deliverer();
    await rig.attemptsDone(1);
    expect(await rig.rows()).toMatchObject([{ state: 'due', attempts: [{ error: 'tls' }] }]);
    secure.closeAllConnections();
    await new Promise((resolve) => secure.close(resolve));
  });
});
