import type { ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyCurl } from '../../ui/controls.tsx';
import { t } from '../../words/words.ts';

export function RemoveDialog({
  userId,
  email,
  onClose,
}: {
  userId: string;
  email: string;
  onClose: () => void;
}): ReactNode {
  const remove = useChange('removeMember', ['listMembers'], () =>
    t('{email} is no longer a member.', { email }),
  );
  const input = { user_id: userId };
  return (
    <ConfirmDialog
      title={t('Remove {email}', { email })}
      action={t('Remove member')}
      isBusy={remove.isPending}
      error={remove.error}
      curl={<CopyCurl operation="removeMember" input={input} />}
      onConfirm={() => remove.mutate(input, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t('They lose access to this workspace and its child workspaces at once. What they made stays.')}
    </ConfirmDialog>
  );
}
