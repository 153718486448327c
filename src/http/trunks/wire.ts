import type { WorkspaceTrunk } from '../../domain/trunks/read-trunks.ts';
import { iso, isoOrNull } from '../common/values.ts';

/** A trunk without its address and account. */
export const toTrunk = (trunk: WorkspaceTrunk) => ({
  trunk_id: trunk.id,
  name: trunk.name,
  kind: trunk.kind,
  transport: trunk.transport,
  srtp: trunk.srtp,
  registers: trunk.registers,
  registered: trunk.isRegistered,
  reachable: trunk.isReachable,
  gateways: [...trunk.gateways],
  enabled: trunk.isEnabled,
  paused_until: isoOrNull(trunk.pausedUntil),
  max_calls: trunk.maxCalls,
  calls_per_second: trunk.callsPerSecond,
  numbers: trunk.numbers,
  live_calls: trunk.live,
  last_failures: trunk.failures.map((failure) => ({
    call_id: failure.callId,
    attempt: failure.attempt,
    ended_at: iso(failure.endedAt),
    sub_status: failure.subStatus,
    sip_code: failure.sipCode,
    reason: failure.reason,
  })),
});
