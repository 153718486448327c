import { setTraffic } from '../../../store/agent-versions.ts';
import type { EditChange, EditContext } from './edit-context.ts';

export interface ActivateVersion {
  /** The one to activate: `version_id` names the version an edit is for. */
  version_id: string;
}

/** The version takes every new call from now on; a running A/B test ends. */
export async function activateVersion({ tx, workspaceId, agent, version }: EditContext): Promise<EditChange> {
  await setTraffic(tx, workspaceId, agent.id, {
    active: version.id,
    abStartedAt: null,
    shares: [{ versionId: version.id, callTraffic: 100 }],
  });
  return {};
}
