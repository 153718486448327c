import type { CarrierKind } from '../../shared/carrier-kinds.ts';
import type { CarrierStatus } from '../../shared/carrier-status.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Seal } from '../../shared/seal.ts';
import type { Db } from '../../store/database.ts';
import { findStreamTrunk } from '../../store/numbers/trunks.ts';
import { plivoWebhooks, vobizWebhooks } from '../../wire/carriers/plivo.ts';
import { jambonzWebhooks } from '../../wire/carriers/jambonz.ts';
import { telnyxWebhooks } from '../../wire/carriers/telnyx.ts';
import { signalwireWebhooks, twilioWebhooks } from '../../wire/carriers/twilio.ts';
import {
  asteriskWebhooks,
  bandwidthWebhooks,
  exotelWebhooks,
  smartfloWebhooks,
} from '../../wire/carriers/unsigned.ts';
import { vonageWebhooks } from '../../wire/carriers/vonage.ts';
import {
  fieldsOf,
  type CarrierHttpRequest,
  type CarrierWebhooks,
  type PlacedStream,
} from '../../wire/carriers/webhooks.ts';
import type { AnnouncedCall } from './stream-tickets.ts';

const WEBHOOKS: Readonly<Record<CarrierKind, CarrierWebhooks>> = {
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
const CALL_ID = /^[\w.:=~-]{1,160}$/;

/** Whether a trunk of the installation takes requests of its carrier. */
export const takesRequests = async ({ db }: { readonly db: Db }, trunkId: string): Promise<boolean> =>
  isUuid(trunkId) && (await findStreamTrunk(db, trunkId)) !== null;

/** A request that a carrier has proven to be of the trunk's account. */
export interface CarrierWebhook {
  readonly kind: CarrierKind;
  readonly carrierCallId: string;
  /** The call that the request announces; null: it announces none. */
  announced(): AnnouncedCall | null;
  /** The call that we place, if the request names it by itself; null: it does not. */
  readonly placed: PlacedStream | null;
  /** What it reports of the call of an attempt. */
  status(attemptId: string): CarrierStatus;
}

/** Reads a request of a carrier; null: nothing signed it, or it belongs to another account or names no call. */
export async function readCarrierRequest(
  { db, seal }: { readonly db: Db; readonly seal: Seal },
  trunkId: string,
  request: CarrierHttpRequest,
): Promise<CarrierWebhook | null> {
  const trunk = isUuid(trunkId) ? await findStreamTrunk(db, trunkId) : null;
  if (trunk === null) return null;
  const { kind } = trunk;
  const webhooks = WEBHOOKS[kind];
  const sealed = webhooks.provenBy === 'password' ? trunk.password : trunk.signingKey;
  const secret = sealed === null ? null : seal.open(sealed);
  if (secret === null) return null;
  const form = new URLSearchParams(request.raw.toString('utf8'));
  if (!webhooks.isSigned(request, form, secret)) return null;
  const field = fieldsOf(request, form);
  const account = webhooks.accountOf(field);
  const carrierCallId = webhooks.callIdOf(field);
  if ((account !== null && account !== trunk.accountId) || !CALL_ID.test(carrierCallId)) return null;
  const displayName = field('CallerName');
  return {
    kind,
    carrierCallId,
    placed: webhooks.placedOf?.(field) ?? null,
    announced() {
      if (webhooks.isNew?.(field) === false) return null;
      const { from, to } = webhooks.partiesOf(field);
      return {
        trunkId,
        kind,
        carrierCallId,
        from: internationalOf(from),
        to: internationalOf(to),
        displayName: displayName === '' ? null : displayName,
      };
    },
    status: (attemptId) => ({
      trunkId,
      attemptId,
      carrierCallId,
      state: webhooks.stateOf(field),
      sipCode: webhooks.sipCodeOf(field),
    }),
  };
}

/** Some carriers leave out the + of E.164. */
const internationalOf = (number: string): string => (/^[1-9]\d{6,14}$/.test(number) ? `+${number}` : number);
