import type { ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { Button } from '../../ui/controls.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

/** Puts the person of a live call on hold, where they hear music, and takes them off. */
export function HoldButton({ callId, isOnHold }: { callId: string; isOnHold: boolean }): ReactNode {
  const control = useChange('controlCall');
  const send = (): void => control.mutate({ call_id: callId, operation: isOnHold ? 'resume' : 'hold' });
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button busy={control.isPending} onClick={send}>
        {isOnHold ? t('Take the person off hold') : t('Put the person on hold')}
      </Button>
      {isOnHold ? (
        <span className="text-muted">{t('The person hears music. The assistant waits.')}</span>
      ) : null}
      {control.isError ? <ErrorNote error={control.error} /> : null}
    </div>
  );
}
