import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Button, CopyButton, CopyCurl } from '../../ui/controls.tsx';
import { Time } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge, Card } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { MakeKeyDialog } from './make-key-dialog.tsx';
import { t } from '../../words/words.ts';

type NamedKey = Answer<'listKeys'>['keys'][number];

const hasExpired = ({ expires_at: at }: NamedKey): boolean => at !== null && Date.parse(at) <= Date.now();

const columnsOf = (onRevoke: (key: NamedKey) => void): readonly Column<NamedKey>[] => [
  {
    title: 'Name',
    cell: (key) => (
      <>
        {key.name} {hasExpired(key) ? <Badge tone="bad">{t('Expired')}</Badge> : null}
        <code className="block font-mono text-sm text-muted">
          {key.prefix}••••{key.last_four}
        </code>
      </>
    ),
  },
  { title: 'Scopes', cell: (key) => <span className="wrap-anywhere">{key.scopes.join(', ')}</span> },
  { title: 'Addresses', cell: (key) => key.allowed_addresses?.join(', ') ?? 'Any' },
  {
    title: 'Expires',
    cell: (key) => (key.expires_at === null ? 'Never' : <Time iso={key.expires_at} isBrief />),
  },
  {
    title: 'Last used',
    cell: (key) => (key.last_used_at === null ? 'Never' : <Time iso={key.last_used_at} isBrief />),
  },
  { title: 'Action', cell: (key) => <Button onClick={() => onRevoke(key)}>{t('Revoke')}</Button> },
];

/** Keys with a name and scopes, several at once: a new one works before the old one is revoked. */
export function NamedKeys(): ReactNode {
  const keys = useRead('listKeys', {});
  const [isMaking, setIsMaking] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const [revoked, setRevoked] = useState<NamedKey | null>(null);
  const revoke = useChange('revokeKey', ['listKeys'], () => t('The key is revoked.'));
  const input = { key_id: revoked?.id ?? '' };
  return (
    <Card title={t('Named keys')}>
      <p className="mb-4 max-w-prose text-muted">
        {t(
          'Give each program a key of its own, with the scopes that it needs. To replace one without an outage, make a new key, give it to the program, then revoke the old one.',
        )}
      </p>
      {made === null ? null : (
        <div role="status" className="mb-5 rounded-md border border-good p-4">
          <p className="font-medium">{t('This is the new key. Copy it now: it is never shown again.')}</p>
          <div className="mt-3 flex flex-wrap items-center gap-3">
            <code className="rounded-md bg-raised px-3 py-2 font-mono break-all">{made}</code>
            <CopyButton text={made} />
            <Button onClick={() => setMade(null)}>{t('I stored it')}</Button>
          </div>
        </div>
      )}
      <Loaded read={keys}>
        {({ keys: list }) =>
          list.length === 0 ? (
            <p className="mb-4 text-muted">{t('No named key yet.')}</p>
          ) : (
            <div className="mb-4">
              <Table
                caption={t('Named keys')}
                columns={columnsOf(setRevoked)}
                rows={list}
                keyOf={(key) => key.id}
              />
            </div>
          )
        }
      </Loaded>
      <Button onClick={() => setIsMaking(true)}>{t('New named key')}</Button>
      {isMaking ? <MakeKeyDialog onClose={() => setIsMaking(false)} onMade={setMade} /> : null}
      {revoked === null ? null : (
        <ConfirmDialog
          title={t('Revoke {name}', { name: revoked.name })}
          action={t('Revoke key')}
          error={revoke.error}
          isBusy={revoke.isPending}
          curl={<CopyCurl operation="revokeKey" input={input} />}
          onClose={() => setRevoked(null)}
          onConfirm={() => revoke.mutate(input, { onSuccess: () => setRevoked(null) })}
        >
          {t(
            'Every program that uses it gets 401 at once. Event streams that it opened end within two seconds.',
          )}
        </ConfirmDialog>
      )}
    </Card>
  );
}
