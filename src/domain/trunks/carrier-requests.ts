import type { CarrierKind } from '../../shared/carrier-kinds.ts';
import type { CarrierStatus, StreamUpgrade } from '../../shared/carrier-status.ts';
import { isUuid } from '../../shared/ids.ts';
import type { Seal } from '../../shared/seal.ts';
import type { Db } from '../../store/database.ts';
import { findStreamTrunk, type StreamTrunk } from '../../store/numbers/trunks.ts';
import { CARRIER_WEBHOOKS } from '../../wire/carriers/kinds.ts';
import { upgradeFault } from '../../wire/carriers/upgrades.ts';
import { fieldsOf, type CarrierHttpRequest, type PlacedStream } from '../../wire/carriers/webhooks.ts';
import type { AnnouncedCall } from './stream-tickets.ts';

const CALL_ID = /^[\w.:=~-]{1,160}$/;

/** Whether a trunk of the installation takes requests of its carrier. */
export const takesRequests = async ({ db }: { readonly db: Db }, trunkId: string): Promise<boolean> =>
  isUuid(trunkId) && (await findStreamTrunk(db, trunkId)) !== null;

/** A request that a carrier has proven to be of the trunk's account. */
export interface CarrierWebhook {
  readonly kind: CarrierKind;
  readonly carrierCallId: string;
  /** The audio of the call comes over AudioSocket. */
  readonly isAudioSocket: boolean;
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
  const webhooks = CARRIER_WEBHOOKS[kind];
  const secret = secretOf(seal, trunk);
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
    isAudioSocket: webhooks.isAudioSocket?.(field) ?? false,
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

/** Why the upgrade of an announced call is not of the trunk's carrier; null: it is. */
export async function announcedUpgradeFault(
  { db, seal }: { readonly db: Db; readonly seal: Seal },
  trunkId: string,
  upgrade: StreamUpgrade,
): Promise<string | null> {
  const trunk = await findStreamTrunk(db, trunkId);
  if (trunk === null) return 'the trunk is out of service';
  return upgradeFault(CARRIER_WEBHOOKS[trunk.kind], upgrade, secretOf(seal, trunk));
}

/** What proves the requests of the carrier; null: it cannot be opened, or is not set. */
function secretOf(seal: Seal, { kind, password, signingKey }: StreamTrunk): string | null {
  const sealed = CARRIER_WEBHOOKS[kind].provenBy === 'password' ? password : signingKey;
  return sealed === null ? null : seal.open(sealed);
}

/** Some carriers leave out the + of E.164. */
const internationalOf = (number: string): string => (/^[1-9]\d{6,14}$/.test(number) ? `+${number}` : number);
