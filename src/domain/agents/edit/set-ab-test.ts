import { errors } from '../../../errors.ts';
import { setTraffic } from '../../../store/agent-versions.ts';
import { listVersions } from '../../../store/agents.ts';
import type { EditChange, EditContext } from './edit-context.ts';

export interface SetAbTest {
  versions: { version_id: string; call_traffic: number }[];
}
const WHOLE = 100;

/**
 * Splits new calls between versions of the agent, and starts counting. The active version stays when it takes part;
 * otherwise the one with the largest share becomes it.
 */
export async function setAbTest(
  { tx, workspaceId, agent, at }: EditContext,
  input: SetAbTest,
): Promise<EditChange> {
  const shares = input.versions.map(({ version_id: id, call_traffic: callTraffic }) => ({
    versionId: id.toLowerCase(),
    callTraffic,
  }));
  const sum = shares.reduce((total, share) => total + share.callTraffic, 0);
  if (sum !== WHOLE)
    throw errors.invalid('versions', `must have call_traffic that sums to 100 (it is ${sum})`);
  const named = new Set(shares.map((share) => share.versionId));
  if (named.size !== shares.length) throw errors.invalid('versions', 'must name each version once');
  const own = new Set((await listVersions(tx, workspaceId, agent.id)).map((version) => version.id));
  if (shares.some((share) => !own.has(share.versionId))) throw errors.versionNotFound();
  const largest = shares.reduce((best, share) => (share.callTraffic > best.callTraffic ? share : best));
  const active = named.has(agent.active_version_id) ? agent.active_version_id : largest.versionId;
  await setTraffic(tx, workspaceId, agent.id, { active, abStartedAt: at, shares });
  return {};
}
