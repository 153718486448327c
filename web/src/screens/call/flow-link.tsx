import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { buttonClass } from '../../ui/controls.tsx';
import { t } from '../../words/words.ts';

/** Leads to the flow that the call followed, with its moves over the graph. */
export function FlowLink({ callId }: { callId: string }): ReactNode {
  const call = useRead('getCall', { id: callId, send_analysis: true }).data?.data;
  if (call === undefined || call.agent_id === null) return null;
  return (
    <Link
      to="/agents/$agentId"
      params={{ agentId: call.agent_id }}
      search={{ version: call.version_id, tab: 'flow', call: callId }}
      className={buttonClass()}
    >
      {t('Show over the flow')}
    </Link>
  );
}
