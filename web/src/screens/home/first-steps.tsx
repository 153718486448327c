import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Button } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';
import { usePreference } from '../../ui/preferences.ts';
import { t } from '../../words/words.ts';

interface Step {
  readonly to: '/welcome' | '/settings/members' | '/trunks' | '/settings/providers' | '/campaigns/new';
  readonly name: string;
  readonly why: string;
  readonly isDone: boolean;
}

/** What a new workspace does first, until all is done or the reader closes it. For those who may do it. */
export function FirstSteps(): ReactNode {
  const mayDo = useMay('manager');
  const [isClosed, setClosed] = usePreference('no-first-steps');
  return mayDo && !isClosed ? <Steps onClose={() => setClosed(true)} /> : null;
}

function Steps({ onClose }: { onClose: () => void }): ReactNode {
  const mayInvite = useMay('owner');
  const calls = useRead('listCalls', { limit: 1, dialled: true });
  const members = useRead('listMembers', {});
  const trunks = useRead('listTrunks', {});
  const providers = useRead('getProviders', {});
  const campaigns = useRead('listCampaigns', { limit: 1, call_count: false });
  const reads = [calls, members, trunks, providers, campaigns];
  if (!reads.every(({ isSuccess }) => isSuccess)) return null;
  const steps: readonly Step[] = [
    {
      to: '/welcome',
      name: 'Make a first call',
      why: t('An assistant of your own in three steps.'),
      isDone: (calls.data?.total ?? 0) > 0,
    },
    ...(mayInvite
      ? [
          {
            to: '/settings/members' as const,
            name: 'Invite a colleague',
            why: t('Viewers read, managers change, owners decide who may.'),
            isDone: (members.data?.members.length ?? 0) > 1,
          },
        ]
      : []),
    {
      to: '/trunks',
      name: 'Connect a carrier',
      why: t('Then your assistants reach real phones.'),
      isDone: (trunks.data?.trunks ?? []).some(({ kind }) => kind !== 'test'),
    },
    {
      to: '/settings/providers',
      name: 'Add a model',
      why: t('A vendor understands more and speaks more languages well.'),
      isDone: (providers.data?.providers.in_use.llm.length ?? 0) > 0,
    },
    {
      to: '/campaigns/new',
      name: 'Call a list',
      why: t('A campaign calls everybody in a file.'),
      isDone: (campaigns.data?.pagination.total ?? 0) > 0,
    },
  ];
  const left = steps.filter(({ isDone }) => !isDone).length;
  if (left === 0) return null;
  return (
    <Card
      title={t('First steps')}
      aside={
        <span className="flex items-center gap-3 text-muted">
          {t('{done} of {all} done', { done: steps.length - left, all: steps.length })}
          <Button onClick={onClose}>{t('Close')}</Button>
        </span>
      }
    >
      <ol className="grid gap-x-2 sm:grid-cols-2 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">
        {steps.map(({ to, name, why, isDone }) => (
          <li key={to}>
            <Link
              to={to}
              className="-mx-2 flex h-full items-start gap-2.5 rounded-md p-2 text-ink no-underline max-sm:min-h-control max-sm:py-2.5 hover:bg-raised"
            >
              <span className={isDone ? 'text-good' : 'text-muted'}>
                <Icon name={isDone ? 'circle-check' : 'circle'} />
              </span>
              <span>
                <span className="sr-only">{isDone ? t('Done: ') : t('To do: ')}</span>
                <span className="block font-medium">{t(name)}</span>
                <span className="block text-xs text-muted max-sm:hidden">{t(why)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  );
}
