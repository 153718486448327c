import type { ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { spacedNumber } from '../../parts/phone-number.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyCurl } from '../../ui/controls.tsx';
import { t } from '../../words/words.ts';
import type { NumberSettings } from './types.ts';

/** For operators: asks, then removes the number from the workspace. */
export function RemoveNumber({
  workspaceId,
  number,
  onClose,
}: {
  workspaceId: string;
  number: NumberSettings;
  onClose: () => void;
}): ReactNode {
  const remove = useChange('removeNumber', ['listNumberSettings', 'listNumbers', 'listTrunks'], (removed) =>
    t('{number} was removed.', { number: removed.number }),
  );
  const input = { number: number.number, workspace_id: workspaceId };
  return (
    <ConfirmDialog
      title={t('Remove {number}?', { number: spacedNumber(number.number) })}
      action={t('Remove the number')}
      isBusy={remove.isPending}
      error={remove.error}
      curl={<CopyCurl operation="removeNumber" input={input} />}
      onConfirm={() => remove.mutate(input, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t('Calls to it are rejected. Its calls so far stay in the history.')}{' '}
      {number.from_file
        ? t('The provision file adds it again when it is applied: remove it there, too.')
        : null}
    </ConfirmDialog>
  );
}
