import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import type { Draft } from './types.ts';

/** The open draft of the assistant; null without one, undefined until that is known. */
function useOpenDraft(agentId: string): Draft | null | undefined {
  const history = useRead('listAgentVersions', { agent_id: agentId, limit: 1 });
  const id = history.data?.draft_version_id;
  const read = useRead('getDraft', { agent_id: agentId }, { enabled: id != null });
  if (id == null) return id === null || history.isError ? null : undefined;
  return read.isError ? null : read.data?.draft;
}

/** The same; while another draft is read, it is the one before, and the page stays as it was. */
export function useKnownDraft(agentId: string): Draft | null | undefined {
  const read = useOpenDraft(agentId);
  const [known, setKnown] = useState(read);
  if (read !== undefined && read !== known) setKnown(read);
  return known;
}
