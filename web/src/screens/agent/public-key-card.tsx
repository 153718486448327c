import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Button, CopyButton, CopyCurl } from '../../ui/controls.tsx';
import { Card } from '../../ui/page.tsx';
import type { Agent } from './types.ts';
import { t } from '../../words/words.ts';

/** The public key of the assistant's browser calls. */
export function PublicKeyCard({ agent, mayEdit }: { agent: Agent; mayEdit: boolean }): ReactNode {
  const [isAsked, setIsAsked] = useState(false);
  const rotate = useChange('rotateWebCallKey', ['getAgent', 'listAgents'], () =>
    t('The old public key is replaced and works no more.'),
  );
  const input = { agent_id: agent.id };
  const close = (): void => setIsAsked(false);
  return (
    <Card title={t('Public key')}>
      <div className="flex flex-col items-start gap-3">
        <p className="-mt-2 text-sm text-muted">
          {t('It begins browser calls with this assistant and nothing else, so pages may show it.')}
        </p>
        <code data-testid="public-key" className="rounded-md bg-raised px-3 py-2 font-mono text-sm break-all">
          {agent.webcall_public_key}
        </code>
        <div className="flex flex-wrap gap-2">
          <CopyButton text={agent.webcall_public_key} label={t('Copy key')} />
          {mayEdit ? <Button onClick={() => setIsAsked(true)}>{t('Replace key')}</Button> : null}
        </div>
      </div>
      {isAsked ? (
        <ConfirmDialog
          title={t('Replace the public key?')}
          action={t('Replace the key')}
          isBusy={rotate.isPending}
          error={rotate.error}
          curl={<CopyCurl operation="rotateWebCallKey" input={input} />}
          onConfirm={() => rotate.mutate(input, { onSuccess: close })}
          onClose={close}
        >
          {t('Pages with the old key can begin no calls from then on. Calls that have begun go on.')}
        </ConfirmDialog>
      ) : null}
    </Card>
  );
}
