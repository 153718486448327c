import type { ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { Button } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/page.tsx';

export function RemoveDialog({
  userId,
  email,
  onClose,
}: {
  userId: string;
  email: string;
  onClose: () => void;
}): ReactNode {
  const remove = useChange('removeMember', ['listMembers']);
  return (
    <Dialog title={`Remove ${email}`} onClose={onClose}>
      <p className="mb-4 text-muted">
        They lose access to this workspace and its child workspaces at once. What they made stays.
      </p>
      {remove.isError ? <ErrorNote error={remove.error} /> : null}
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="danger"
          busy={remove.isPending}
          onClick={() => remove.mutate({ user_id: userId }, { onSuccess: onClose })}
        >
          Remove member
        </Button>
      </div>
    </Dialog>
  );
}
