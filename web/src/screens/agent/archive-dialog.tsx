import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { call } from '../../api/client.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { CopyCurl } from '../../ui/controls.tsx';
import { formatCount } from '../../ui/format.tsx';
import { TypedDialog } from '../../ui/typed-dialog.tsx';
import type { Agent } from './types.ts';
import { t } from '../../words/words.ts';

/** Takes an assistant out of use after its name is typed. */
export function ArchiveDialog({ agent, onClose }: { agent: Agent; onClose: () => void }): ReactNode {
  const numbers = useRead('listNumbers', {});
  const answered = (numbers.data?.workspace_numbers ?? [])
    .filter((number) => number.agent?.id === agent.id)
    .map(({ id }) => id);
  const archive = useChange(
    'deleteAgent',
    ['listAgents', 'listNumbers', 'getOverview'],
    (input, { cancelled_count: cancelled }) => ({
      text:
        cancelled === 0
          ? t('{agentDisplayName} is archived.', { agentDisplayName: agent.agent_display_name })
          : t('{agentDisplayName} is archived, {cancelled} cancelled.', {
              agentDisplayName: agent.agent_display_name,
              cancelled: formatCount(cancelled, 'queued call'),
            }),
      undo: async () => {
        await call('restoreAgent', input);
        for (const number_id of answered) {
          await call('editAgent', { operation: 'attach_inbound_number', ...input, number_id });
        }
      },
    }),
  );
  const navigate = useNavigate();
  const input = { agent_id: agent.id };
  return (
    <TypedDialog
      title={t('Archive this assistant?')}
      word={agent.agent_display_name}
      label={t('Type the name of the assistant')}
      hint={agent.agent_display_name}
      action={t('Archive')}
      // The undo gives the assistant its numbers back, so they are read before.
      isBusy={archive.isPending || numbers.isPending}
      error={archive.error}
      curl={<CopyCurl operation="deleteAgent" input={input} />}
      onConfirm={() => archive.mutate(input, { onSuccess: () => void navigate({ to: '/agents' }) })}
      onClose={onClose}
    >
      <p className="text-muted">
        {t(
          'It leaves the list, its queued calls are cancelled, and its numbers answer no more calls. Past calls stay readable. Restoring it brings no cancelled call back.',
        )}
      </p>
    </TypedDialog>
  );
}
