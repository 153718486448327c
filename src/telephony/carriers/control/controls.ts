import type { CarrierKind } from '../../../shared/carrier-kinds.ts';
import type { CarrierControl } from '../carrier-trunk.ts';
import { asteriskControl } from './asterisk.ts';
import { bandwidthControl } from './bandwidth.ts';
import { exotelControl } from './exotel.ts';
import { jambonzControl } from './jambonz.ts';
import { plivoControl, vobizControl } from './plivo.ts';
import { smartfloControl } from './smartflo.ts';
import { telnyxControl } from './telnyx.ts';
import { signalwireControl, twilioControl } from './twilio.ts';
import { vonageControl } from './vonage.ts';

/** The API of every carrier. */
export const CONTROLS: Readonly<Record<CarrierKind, CarrierControl>> = {
  twilio: twilioControl,
  signalwire: signalwireControl,
  telnyx: telnyxControl,
  plivo: plivoControl,
  vobiz: vobizControl,
  exotel: exotelControl,
  vonage: vonageControl,
  smartflo: smartfloControl,
  acefone: smartfloControl,
  bandwidth: bandwidthControl,
  jambonz: jambonzControl,
  asterisk: asteriskControl,
};
