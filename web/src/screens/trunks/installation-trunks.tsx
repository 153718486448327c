import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Button, CopyCurl, RowActions } from '../../ui/controls.tsx';
import { formatNumber } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { trunkFault } from '../../parts/check-details.ts';
import { Badge, EmptyState, ErrorNote } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { CallDialogLoader as CallDialog } from '../agent/call-dialog-loader.tsx';
import { AccountNumbers } from './account-numbers.tsx';
import { GatewayHealth } from './gateway-health.tsx';
import { t } from '../../words/words.ts';
import { TrunkForm } from './trunk-form.tsx';
import type { InstalledTrunk } from './trunk-values.ts';
import { rich } from '../../words/rich.ts';

const REFRESH_MS = 5_000;

const COLUMNS: readonly Column<InstalledTrunk>[] = [
  {
    title: 'Trunk',
    cell: ({ name, settings, webhook_url: webhook, from_file: isFromFile }) => (
      <span className="block min-w-40">
        {name} {isFromFile ? <Badge>{t('From file')}</Badge> : null}
        <span className="block font-mono wrap-anywhere text-muted">{settings.uri}</span>
        {webhook === null ? null : (
          <span className="block text-muted">
            {t('Webhook for its numbers:')} <code className="wrap-anywhere">{webhook}</code>
          </span>
        )}
      </span>
    ),
  },
  { title: 'Health', cell: (trunk) => <Health trunk={trunk} /> },
  { title: 'Numbers', cell: ({ numbers }) => formatNumber(numbers), isNumber: true },
];

function Health({ trunk }: { trunk: InstalledTrunk }): ReactNode {
  const { settings, registered, reachable, gateways, faults } = trunk;
  if (settings.enabled === false) return <Badge>{t('Out of service')}</Badge>;
  if (registered === null && reachable === null) return <Badge>{t('Not probed yet')}</Badge>;
  return (
    <span className="flex flex-col gap-1">
      <span className="flex flex-wrap gap-2">
        {registered === null ? null : registered ? (
          <Badge tone="good">{t('Registered')}</Badge>
        ) : (
          <Badge tone="bad">{t('Not registered')}</Badge>
        )}
        {reachable === null ? null : reachable ? (
          <Badge tone="good">{t('Responds')}</Badge>
        ) : (
          <Badge tone="bad">{t('Does not respond')}</Badge>
        )}
      </span>
      {faults.map(({ field, message }) => (
        <span key={field} className="block max-w-prose text-bad">
          <code>{field}</code>: {trunkFault(message)}
        </span>
      ))}
      {gateways.map(({ health }, n) => {
        const uri = settings.gateways?.[n]?.uri ?? t('Gateway {n}', { n: n + 1 });
        return (
          <span key={uri} className="flex flex-wrap items-center gap-2">
            <span className="font-mono wrap-anywhere">{uri}</span>
            <GatewayHealth health={health} />
          </span>
        );
      })}
    </span>
  );
}

/** The trunks of the installation, for operators: their health, and forms to add and change them. */
export function InstallationTrunks(): ReactNode {
  const read = useRead('listTrunkSettings', {}, { every: REFRESH_MS });
  const check = useChange('checkTrunk', ['listTrunkSettings'], (_, { message }) => `${message}.`);
  // Null: none is open. `trunk` null: that of a new trunk.
  const [form, setForm] = useState<{ readonly trunk: InstalledTrunk | null } | null>(null);
  const [leaving, setLeaving] = useState<string | null>(null);
  const [importing, setImporting] = useState<string | null>(null);
  const point = useChange('setTrunkWebhook', ['listTrunkSettings'], (_, { message }) => `${message}.`);
  const remove = useChange('deleteTrunk', ['listTrunkSettings'], (_, { message }) => `${message}.`);
  const [tried, setTried] = useState<InstalledTrunk | null>(null);
  const numbers = useRead('listNumbers', {}).data?.workspace_numbers ?? [];
  const agentId = useRead('listAgents', { limit: 1 }).data?.data.agents[0]?.id;
  const numberOf = ({ name }: InstalledTrunk): string | undefined =>
    numbers.find((number) => number.provider === name && !number.is_test_number)?.id;
  const columns: readonly Column<InstalledTrunk>[] = [
    ...COLUMNS,
    {
      title: 'Action',
      cell: (trunk) => (
        <RowActions>
          <Button onClick={() => setForm({ trunk })}>
            {rich('Change{name}', { name: <span className="sr-only"> {trunk.name}</span> })}
          </Button>
          {numberOf(trunk) === undefined || agentId === undefined ? null : (
            <Button onClick={() => setTried(trunk)}>
              {rich('Place a test call{name}', {
                name: <span className="sr-only"> {t('over {name}', { name: trunk.name })}</span>,
              })}
            </Button>
          )}
          <Button onClick={() => check.mutate({ trunk_name: trunk.name })}>
            {rich('Check now{name}', { name: <span className="sr-only"> {trunk.name}</span> })}
          </Button>
          {trunk.webhook_url === null ? null : (
            <>
              <Button onClick={() => setImporting(trunk.name)}>
                {rich('Import numbers{name}', {
                  name: <span className="sr-only"> {t('of {name}', { name: trunk.name })}</span>,
                })}
              </Button>
              <Button onClick={() => point.mutate({ trunk_name: trunk.name })}>
                {rich('Set webhook{name}', {
                  name: <span className="sr-only"> {t('of {name}', { name: trunk.name })}</span>,
                })}
              </Button>
            </>
          )}
          <Button onClick={() => setLeaving(trunk.name)}>
            {rich('Delete{name}', { name: <span className="sr-only"> {trunk.name}</span> })}
          </Button>
          <CopyCurl
            operation="checkTrunk"
            input={{ trunk_name: trunk.name }}
            of={t('check of {name}', { name: trunk.name })}
          />
        </RowActions>
      ),
    },
  ];
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="max-w-3xl">
          <h2 className="mb-1 text-base font-semibold">{t('Trunks of the installation')}</h2>
          <p className="text-pretty text-muted">
            {t(
              'You see them as an operator. Changes apply within seconds, without a restart; calls in progress go on. A trunk marked "From file" is set back when the provision file is applied again: change it there.',
            )}
          </p>
        </div>
        <Button look="primary" onClick={() => setForm({ trunk: null })}>
          {t('Add a trunk')}
        </Button>
      </div>
      {check.isError ? <ErrorNote error={check.error} /> : null}
      {point.isError ? <ErrorNote error={point.error} /> : null}
      <Loaded read={read} shape="table">
        {({ trunks }) =>
          trunks.length === 0 ? (
            <EmptyState title={t('No carrier yet')} icon="plug">
              {t('Add the trunk of your carrier or phone system.')}
            </EmptyState>
          ) : (
            <Table
              caption={t('Trunks of the installation')}
              columns={columns}
              rows={trunks}
              keyOf={({ name }) => name}
            />
          )
        }
      </Loaded>
      {leaving === null ? null : (
        <ConfirmDialog
          title={t('Delete the trunk {leaving}?', { leaving })}
          action={t('Delete trunk')}
          isBusy={remove.isPending}
          error={remove.error}
          curl={<CopyCurl operation="deleteTrunk" input={{ trunk_name: leaving }} />}
          onConfirm={() => remove.mutate({ trunk_name: leaving }, { onSuccess: () => setLeaving(null) })}
          onClose={() => {
            remove.reset();
            setLeaving(null);
          }}
        >
          {t('Its settings and password are deleted, and it is un-registered. Calls in progress go on.')}
        </ConfirmDialog>
      )}
      {tried === null || agentId === undefined ? null : (
        <CallDialog agentId={agentId} isAnyTime from={numberOf(tried) ?? ''} onClose={() => setTried(null)} />
      )}
      {importing === null ? null : <AccountNumbers name={importing} onClose={() => setImporting(null)} />}
      {form === null ? null : <TrunkForm trunk={form.trunk} onClose={() => setForm(null)} />}
    </section>
  );
}
