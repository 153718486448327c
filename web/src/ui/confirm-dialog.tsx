import type { ReactNode } from 'react';
import type { ApiFailure } from '../api/client.ts';
import { Button } from './controls.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './page.tsx';
import { t } from '../words/words.ts';

/** Asks before an action that cannot be undone, and stays open with the reason when the service refuses it. */
export function ConfirmDialog({
  title,
  action,
  isBusy,
  error,
  curl,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  /** The label of the button. */
  action: string;
  isBusy: boolean;
  error: ApiFailure | null;
  curl?: ReactNode;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}): ReactNode {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <div className="text-muted">{children}</div>
        {error === null ? null : <ErrorNote error={error} />}
        <div className="flex flex-wrap justify-end gap-2">
          {curl}
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button look="danger" busy={isBusy} onClick={onConfirm}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
