import { errors } from '../../../errors.ts';
import { newId } from '../../../shared/ids.ts';
import { insertVersion, setTraffic } from '../../../store/agents/versions.ts';
import { countVersions } from '../../../store/agents/drafts.ts';
import { listVersions } from '../../../store/agents/agents.ts';
import { operation } from './operation.ts';

/** Of an agent's record. */
export const MAX_VERSIONS = 50;
/** Percent. */
const ALL_TRAFFIC = 100;

/** Copies the version. The copy gets no calls until `activate_version` or `set_ab_test` names it. */
export const createVersion = operation<{ description?: string }>(
  async ({ tx, workspaceId, agent, config, at }, input) => {
    const versions = await listVersions(tx, workspaceId, agent.id);
    if (versions.length >= MAX_VERSIONS) throw errors.tooManyVersions(MAX_VERSIONS);
    const id = newId();
    const slug = `v${(await countVersions(tx, workspaceId, agent.id)) + 1}`;
    const version = { id, slug, description: input.description ?? '', config };
    await insertVersion(tx, workspaceId, agent.id, version, at);
    return { createdVersionId: id };
  },
);

/** Sends every new call to the version named by `version_id`, and ends a running A/B test. */
export const activateVersion = operation<{ versionId: string }>(
  async ({ tx, workspaceId, agent, version }) => {
    if (version.draft !== null) throw errors.draftNotPublished();
    await setTraffic(tx, workspaceId, agent.id, {
      active: version.id,
      abStartedAt: null,
      shares: [{ versionId: version.id, callTraffic: ALL_TRAFFIC }],
    });
    return {};
  },
);

/**
 * Splits new calls between versions of the agent and restarts the counts. The active version stays active if it takes
 * part; otherwise the version with the largest share becomes active.
 */
export const setAbTest = operation<{ versions: { versionId: string; callTraffic: number }[] }>(
  async ({ tx, workspaceId, agent, at }, input) => {
    const shares = input.versions.map(({ versionId: id, callTraffic }) => ({
      versionId: id.toLowerCase(),
      callTraffic,
    }));
    const sum = shares.reduce((total, share) => total + share.callTraffic, 0);
    if (sum !== ALL_TRAFFIC)
      throw errors.invalid('versions', `must have call_traffic that sums to 100 (it is ${sum})`);
    const named = new Set(shares.map((share) => share.versionId));
    if (named.size !== shares.length) throw errors.invalid('versions', 'must name each version once');
    const own = new Set((await listVersions(tx, workspaceId, agent.id)).map((version) => version.id));
    if (shares.some((share) => !own.has(share.versionId))) throw errors.versionNotFound();
    const largest = shares.reduce((best, share) => (share.callTraffic > best.callTraffic ? share : best));
    const active = named.has(agent.activeVersionId) ? agent.activeVersionId : largest.versionId;
    await setTraffic(tx, workspaceId, agent.id, { active, abStartedAt: at, shares });
    return {};
  },
);
