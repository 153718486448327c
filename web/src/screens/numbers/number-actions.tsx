import { useState, type ReactNode } from 'react';
import { Button, CopyCurl, RowActions } from '../../ui/controls.tsx';
import { t } from '../../words/words.ts';
import { NumberForm } from './number-form.tsx';
import { RemoveNumber } from './remove-number.tsx';
import type { NumberSettings } from './types.ts';

/** Changes and removes a number, for operators. */
export function NumberActions({
  workspaceId,
  number,
}: {
  workspaceId: string;
  number: NumberSettings;
}): ReactNode {
  const [opened, setOpened] = useState<'form' | 'removal' | null>(null);
  const close = (): void => setOpened(null);
  return (
    <RowActions>
      <Button onClick={() => setOpened('form')}>
        {t('Change')}
        <span className="sr-only"> {number.number}</span>
      </Button>
      <Button onClick={() => setOpened('removal')}>
        {t('Remove')}
        <span className="sr-only"> {number.number}</span>
      </Button>
      <CopyCurl
        operation="removeNumber"
        input={{ number: number.number, workspace_id: workspaceId }}
        of={t('removal of {number}', { number: number.number })}
      />
      {opened === 'form' ? <NumberForm workspaceId={workspaceId} number={number} onClose={close} /> : null}
      {opened === 'removal' ? (
        <RemoveNumber workspaceId={workspaceId} number={number} onClose={close} />
      ) : null}
    </RowActions>
  );
}
