import type { TrunkProbe } from '../../domain/trunks/read-trunks.ts';
import type { StoredTrunkSettings } from '../../domain/trunks/save-trunk.ts';
import { trunkFaults } from '../../domain/trunks/trunk-fault.ts';
import { isCarrierKind } from '../../shared/carrier-kinds.ts';
import { iso } from '../common/values.ts';

/** Where a carrier sends the calls of the trunk's numbers. */
export const voiceWebhook = (publicUrl: string, trunkId: string): string =>
  `${publicUrl}/carriers/${trunkId}/voice`;

/** A trunk with its settings and its state at the process that answers. */
export function toTrunkSettings(
  trunk: StoredTrunkSettings,
  probes: readonly TrunkProbe[],
  publicUrl: string,
) {
  const probe = probes.find(({ name }) => name === trunk.name);
  return {
    trunk_id: trunk.id,
    name: trunk.name,
    updated_at: iso(trunk.updatedAt),
    numbers: trunk.numbers,
    from_file: trunk.isFromFile,
    has_password: trunk.hasPassword,
    has_signing_key: trunk.hasSigningKey,
    secret_header: trunk.secretHeader,
    webhook_url: isCarrierKind(trunk.settings.kind) ? voiceWebhook(publicUrl, trunk.id) : null,
    registered: probe?.registered ?? null,
    reachable: probe?.reachable ?? null,
    gateways: (probe?.gateways ?? []).map(({ health }) => ({ health })),
    faults: probe === undefined ? [] : trunkFaults(probe),
    settings: trunk.settings,
  };
}
