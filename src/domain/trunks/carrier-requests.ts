import type { CarrierKind } from '../../shared/carrier-kinds.ts';
import type { CarrierStatus } from '../../shared/carrier-status.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Seal } from '../../shared/seal.ts';
import type { Db } from '../../store/database.ts';
import { findStreamTrunk } from '../../store/numbers/trunks.ts';
import { plivoWebhooks, vobizWebhooks } from './carriers/plivo.ts';
import { twilioWebhooks } from './carriers/twilio.ts';
import type { CarrierHttpRequest, CarrierWebhooks, Field } from './carriers/webhooks.ts';
import type { AnnouncedCall } from './stream-tickets.ts';

const WEBHOOKS: Readonly<Record<CarrierKind, CarrierWebhooks>> = {
  twilio: twilioWebhooks,
  plivo: plivoWebhooks,
  vobiz: vobizWebhooks,
};
const CALL_ID = /^[\w-]{1,64}$/;
const MOST_CHARS = 200;

/** Whether a trunk of the installation takes requests of its carrier. */
export const takesRequests = async ({ db }: { readonly db: Db }, trunkId: string): Promise<boolean> =>
  isUuid(trunkId) && (await findStreamTrunk(db, trunkId)) !== null;

/** A request that a carrier has proven to be of the trunk's account. */
export interface CarrierWebhook {
  readonly kind: CarrierKind;
  /** The call that the request announces. */
  announced(): AnnouncedCall;
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
  const secret = trunk?.password == null ? null : seal.open(trunk.password);
  if (trunk === null || secret === null) return null;
  const { kind } = trunk;
  const webhooks = WEBHOOKS[kind];
  const form = new URLSearchParams(request.raw.toString('utf8'));
  if (!webhooks.isSigned(request, form, secret)) return null;
  const field: Field = (name) => (form.get(name) ?? '').slice(0, MOST_CHARS);
  const account = webhooks.accountOf(field);
  const carrierCallId = webhooks.callIdOf(field);
  if ((account !== null && account !== trunk.accountId) || !CALL_ID.test(carrierCallId)) return null;
  const displayName = field('CallerName');
  return {
    kind,
    announced: () => ({
      trunkId,
      kind,
      carrierCallId,
      from: internationalOf(field('From')),
      to: internationalOf(field('To')),
      displayName: displayName === '' ? null : displayName,
    }),
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
