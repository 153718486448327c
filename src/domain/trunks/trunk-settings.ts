import { createHash } from 'node:crypto';
import type { Seal } from '../../shared/seal.ts';
import {
  provisionedTrunk,
  type ProvisionedSecret,
  type ProvisionedTrunk,
} from '../../store/json/provisioned-settings.ts';
import type { TrunkSecrets } from '../../store/tenants/provision.ts';
import type { JsonObject } from '../../store/schema.ts';
import type { TrunkBody } from '../../wire/provision/schema.ts';
import { type Transport, uriTransport } from './uri-transport.ts';

/** Longer than a running process takes to notice a new trunk. */
export const NEW_TRUNK_MS = 10_000;

/** The sealed form of a secret; the stored one if the secret is unchanged. */
export const sealedSecret = (seal: Seal, secret: string, stored: string | null): string =>
  stored !== null && seal.open(stored) === secret ? stored : seal.seal(secret);

/** Null: UDP, and TCP for large requests. */
export const transportOf = ({ uri, transport }: Pick<TrunkBody, 'uri' | 'transport'>): Transport | null =>
  transport ?? uriTransport(uri);

const gatewaysOf = ({ gateways = [] }: TrunkBody): Partial<Pick<ProvisionedTrunk, 'gateways'>> =>
  gateways.length === 0
    ? {}
    : {
        gateways: gateways.map((gateway) => {
          const { uri, priority = 0, weight = 1 } = gateway;
          const transport = transportOf(gateway);
          return { uri, priority, weight, ...(transport === null ? {} : { transport }) };
        }),
      };

/** What is stored of an inbound secret; null: nothing, because its value is empty. */
export const hashedSecret = ({
  header,
  value,
}: NonNullable<TrunkBody['inboundSecret']>): ProvisionedSecret | null =>
  value === '' ? null : { header, hash: createHash('sha256').update(value).digest('hex') };

/** The settings of a trunk as its row keeps them. */
export const trunkSettings = (
  trunk: TrunkBody,
  { password, signingKey, inboundSecret }: TrunkSecrets,
): JsonObject =>
  provisionedTrunk.write({
    kind: trunk.kind ?? 'sip',
    uri: trunk.uri,
    ...gatewaysOf(trunk),
    username: trunk.username ?? null,
    register: trunk.register ?? false,
    ...(trunk.enabled === false ? { enabled: false as const } : {}),
    maxCalls: trunk.maxCalls ?? null,
    callsPerSecond: trunk.callsPerSecond ?? null,
    ...(trunk.maxInboundCalls === undefined ? {} : { maxInboundCalls: trunk.maxInboundCalls }),
    ...(trunk.inboundCallsPerSecond === undefined
      ? {}
      : { inboundCallsPerSecond: trunk.inboundCallsPerSecond }),
    transport: transportOf(trunk),
    allowedSources: trunk.allowedSources ?? [],
    mediaRanges: trunk.mediaRanges ?? [],
    ...(trunk.authUsername === undefined ? {} : { authUsername: trunk.authUsername }),
    ...(trunk.codecs === undefined ? {} : { codecs: trunk.codecs }),
    ...(trunk.headerVariables === undefined ? {} : { headerVariables: trunk.headerVariables }),
    ...(trunk.acceptRefer === true ? { acceptRefer: true } : {}),
    ...(trunk.joinByRefer === true ? { joinByRefer: true } : {}),
    ...(inboundSecret === null ? {} : { inboundSecret }),
    ...(trunk.outgoing === undefined ? {} : { outgoing: trunk.outgoing }),
    ...(trunk.srtp === undefined || trunk.srtp === 'off' ? {} : { srtp: trunk.srtp }),
    ...(trunk.application === undefined ? {} : { application: trunk.application }),
    ...(signingKey === null ? {} : { signingKey }),
    password,
  });
