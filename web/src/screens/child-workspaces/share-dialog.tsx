import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { Button, CopyCurl, TextField } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import type { Child } from './types.ts';
import { t } from '../../words/words.ts';

const AFFECTED = ['listSubWorkspaces', 'getWorkspace', 'listCredits'] as const;

/** The shares of one child: each has its own request, so each has its own button. */
export function ShareDialog({ child, onClose }: { child: Child; onClose: () => void }): ReactNode {
  const [calls, setCalls] = useState(String(child.concurrency));
  const [credits, setCredits] = useState(String(child.credits));
  const concurrency = useChange('setSubWorkspaceConcurrency', AFFECTED);
  const balance = useChange('allocateCredits', AFFECTED);
  const callsInput = { workspace_id: child.id, concurrency: Number(calls) };
  const creditsInput = { allocations: { [child.id]: Number(credits) } };
  return (
    <Dialog title={t('Shares of {name}', { name: child.name })} onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          concurrency.mutate(callsInput);
        }}
      >
        <TextField
          label={t('Concurrent calls')}
          type="number"
          min={0}
          required
          value={calls}
          hint={t('Taken from this workspace. Lowering it ends no live call.')}
          error={concurrency.error?.fields.get('concurrency')}
          onChange={(event) => setCalls(event.target.value)}
        />
        {concurrency.isError ? <ErrorNote error={concurrency.error} /> : null}
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" look="primary" busy={concurrency.isPending}>
            {t('Set the calls')}
          </Button>
          <CopyCurl operation="setSubWorkspaceConcurrency" input={callsInput} />
          {concurrency.isSuccess ? <Done /> : null}
        </div>
      </form>
      <form
        className="mt-6 flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          balance.mutate(creditsInput);
        }}
      >
        <TextField
          label={t('Credits')}
          type="number"
          min={0}
          step="any"
          required
          value={credits}
          hint={t('Its new balance. The difference is taken from this workspace, or returned to it.')}
          onChange={(event) => setCredits(event.target.value)}
        />
        {balance.isError ? <ErrorNote error={balance.error} /> : null}
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" look="primary" busy={balance.isPending}>
            {t('Set the credits')}
          </Button>
          <CopyCurl operation="allocateCredits" input={creditsInput} />
          {balance.isSuccess ? <Done /> : null}
        </div>
      </form>
      <div className="mt-6 flex justify-end">
        <Button onClick={onClose}>{t('Close')}</Button>
      </div>
    </Dialog>
  );
}

function Done(): ReactNode {
  return (
    <span role="status" className="text-good">
      {t('Saved.')}
    </span>
  );
}
