import type { CarrierKind } from '../../shared/carrier-kinds.ts';
import { wireDocument } from '../../shared/wire-names.ts';

/** What the provision file declares of a workspace, as its settings keep it; absent keys are not declared. */
export interface ProvisionedSettings {
  readonly allowPremiumNumbers?: boolean;
  readonly limits?: {
    readonly allowedDestinations?: readonly string[];
    readonly deniedDestinations?: readonly string[];
    readonly destinationCalls?: Readonly<Record<string, number>>;
    readonly calleeFrequency?: { readonly attempts: number; readonly hours: number };
    readonly callsPerMinute?: number;
    readonly strangerCallsPerMinute?: number;
    readonly strangerCreditsPerDay?: number;
    readonly modelTurnsPerDay?: number;
    readonly recordingsMb?: number;
    readonly callRecordsMb?: number;
    readonly chatsMb?: number;
    readonly testsMb?: number;
    readonly creditsPerDay?: number;
    readonly transferHosts?: readonly string[];
    readonly numberRest?:
      | false
      | { readonly attempts?: number; readonly share?: number; readonly minutes?: number };
  };
  readonly largeCampaigns?: boolean;
  readonly strictVariables?: boolean;
  readonly circuitBreaker?: {
    readonly failedShare?: number;
    readonly windowCalls?: number;
    readonly minimumCalls?: number;
  };
  /** The last declared figure, in micro-credits. */
  readonly provisionedCredits?: number;
}
export const provisionedSettings = wireDocument<ProvisionedSettings>({
  allowPremiumNumbers: true,
  limits: {
    allowedDestinations: true,
    deniedDestinations: true,
    destinationCalls: true,
    calleeFrequency: true,
    callsPerMinute: true,
    strangerCallsPerMinute: true,
    strangerCreditsPerDay: true,
    modelTurnsPerDay: true,
    recordingsMb: true,
    callRecordsMb: true,
    chatsMb: true,
    testsMb: true,
    creditsPerDay: true,
    transferHosts: true,
    numberRest: true,
  },
  largeCampaigns: true,
  strictVariables: true,
  circuitBreaker: { failedShare: true, windowCalls: true, minimumCalls: true },
  provisionedCredits: true,
});

/** How the carrier of a trunk wants our calls. */
export interface ProvisionedOutgoing {
  readonly fromDomain?: string;
  readonly route?: string;
  readonly callerId?: 'from' | 'p_asserted_identity';
  readonly callerFormat?: 'e164' | 'digits' | 'national';
  readonly calleeFormat?: 'e164' | 'digits' | 'national';
  readonly calleePrefix?: string;
  readonly callingCode?: string;
  readonly addHeaders?: readonly { readonly name: string; readonly value: string }[];
  readonly removeHeaders?: readonly string[];
  readonly udpLimit?: number;
  readonly dtmf?: 'tones' | 'info';
}

const outgoing = {
  fromDomain: true,
  route: true,
  callerId: true,
  callerFormat: true,
  calleeFormat: true,
  calleePrefix: true,
  callingCode: true,
  addHeaders: true,
  removeHeaders: true,
  udpLimit: true,
  dtmf: true,
} as const;
export const provisionedOutgoing = wireDocument<ProvisionedOutgoing>(outgoing);

/** The settings of a trunk that the provision file declares; null: no limit, or none. */
export interface ProvisionedTrunk {
  /** Other than `sip`: calls go over WebSockets; `username` and `password` are the account and its auth token. */
  readonly kind: 'sip' | CarrierKind;
  readonly uri: string;
  /** Absent: the address of `uri` alone. */
  readonly gateways?: readonly {
    readonly uri: string;
    readonly priority: number;
    readonly weight: number;
    /** Absent: that of the trunk. */
    readonly transport?: 'udp' | 'tcp' | 'tls';
  }[];
  readonly username: string | null;
  /** Absent: `username`. */
  readonly authUsername?: string;
  readonly register: boolean;
  /** Absent: true. */
  readonly enabled?: false;
  readonly maxCalls: number | null;
  readonly callsPerSecond: number | null;
  /** Absent: the default of the installation. */
  readonly maxInboundCalls?: number;
  readonly inboundCallsPerSecond?: number;
  readonly transport: string | null;
  readonly allowedSources: readonly string[];
  readonly mediaRanges: readonly string[];
  /** Absent: off. */
  readonly srtp?: 'optional' | 'required';
  /** Absent: all that the service has. */
  readonly codecs?: readonly ('pcmu' | 'pcma' | 'g722' | 'opus')[];
  /** Absent: none. */
  readonly headerVariables?: readonly string[];
  /** Absent: false. */
  readonly acceptRefer?: boolean;
  /** Absent: false. */
  readonly joinByRefer?: boolean;
  readonly outgoing?: ProvisionedOutgoing;
  /** Absent: none. */
  readonly inboundSecret?: ProvisionedSecret;
  /** Of a carrier over WebSockets. */
  readonly application?: string;
  /** Sealed; absent: none. */
  readonly signingKey?: string;
  /** Sealed. */
  readonly password: string | null;
}
/** A header that INVITEs of a carrier have; `hash` is the SHA-256 of its value, hexadecimal. */
export interface ProvisionedSecret {
  readonly header: string;
  readonly hash: string;
}
export const provisionedTrunk = wireDocument<ProvisionedTrunk>({
  maxCalls: true,
  callsPerSecond: true,
  maxInboundCalls: true,
  inboundCallsPerSecond: true,
  allowedSources: true,
  mediaRanges: true,
  authUsername: true,
  signingKey: true,
  headerVariables: true,
  acceptRefer: true,
  joinByRefer: true,
  inboundSecret: true,
  outgoing,
});
