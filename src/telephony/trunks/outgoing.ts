import type { InviteRules } from '@callwright/sip';
import { headerValue } from './header-value.ts';
import { type NumberFormat, writtenNumber } from './number-format.ts';

/** How the carrier of a trunk wants our calls, as the trunk's entry declares it. */
export interface Outgoing {
  /** Domain of From and of the registered account; absent: that of the trunk's URI. */
  readonly fromDomain?: string;
  /** SIP URI of an outbound proxy that wants a Route header. */
  readonly route?: string;
  readonly callerId?: 'from' | 'p_asserted_identity';
  readonly callerFormat?: NumberFormat;
  readonly calleeFormat?: NumberFormat;
  /** Digits before every called number, for carriers that route by them. */
  readonly calleePrefix?: string;
  /** Calling code of the country whose numbers `national` writes without it. */
  readonly callingCode?: string;
  /** Values may have variables of the call. */
  readonly addHeaders?: readonly { readonly name: string; readonly value: string }[];
  readonly removeHeaders?: readonly string[];
  /** Bytes above which an INVITE goes over TCP. */
  readonly udpLimit?: number;
  /** How keys go to a far side without telephone-event, in both directions of calls; absent: as tones. */
  readonly dtmf?: 'tones' | 'info';
}

/** The same for the SIP stack. Pure. */
export function inviteRules(outgoing: Outgoing): InviteRules {
  const { fromDomain, route, udpLimit, callingCode = null, calleePrefix = '' } = outgoing;
  const { callerFormat = 'e164', calleeFormat = 'e164', addHeaders = [], removeHeaders = [] } = outgoing;
  return {
    ...(fromDomain === undefined ? {} : { fromDomain }),
    ...(route === undefined ? {} : { route: `<${route}>` }),
    ...(udpLimit === undefined ? {} : { udpLimit }),
    callerId: outgoing.callerId === 'p_asserted_identity' ? 'asserted' : 'from',
    writeCaller: (number) => writtenNumber(number, { format: callerFormat, callingCode }),
    writeCallee: (to) => writtenNumber(to, { format: calleeFormat, callingCode, prefix: calleePrefix }),
    addHeaders,
    writeHeader: ({ name, value }, variables) => headerValue(name, value, variables),
    removeHeaders,
  };
}
