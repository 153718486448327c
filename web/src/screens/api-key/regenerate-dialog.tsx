import { useState, type FormEvent, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { CopyCurl, TextField } from '../../ui/controls.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

/** Asks before a key is made; replacing one takes the workspace's name. */
export function RegenerateDialog({
  workspaceName,
  hasKey,
  onClose,
  onMade,
}: {
  workspaceName: string;
  hasKey: boolean;
  onClose: () => void;
  onMade: (key: string) => void;
}): ReactNode {
  const [typed, setTyped] = useState('');
  const regenerate = useChange('regenerateApiKey', ['getApiKey']);
  const input = hasKey ? { workspace_name: typed } : {};
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    regenerate.mutate(input, {
      onSuccess: (answer) => {
        onMade(answer.api_key);
        onClose();
      },
    });
  };
  return (
    <Dialog title={hasKey ? t('Regenerate the key') : t('Generate a key')} onClose={onClose}>
      <form className="flex flex-col gap-4" onSubmit={submit}>
        <p className="text-muted">
          {hasKey
            ? t(
                'The old key stops working at once, with no overlap: every program that uses it gets 401 until it has the new one.',
              )
            : t('The key is shown once. Have a place ready to store it.')}
        </p>
        {regenerate.isError ? <ErrorNote error={regenerate.error} /> : null}
        {hasKey ? (
          <TextField
            label={t('Type the workspace name, {workspaceName}, to confirm', { workspaceName })}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            autoFocus
          />
        ) : null}
        <DialogActions
          action={hasKey ? t('Regenerate key') : t('Generate key')}
          look={hasKey ? 'danger' : 'primary'}
          isBusy={regenerate.isPending}
          disabled={hasKey && typed.trim() !== workspaceName.trim()}
          curl={<CopyCurl operation="regenerateApiKey" input={input} />}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
