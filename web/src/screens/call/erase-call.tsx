import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import type { Call } from './types.ts';
import { t } from '../../words/words.ts';

/** Erases what was said in an ended call, for owners. */
export function EraseCall({ call }: { call: Call }): ReactNode {
  const mayErase = useMay('owner');
  const [isAsking, setIsAsking] = useState(false);
  const erase = useChange('eraseCall', ['getCall', 'listCalls'], () => t('The call is erased.'));
  if (!mayErase || call.ended_at === null || call.erased_at !== null) return null;
  const input = { call_id: call.call_id };
  return (
    <>
      <Button look="danger" onClick={() => setIsAsking(true)}>
        {t('Erase')}
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={t('Erase this call')}
          action={t('Erase for good')}
          isBusy={erase.isPending}
          error={erase.error}
          curl={<CopyCurl operation="eraseCall" input={input} />}
          onConfirm={() => erase.mutate(input, { onSuccess: () => setIsAsking(false) })}
          onClose={() => setIsAsking(false)}
        >
          <p>
            {t(
              'Recording, transcript, analyses, name and values are deleted, also their copies in events. The call stays in the history and the sums with a masked number and its cost. This cannot be undone.',
            )}
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
