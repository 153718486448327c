import type { CarrierKind } from '../../../shared/carrier-kinds.ts';
import { asterisk } from './asterisk.ts';
import { jambonz, vonage } from './binary.ts';
import { acefone, bandwidth, exotel, plivo, smartflo, telnyx, twilio, vobiz } from './events.ts';
import type { Dialect } from './messages.ts';

/** The messages of every carrier. */
export const DIALECTS: Readonly<Record<CarrierKind, Dialect>> = {
  twilio,
  signalwire: twilio,
  telnyx,
  plivo,
  vobiz,
  exotel,
  vonage,
  smartflo,
  acefone,
  bandwidth,
  jambonz,
  asterisk,
};
