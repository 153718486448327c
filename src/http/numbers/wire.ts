import type { DoNotCallPage } from '../../domain/termination/do-not-call-list.ts';
import type { WorkspaceNumber } from '../../domain/numbers/list-numbers.ts';
import type { NumberPool } from '../../domain/numbers/number-pools.ts';
import type { NumberSettingsRow } from '../../domain/workspaces/save-number.ts';
import { iso, isoOrNull } from '../common/values.ts';

/** A number of the workspace (interface, Workspace number). */
export const toNumber = (number: WorkspaceNumber) => ({
  id: number.id,
  number: number.number,
  agent:
    number.agent === null
      ? null
      : { id: number.agent.id, agent_display_name: number.agent.name, agent_type: number.agent.type },
  is_test_number: number.isTestNumber,
  is_spam: number.isSpam,
  provider: number.provider,
  display_name: number.displayName,
  number_pool_id: number.poolId,
  purpose: number.purpose,
});

/** A number with the settings that operators change. */
export const toNumberSettings = (number: NumberSettingsRow) => ({
  from_number_id: number.id,
  number: number.number,
  trunk: number.trunk,
  display_name: number.displayName,
  is_test_number: number.isTestNumber,
  call_limit: number.callLimit,
  purpose: number.purpose,
  from_file: number.isFromFile,
  updated_at: iso(number.updatedAt),
});

export const toPool = (pool: NumberPool) => ({
  id: pool.id,
  name: pool.name,
  created_at: iso(pool.createdAt),
  updated_at: iso(pool.updatedAt),
  numbers: pool.numbers.map((number) => ({
    from_number_id: number.id,
    number: number.number,
    display_name: number.displayName,
    is_spam: number.isSpam,
    last_used_at: isoOrNull(number.lastUsedAt),
    resting_until: isoOrNull(number.restingUntil),
  })),
});

export const toDoNotCallPage = ({ numbers, limit, offset, total }: DoNotCallPage) => ({
  numbers: numbers.map((entry) => ({
    mobile_number: entry.number,
    reason: entry.reason,
    created_at: iso(entry.createdAt),
  })),
  limit,
  offset,
  count: numbers.length,
  total,
});
