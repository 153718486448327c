import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { jambonzWebhooks } from './jambonz.ts';
import { hasSecret, provenUrl } from './shared-secret.ts';
import { telnyxWebhooks } from './telnyx.ts';
import { signalwireWebhooks } from './twilio.ts';
import { vonageWebhooks } from './vonage.ts';
import type { CarrierHttpRequest, CarrierWebhooks } from './webhooks.ts';

const NOW = 1_800_000_000_000;
const SECONDS = NOW / 1_000;
const URL_OF_CALL = 'https://calls.example.com/carriers/t/voice';
const BODY = '{"uuid":"u-1"}';
const NO_FORM = new URLSearchParams();

const request = (headers: Readonly<Record<string, string>>, body = BODY, at = NOW): CarrierHttpRequest => ({
  method: 'POST',
  url: URL_OF_CALL,
  raw: Buffer.from(body),
  headers,
  at,
});
const takes = (webhooks: CarrierWebhooks, sent: CarrierHttpRequest, secret: string): boolean =>
  webhooks.isSigned(sent, NO_FORM, secret);

describe('what proves a request of a carrier', () => {
  it('is the Ed25519 signature of Telnyx over time and body, for five minutes', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
    const signed = (body: string, seconds = SECONDS): Record<string, string> => ({
      'telnyx-timestamp': String(seconds),
      'telnyx-signature-ed25519': sign(null, Buffer.from(`${seconds}|${body}`), privateKey).toString(
        'base64',
      ),
    });
    expect(takes(telnyxWebhooks, request(signed(BODY)), key)).toBe(true);
    const others = [
      request(signed('{}')),
      request(signed(BODY, SECONDS - 301)),
      request({ ...signed(BODY), 'telnyx-timestamp': String(SECONDS + 1) }),
      request({}),
    ];
    expect(others.map((other) => takes(telnyxWebhooks, other, key))).toEqual([false, false, false, false]);
    const stranger = Buffer.alloc(32, 1).toString('base64');
    expect(takes(telnyxWebhooks, request(signed(BODY)), stranger)).toBe(false);
    expect(takes(telnyxWebhooks, request(signed(BODY)), 'no key')).toBe(false);
  });

  it('is the token of Vonage, with the hash of the body', () => {
    const token = (claims: object, header: object = { alg: 'HS256', typ: 'JWT' }): Record<string, string> => {
      const text = [header, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.');
      const signature = createHmac('sha256', 'secret').update(text).digest('base64url');
      return { authorization: `Bearer ${text}.${signature}` };
    };
    const hash = createHash('sha256').update(BODY).digest('hex');
    const good = { iat: SECONDS, payload_hash: hash };
    expect(takes(vonageWebhooks, request(token(good)), 'secret')).toBe(true);
    expect(takes(vonageWebhooks, request(token({ iat: SECONDS }), ''), 'secret')).toBe(true);
    const others = [
      request(token({ ...good, iat: SECONDS - 301 })),
      request(token({ ...good, exp: SECONDS - 1 })),
      request(token({ ...good, payload_hash: hash.replace(/^./, 'x') })),
      request(token({ iat: SECONDS })),
      request(token(good, { alg: 'none' })),
      request({ authorization: 'Bearer a.b.c' }),
      request({}),
    ];
    expect(others.filter((other) => takes(vonageWebhooks, other, 'secret'))).toEqual([]);
    expect(takes(vonageWebhooks, request(token(good)), 'another')).toBe(false);
  });

  it('is the signature of jambonz over time and body, one of several', () => {
    const v1 = createHmac('sha256', 'secret').update(`${SECONDS}.${BODY}`).digest('hex');
    const header = (text: string): Record<string, string> => ({ 'jambonz-signature': text });
    expect(takes(jambonzWebhooks, request(header(`t=${SECONDS},v1=0,v1=${v1}`)), 'secret')).toBe(true);
    const others = [
      request(header(`t=${SECONDS},v1=${v1}`), '{}'),
      request(header(`t=${SECONDS},v1=${v1}`), BODY, NOW + 301_000),
      request(header(`v1=${v1}`)),
      request({}),
    ];
    expect(others.filter((other) => takes(jambonzWebhooks, other, 'secret'))).toEqual([]);
  });

  it('is the key of SignalWire under either name of the header', () => {
    const form = new URLSearchParams({ CallSid: 'u-1', To: '+1' });
    const signature = createHmac('sha1', 'key').update(`${URL_OF_CALL}CallSidu-1To+1`).digest('base64');
    const takesUnder = (name: string, text = signature): boolean =>
      signalwireWebhooks.isSigned(request({ [name]: text }, form.toString()), form, 'key');
    expect([
      takesUnder('x-signalwire-signature'),
      takesUnder('x-twilio-signature'),
      takesUnder('x-other'),
    ]).toEqual([true, true, false]);
    expect([signalwireWebhooks.provenBy, takesUnder('x-signalwire-signature', 'AAAA')]).toEqual([
      'signing_key',
      false,
    ]);
  });

  it('is a secret of the trunk where the carrier signs nothing: the password, or a key of this address alone', () => {
    const basic = (text: string): Record<string, string> => ({
      authorization: `Basic ${Buffer.from(text).toString('base64')}`,
    });
    const at = (url: string, headers: Record<string, string> = {}): boolean =>
      hasSecret({ ...request(headers), url }, NO_FORM, 'secret');
    expect([at(URL_OF_CALL, basic('any:secret')), at(URL_OF_CALL, basic('any:other'))]).toEqual([
      true,
      false,
    ]);
    const proven = provenUrl(URL_OF_CALL, 'exotel', 'secret');
    expect([at(proven), at(proven.replace('/voice', '/status')), at(URL_OF_CALL)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([provenUrl(URL_OF_CALL, 'twilio', 'secret'), provenUrl(URL_OF_CALL, 'exotel', null)]).toEqual([
      URL_OF_CALL,
      URL_OF_CALL,
    ]);
  });
});
