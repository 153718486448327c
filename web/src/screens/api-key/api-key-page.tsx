import { useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { useMay, useWorkspace } from '../../session/session.ts';
import { Button, CopyButton } from '../../ui/controls.tsx';
import { Time } from '../../ui/format.tsx';
import { Card, EmptyState, ErrorNote, Facts, Loading, Page } from '../../ui/page.tsx';
import { NamedKeys } from './named-keys.tsx';
import { RegenerateDialog } from './regenerate-dialog.tsx';
import { SigningSecret } from './signing-secret.tsx';
import { t } from '../../words/words.ts';

export function ApiKeyPage(): ReactNode {
  const isOwner = useMay('owner');
  return (
    <Page
      title={t('API keys')}
      intro={t(
        'Programs send a key as X-API-KEY. The workspace key acts for the whole workspace: it places calls and spends credits. A named key does only what its scopes allow. Keep keys on servers only.',
      )}
    >
      {isOwner ? (
        <>
          <KeyCard />
          <NamedKeys />
          <SigningSecret />
        </>
      ) : (
        <EmptyState title={t('Only owners manage keys')}>
          {t('Ask an owner of this workspace. Members shows who they are.')}
        </EmptyState>
      )}
    </Page>
  );
}

function KeyCard(): ReactNode {
  const workspace = useWorkspace();
  const key = useRead('getApiKey', {});
  const [isAsking, setIsAsking] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  if (key.isPending) return <Loading />;
  if (key.isError) return <ErrorNote error={key.error} retry={() => void key.refetch()} />;
  const shown = key.data.api_key;
  return (
    <Card title={t('Workspace key')}>
      {made === null ? null : (
        <div role="status" className="mb-5 rounded-md border border-good p-4">
          <p className="font-medium">{t('This is the new key. Copy it now: it is never shown again.')}</p>
          <div className="mt-3 flex flex-wrap items-center gap-3">
            <code className="rounded-md bg-raised px-3 py-2 font-mono break-all" data-testid="new-key">
              {made}
            </code>
            <CopyButton text={made} />
            <Button onClick={() => setMade(null)}>{t('I stored it')}</Button>
          </div>
        </div>
      )}
      {shown === null ? (
        <p className="mb-4 text-muted">
          {t('This workspace has no key yet, so no program can use its API.')}
        </p>
      ) : (
        <div className="mb-5">
          <Facts
            rows={[
              [
                'Key',
                <code key="key" className="font-mono">
                  {shown.prefix}••••••••{shown.last_four}
                </code>,
              ],
              ['Created', <Time key="created" iso={shown.created_at} />],
              [
                'Last used',
                shown.last_used_at === null ? 'Never' : <Time key="used" iso={shown.last_used_at} />,
              ],
            ]}
          />
        </div>
      )}
      <Button look={shown === null ? 'primary' : 'danger'} onClick={() => setIsAsking(true)}>
        {shown === null ? t('Generate key') : t('Regenerate key')}
      </Button>
      {isAsking && workspace !== null ? (
        <RegenerateDialog
          workspaceName={workspace.name}
          hasKey={shown !== null}
          onClose={() => setIsAsking(false)}
          onMade={setMade}
        />
      ) : null}
    </Card>
  );
}
