import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CARRIER_WEBHOOKS } from './kinds.ts';
import { upgradeFault } from './upgrades.ts';
import type { CarrierKind } from '../../shared/carrier-kinds.ts';

const NOW = 1_800_000_000_000;
const ADDRESS = 'wss://calls.example.com/carrier/token';
const UNSIGNED = 'the upgrade has no signature of the carrier';
const FORGED = 'the signature of the upgrade is not that of the account';

const fault = (kind: CarrierKind, headers: Readonly<Record<string, string>>, secret = 'secret') =>
  upgradeFault(
    CARRIER_WEBHOOKS[kind],
    { urls: ['ws://10.0.0.5/carrier/token', ADDRESS], headers, at: NOW },
    secret,
  );
const hmac = (algorithm: string, text: string, secret = 'secret'): string =>
  createHmac(algorithm, secret).update(text).digest('base64');

describe('the upgrade of a stream', () => {
  it('is signed by Twilio over its address, with or without a slash behind it', () => {
    for (const address of [ADDRESS, `${ADDRESS}/`])
      expect(fault('twilio', { 'x-twilio-signature': hmac('sha1', address) })).toBeNull();
    expect(fault('twilio', {})).toBe(UNSIGNED);
    expect(fault('twilio', { 'x-twilio-signature': hmac('sha1', `${ADDRESS}2`) })).toBe(FORGED);
    expect(fault('twilio', { 'x-twilio-signature': hmac('sha1', ADDRESS, 'another') })).toBe(FORGED);
  });

  it('is checked at SignalWire, Plivo and Vobiz if it is signed', () => {
    const nonce = hmac('sha256', `${ADDRESS}.n`);
    expect(fault('signalwire', { 'x-signalwire-signature': hmac('sha1', ADDRESS) })).toBeNull();
    for (const name of ['x-plivo-signature-v3', 'x-vobiz-signature-v3']) {
      const kind = name.includes('plivo') ? 'plivo' : 'vobiz';
      expect(fault(kind, { [name]: nonce, [`${name}-nonce`]: 'n' })).toBeNull();
      expect(fault(kind, { [name]: nonce, [`${name}-nonce`]: 'other' })).toBe(FORGED);
      expect(fault(kind, {})).toBeNull();
    }
    expect(fault('signalwire', { 'x-signalwire-signature': 'none' })).toBe(FORGED);
    expect(fault('signalwire', {})).toBeNull();
  });

  it('has the token of Vonage, which the document asks for', () => {
    const text = [{ alg: 'HS256' }, { iat: NOW / 1_000 }]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signed = (secret: string) =>
      `Bearer ${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    expect(fault('vonage', { authorization: signed('secret') })).toBeNull();
    expect(fault('vonage', { authorization: signed('another') })).toBe(FORGED);
    expect(fault('vonage', {})).toBe(UNSIGNED);
  });

  it('is not signed by the other carriers', () => {
    for (const kind of [
      'telnyx',
      'exotel',
      'smartflo',
      'acefone',
      'bandwidth',
      'jambonz',
      'asterisk',
    ] as const)
      expect(fault(kind, { authorization: 'Basic eA==' })).toBeNull();
  });

  it('is refused where the secret of the account cannot be opened', () => {
    const upgrade = { urls: [ADDRESS], headers: { 'x-twilio-signature': hmac('sha1', ADDRESS) }, at: NOW };
    expect(upgradeFault(CARRIER_WEBHOOKS.twilio, upgrade, null)).toBe(FORGED);
  });
});
