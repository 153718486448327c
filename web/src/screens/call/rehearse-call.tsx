import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Button } from '../../ui/controls.tsx';
import type { Call } from './types.ts';
import { t } from '../../words/words.ts';

const CALLS = 20;

/** Rehearses a finished call: a simulated caller says again what the person said. For managers. */
export function RehearseCall({ call }: { call: Call }): ReactNode {
  const mayStart = useMay('manager');
  const navigate = useNavigate();
  const start = useChange('startRehearsal', ['listRehearsals'], (_, { rehearsal }) => {
    void navigate({
      to: '/agents/$agentId/rehearsals',
      params: { agentId: call.agent_id },
      search: { run: rehearsal.rehearsal_id },
    });
    return t('The caller of this call calls again, without a phone.');
  });
  const hasWords = (call.transcript ?? []).length > 0;
  if (!mayStart || call.ended_at === null || call.agent_name === null || !hasWords) return null;
  return (
    <Button
      busy={start.isPending}
      onClick={() => start.mutate({ agent_id: call.agent_id, call_id: call.call_id, calls: CALLS })}
    >
      {t('Rehearse this')}
    </Button>
  );
}
