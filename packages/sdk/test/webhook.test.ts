import { describe, expect, it } from 'vitest';
import { newSigningSecret, signatureHeaders, signingKey } from '../../../src/domain/webhooks/signature.ts';
import { signWebhook, verifyWebhook, WebhookError } from '../src/index.ts';

describe('verifyWebhook', () => {
  const secret = newSigningSecret();
  const at = Date.UTC(2026, 0, 5, 10);
  const body = JSON.stringify({ event_type: 'call_completed', call_id: 'c' });
  const headers = (text = body, time = at) => signatureHeaders([signingKey(secret)], 'evt_1', time, text);

  it('returns the event of a valid delivery, also with several signatures', async () => {
    const event = await verifyWebhook(secret, headers(), body, { nowMs: at + 299_000 });
    expect(event.event_type).toBe('call_completed');
    const rotated = { ...headers(), 'webhook-signature': `v1,AAAA v2,x ${headers()['webhook-signature']}` };
    await expect(verifyWebhook(secret, new Headers(rotated), body, { nowMs: at })).resolves.toMatchObject({
      call_id: 'c',
    });
  });

  it.each<[string, Record<string, string>, string, number]>([
    ['another body', headers(), `${body} `, at],
    ['another id', { ...headers(), 'webhook-id': 'evt_2' }, body, at],
    ['another time', { ...headers(), 'webhook-timestamp': String(at / 1000 + 1) }, body, at],
    ['an old delivery', headers(), body, at + 301_000],
    ['one from the future', headers(), body, at - 301_000],
    ['no time', { ...headers(), 'webhook-timestamp': 'now' }, body, at],
    ['no signature', { ...headers(), 'webhook-signature': '' }, body, at],
    ['a signature that is no base64', { ...headers(), 'webhook-signature': 'v1,***' }, body, at],
    ['text that is no JSON', headers('{'), '{', at],
    ['JSON that is no event', headers('[1]'), '[1]', at],
  ])('rejects %s', async (_name, given, text, nowMs) => {
    await expect(verifyWebhook(secret, given, text, { nowMs })).rejects.toBeInstanceOf(WebhookError);
  });

  it('verifies what signWebhook signs, with header names in any case', async () => {
    const signed = await signWebhook(secret, body, { id: 'evt_1', nowMs: at });
    expect(signed).toEqual(headers());
    const titled = Object.fromEntries(
      Object.entries(signed).map(([name, value]) => [
        name.replaceAll(/\b[a-z]/g, (c) => c.toUpperCase()),
        value,
      ]),
    );
    expect(Object.keys(titled)).toContain('Webhook-Id');
    await expect(verifyWebhook(secret, titled, body, { nowMs: at })).resolves.toMatchObject({ call_id: 'c' });
  });

  it('rejects another secret', async () => {
    await expect(verifyWebhook(newSigningSecret(), headers(), body, { nowMs: at })).rejects.toThrow(
      'signature',
    );
  });
});
