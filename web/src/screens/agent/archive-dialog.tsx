import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { call } from '../../api/client.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { Button, CopyCurl, TextField } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/format.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import type { Agent } from './agent-page.tsx';

/** Takes an assistant out of use after its name is typed. */
export function ArchiveDialog({ agent, onClose }: { agent: Agent; onClose: () => void }): ReactNode {
  const [typed, setTyped] = useState('');
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
          ? `${agent.agent_display_name} is archived.`
          : `${agent.agent_display_name} is archived, ${formatCount(cancelled, 'queued call')} cancelled.`,
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
  const name = agent.agent_display_name;
  return (
    <Dialog title="Archive this assistant?" onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          archive.mutate(input, { onSuccess: () => void navigate({ to: '/agents' }) });
        }}
      >
        <p className="text-muted">
          It leaves the list, its queued calls are cancelled, and its numbers answer no more calls. Past calls
          stay readable. Restoring it brings no cancelled call back.
        </p>
        <TextField
          label="Type the name of the assistant"
          hint={name}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {archive.isError ? <ErrorNote error={archive.error} /> : null}
        <div className="flex flex-wrap justify-end gap-2">
          <CopyCurl operation="deleteAgent" input={input} />
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="danger"
            busy={archive.isPending}
            disabled={typed.trim() !== name.trim()}
          >
            Archive
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
