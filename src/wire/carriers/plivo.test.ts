import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { plivoWebhooks, signedText, vobizWebhooks } from './plivo.ts';
import type { CarrierWebhooks } from './webhooks.ts';

const ADDRESS = 'https://calls.example.com/carriers/t/voice';
const FORM = new URLSearchParams({ To: '14155550100', CallUUID: 'u-1', From: '14155550188' });
const NONCE = '12345678901234567890';
const sign = (text: string, secret = 'token'): string =>
  createHmac('sha256', secret).update(text).digest('base64');

function isSigned(webhooks: CarrierWebhooks, name: string, signature: string, nonce = NONCE): boolean {
  const headers = { [`x-${name}-signature-v3`]: signature, [`x-${name}-signature-v3-nonce`]: nonce };
  return webhooks.isSigned(
    { method: 'POST', url: ADDRESS, raw: Buffer.alloc(0), headers, at: 0 },
    FORM,
    'token',
  );
}

describe('the signature of Plivo, version 3', () => {
  it('covers address, query and form in the order of their names, and the nonce', () => {
    expect(signedText(ADDRESS, FORM, NONCE)).toBe(
      `${ADDRESS}?CallUUIDu-1From14155550188To14155550100.${NONCE}`,
    );
    expect(signedText(`${ADDRESS}?b=2&a=1`, FORM, NONCE)).toBe(
      `${ADDRESS}?a=1&b=2.CallUUIDu-1From14155550188To14155550100.${NONCE}`,
    );
    expect(signedText(`${ADDRESS}?b=2&a=1`, new URLSearchParams(), NONCE)).toBe(
      `${ADDRESS}?a=1&b=2.${NONCE}`,
    );
    expect(signedText(ADDRESS, new URLSearchParams(), NONCE)).toBe(`${ADDRESS}.${NONCE}`);
  });

  it('is accepted once it is that of the token, also beside that of a second token', () => {
    const right = sign(signedText(ADDRESS, FORM, NONCE));
    const other = sign(signedText(ADDRESS, FORM, NONCE), 'another');
    expect([right, `${other}, ${right}`].map((one) => isSigned(plivoWebhooks, 'plivo', one))).toEqual([
      true,
      true,
    ]);
    expect(
      [other, '', sign(`${ADDRESS}.${NONCE}`)].map((one) => isSigned(plivoWebhooks, 'plivo', one)),
    ).toEqual([false, false, false]);
    expect(isSigned(plivoWebhooks, 'vobiz', right)).toBe(false);
    expect(isSigned(plivoWebhooks, 'plivo', sign(signedText(ADDRESS, FORM, '')), '')).toBe(false);
  });

  it('covers the address alone at Vobiz', () => {
    expect(isSigned(vobizWebhooks, 'vobiz', sign(`${ADDRESS}.${NONCE}`))).toBe(true);
    expect(isSigned(vobizWebhooks, 'vobiz', sign(`${ADDRESS}x.${NONCE}`))).toBe(false);
  });
});

describe('a report of Plivo', () => {
  const stateOf = (fields: Record<string, string>) => plivoWebhooks.stateOf((name) => fields[name] ?? '');

  it('tells how the call ended', () => {
    expect(
      [
        'ringing',
        'in-progress',
        'completed',
        'busy',
        'timeout',
        'no-answer',
        'cancel',
        'failed',
        'queued',
      ].map((CallStatus) => stateOf({ CallStatus })),
    ).toEqual([
      'ringing',
      'answered',
      'completed',
      'busy',
      'no_answer',
      'no_answer',
      'cancelled',
      'failed',
      null,
    ]);
    expect(stateOf({ CallStatus: 'failed', HangupCauseCode: '2000' })).toBe('invalid_number');
  });
});
