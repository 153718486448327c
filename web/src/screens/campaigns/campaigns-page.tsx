import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { campaignReason } from '../../parts/campaign-reason.ts';
import { CampaignState } from '../../parts/campaign-state.tsx';
import { buttonClass, CopyCurl } from '../../ui/controls.tsx';
import { formatNumber, Time } from '../../ui/format.tsx';
import { Badge, EmptyState, ErrorNote, Loading, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import type { PhoneRow } from '../../ui/phone-rows.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { t } from '../../words/words.ts';

type Campaign = Answer<'listCampaigns'>['campaigns'][number];
const SIZE = 50;

const doneOf = (campaign: Campaign): number =>
  (campaign.completed_count ?? 0) + (campaign.failed_count ?? 0) + (campaign.cancelled_count ?? 0);

const progressOf = (campaign: Campaign): string =>
  t('{some} of {all}', {
    some: formatNumber(doneOf(campaign)),
    all: formatNumber(campaign.total_count ?? 0),
  });

/** A campaign on a phone: its name and state, how far it is, and since when. */
const phoneRow = (campaign: Campaign): PhoneRow => ({
  title: (
    <Link to="/campaigns/$campaignId" params={{ campaignId: campaign.id }} className="text-ink no-underline">
      {campaign.name}
    </Link>
  ),
  state: <CampaignState state={campaign.campaign_status} />,
  detail:
    campaign.message === null
      ? progressOf(campaign)
      : `${progressOf(campaign)} · ${campaignReason(campaign) ?? ''}`,
  time: <Time iso={campaign.created_at} isBrief />,
});

const COLUMNS: readonly Column<Campaign>[] = [
  {
    title: 'Name',
    cell: (campaign) => (
      <span className="flex items-center gap-2">
        <Link
          to="/campaigns/$campaignId"
          params={{ campaignId: campaign.id }}
          title={campaign.name}
          className="truncate font-medium text-accent"
        >
          {campaign.name}
        </Link>
        {campaign.channel === 'whatsapp' ? <Badge>{t('WhatsApp')}</Badge> : null}
      </span>
    ),
    isLong: true,
  },
  {
    title: 'State',
    cell: (campaign) => (
      <span className="flex items-center gap-2">
        <CampaignState state={campaign.campaign_status} />
        {campaign.message === null ? null : (
          <span title={campaignReason(campaign) ?? undefined} className="truncate text-muted">
            {campaignReason(campaign)}
          </span>
        )}
      </span>
    ),
    isLong: true,
  },
  {
    title: 'Finished',
    cell: progressOf,
    isNumber: true,
  },
  {
    title: 'Completed',
    cell: (campaign) => formatNumber(campaign.completed_count ?? 0),
    isNumber: true,
    isMinor: true,
  },
  { title: 'Under way', cell: (campaign) => formatNumber(campaign.ongoing_count ?? 0), isNumber: true },
  { title: 'Created', cell: (campaign) => <Time iso={campaign.created_at} isBrief /> },
];

export function CampaignsPage(): ReactNode {
  const { page = 1 } = useSearch({ from: '/app/campaigns' });
  const navigate = useNavigate({ from: '/campaigns' });
  const mayStart = useMay('manager');
  const list = useRead('listCampaigns', { limit: SIZE, offset: (page - 1) * SIZE }, { keep: true });
  const link = (
    <Link to="/campaigns/new" className={buttonClass('primary')}>
      {t('New campaign')}
    </Link>
  );
  const isEmpty = list.data?.campaigns.length === 0;
  return (
    <Page
      title={t('Campaigns')}
      intro={t('A campaign calls every contact of a list, within calling windows and limits.')}
      actions={mayStart && !isEmpty ? link : undefined}
    >
      {list.isPending ? (
        <Loading shape="table" />
      ) : list.isError ? (
        <ErrorNote error={list.error} retry={() => void list.refetch()} />
      ) : isEmpty ? (
        <EmptyState
          title={t('No campaigns yet')}
          icon="megaphone"
          action={mayStart ? link : undefined}
          curl={<CopyCurl operation="listCampaigns" input={{}} />}
        >
          {t(
            'Bring a CSV or Excel file with a column of phone numbers. You see every invalid row and the cost before anybody is called.',
          )}
        </EmptyState>
      ) : (
        <>
          <Table
            caption={t('Campaigns')}
            columns={COLUMNS}
            rows={list.data.campaigns}
            keyOf={({ id }) => id}
            phone={phoneRow}
          />
          <Pager
            total={list.data.pagination.total}
            page={page}
            size={SIZE}
            onPage={(next) => void navigate({ search: next > 1 ? { page: next } : {} })}
          />
        </>
      )}
    </Page>
  );
}
