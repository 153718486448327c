import type { CarrierKind } from '../../shared/carrier-kinds.ts';
import { jambonzWebhooks } from './jambonz.ts';
import { plivoWebhooks, vobizWebhooks } from './plivo.ts';
import { telnyxWebhooks } from './telnyx.ts';
import { signalwireWebhooks, twilioWebhooks } from './twilio.ts';
import { asteriskWebhooks, bandwidthWebhooks, exotelWebhooks, smartfloWebhooks } from './unsigned.ts';
import { vonageWebhooks } from './vonage.ts';
import type { CarrierWebhooks } from './webhooks.ts';

/** The requests of every carrier. */
export const CARRIER_WEBHOOKS: Readonly<Record<CarrierKind, CarrierWebhooks>> = {
  twilio: twilioWebhooks,
  signalwire: signalwireWebhooks,
  telnyx: telnyxWebhooks,
  plivo: plivoWebhooks,
  vobiz: vobizWebhooks,
  exotel: exotelWebhooks,
  vonage: vonageWebhooks,
  smartflo: smartfloWebhooks,
  acefone: smartfloWebhooks,
  bandwidth: bandwidthWebhooks,
  jambonz: jambonzWebhooks,
  asterisk: asteriskWebhooks,
};
