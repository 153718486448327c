import { exotel, laml, plivoLike } from './by-form.ts';
import { telnyx, vonage } from './by-json.ts';
import { asterisk, audiosocket, bandwidth, jambonz, smartflo } from './by-secret.ts';
import { formSignature, nonceSignature } from './proof.ts';
import type { FakeCarrierSpec } from './spec.ts';
import type { FakeCarrierKind } from './wires.ts';

/** The API of every carrier. */
export const CARRIER_SPECS: Readonly<Record<FakeCarrierKind, FakeCarrierSpec>> = {
  twilio: laml(
    '/2010-04-01',
    formSignature('x-twilio-signature', ({ secret }) => secret),
  ),
  signalwire: laml(
    '/api/laml/2010-04-01',
    formSignature('x-signalwire-signature', ({ signingKey }) => signingKey ?? ''),
  ),
  telnyx,
  plivo: plivoLike('/v1/Account', false, nonceSignature('x-plivo-signature-v3', true)),
  vobiz: plivoLike('/api/v1/Account', true, nonceSignature('x-vobiz-signature-v3', false)),
  exotel,
  vonage,
  smartflo,
  acefone: smartflo,
  bandwidth,
  jambonz,
  asterisk,
  audiosocket,
};
