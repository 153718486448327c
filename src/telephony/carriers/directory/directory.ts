import type { CarrierKind } from '../../../shared/carrier-kinds.ts';
import type { AccountFault, CarrierAnswer, CarrierRequest, CarrierTrunk } from '../carrier-trunk.ts';
import { exotelNumbers, smartfloNumbers } from './lists.ts';
import { jambonzNumbers } from './jambonz.ts';
import { plivoNumbers } from './plivo.ts';
import { telnyxNumbers } from './telnyx.ts';
import { signalwireNumbers, twilioNumbers } from './twilio.ts';

/** Sends one request to the carrier's API. Never rejects. */
export type Send = (request: CarrierRequest) => Promise<CarrierAnswer>;

/** A number of the account. */
export interface AccountNumber {
  /** In E.164 form. */
  readonly number: string;
  /** The carrier's id of the number. */
  readonly id: string;
}

/** What the API of a carrier knows of the numbers of the account, and where their calls go. */
export interface CarrierDirectory {
  list(trunk: CarrierTrunk, send: Send): Promise<readonly AccountNumber[] | AccountFault>;
  /** Leads the calls of these numbers to `url`; null: done. Absent: the API has no such request. */
  point?(
    trunk: CarrierTrunk,
    numbers: readonly AccountNumber[],
    url: string,
    send: Send,
  ): Promise<AccountFault | null>;
}

/** Null: the API has no such requests, or none that the credentials of the trunk open. */
export const DIRECTORIES: Readonly<Record<CarrierKind, CarrierDirectory | null>> = {
  twilio: twilioNumbers,
  signalwire: signalwireNumbers,
  telnyx: telnyxNumbers,
  plivo: plivoNumbers,
  vobiz: null,
  exotel: exotelNumbers,
  vonage: null,
  smartflo: smartfloNumbers,
  acefone: smartfloNumbers,
  bandwidth: null,
  jambonz: jambonzNumbers,
  asterisk: null,
};
