import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Answer, Input } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { CallResult } from '../../parts/call-result.tsx';
import { CallStatus } from '../../parts/call-status.tsx';
import { Button } from '../../ui/controls.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { ChoiceFilter } from '../../ui/filters.tsx';
import { formatCode, formatNumber, Time } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { ResultFilter } from '../../parts/result-filter.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { ZonedTime } from '../../parts/zoned-time.tsx';
import type { Campaign } from './types.ts';
import { t } from '../../words/words.ts';

type Page = Answer<'listCampaignContacts'>;
type Contact = Page['contacts'][number];
type Status = NonNullable<Input<'listCampaignContacts'>['status']>;
const SIZE = 50;
const STATUSES: readonly (readonly [Status, string])[] = [
  ['registered', 'Not called yet'],
  ['ongoing', 'Live'],
  ['retry', 'Waiting for a retry'],
  ['completed', 'Completed'],
  ['failed', 'Failed'],
  ['error', 'Error'],
  ['cancelled', 'Cancelled'],
];

/** Reasons that the last outcome does not tell. */
const WITH_REASON: ReadonlySet<string> = new Set([
  'WINDOW_CLOSED',
  'LIMIT_REACHED',
  'INSUFFICIENT_BALANCE',
  'RETRY_LIMIT_REACHED',
  'CAMPAIGN_TIME_EXCEEDED',
  'DND_SKIPPED',
  'USER_TERMINATED',
]);

const columnsIn = (zone: string): readonly Column<Contact>[] => [
  {
    title: 'Person',
    cell: (contact) => (
      <>
        <Link
          to="/calls/$callId"
          params={{ callId: contact.call_id }}
          className="font-mono whitespace-nowrap text-accent"
        >
          {contact.mobile_number === '' ? t('Erased') : contact.mobile_number}
        </Link>
        {contact.callee_name === '' ? null : <span className="block text-muted">{contact.callee_name}</span>}
      </>
    ),
  },
  {
    title: 'Result',
    cell: (contact) =>
      contact.result === null ? (
        <span className="text-muted">{formatCode(contact.last_outcome)}</span>
      ) : (
        <CallResult call={contact} />
      ),
  },
  {
    title: 'State',
    cell: (contact) => (
      <CallStatus
        status={contact.call_status}
        subStatus={contact.call_sub_status}
        isAlone={!WITH_REASON.has(contact.call_sub_status)}
      />
    ),
  },
  { title: 'Attempts', cell: (contact) => formatNumber(contact.attempts), isNumber: true },
  { title: 'Last call', cell: (contact) => <Time iso={contact.last_dialed_at} isBrief /> },
  {
    title: 'Next attempt',
    cell: ({ next_attempt_at: next }) =>
      next !== null && Date.parse(next) <= Date.now() ? (
        t('Due now')
      ) : (
        <ZonedTime iso={next} zone={zone} isBrief />
      ),
  },
  { title: 'Row', cell: (contact) => formatNumber(contact.row), isNumber: true },
];

/** Every contact of a campaign that calls, with its call, in the order of the list. */
export function Contacts({ campaign }: { campaign: Campaign }): ReactNode {
  const [status, setStatus] = useState<Status | undefined>();
  const [number, setNumber] = useState('');
  const { result } = useSearch({ from: '/app/campaigns/$campaignId' });
  const navigate = useNavigate({ from: '/campaigns/$campaignId' });
  // The cursors of the pages up to this one; the first page has none.
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [paged, setPaged] = useState(result);
  if (paged !== result) {
    setPaged(result);
    setCursors([]);
  }
  const cursor = cursors.at(-1);
  const read = useRead(
    'listCampaignContacts',
    {
      campaign_id: campaign.id,
      limit: SIZE,
      ...(status === undefined ? {} : { status }),
      ...(number === '' ? {} : { mobile_number: number }),
      ...(result === undefined ? {} : { result }),
      ...(cursor === undefined ? {} : { cursor }),
    },
    { keep: true },
  );
  const filter = (change: () => void): void => {
    change();
    setCursors([]);
  };
  return (
    <section id="contacts" className="flex scroll-mt-4 flex-col gap-4">
      <h2 className="text-base font-semibold">{t('Contacts')}</h2>
      <search className="flex flex-wrap items-end gap-3">
        <div className="w-48">
          <ChoiceFilter
            label={t('State of the contact')}
            value={status}
            options={STATUSES}
            onChange={(value) => filter(() => setStatus(STATUSES.find(([each]) => each === value)?.[0]))}
          />
        </div>
        <div className="w-56">
          <ResultFilter
            value={result}
            query={{ bulk_list_id: campaign.id }}
            onChange={(value) =>
              void navigate({ search: value === '' ? {} : { result: value }, replace: true })
            }
          />
        </div>
        <div className="w-56">
          <SearchField
            label={t('Number of the contact')}
            value={number}
            onApply={(value) => filter(() => setNumber(value))}
          />
        </div>
        <DownloadButton
          operation="reportCampaign"
          input={{
            campaign_id: campaign.id,
            ...(status === undefined ? {} : { status }),
            ...(result === undefined ? {} : { result }),
          }}
          file={`${[campaign.name, status, result].filter(Boolean).join(' ')}.csv`}
          of={t('these contacts as CSV')}
        >
          {t('Download as CSV')}
        </DownloadButton>
      </search>
      <Loaded read={read}>
        {({ contacts, timezone, next_cursor: next }) =>
          contacts.length === 0 ? (
            <p className="text-muted">{t('No contact matches.')}</p>
          ) : (
            <>
              <Table
                caption={t('Contacts')}
                columns={columnsIn(timezone)}
                rows={contacts}
                keyOf={(contact) => contact.call_id}
              />
              {cursors.length === 0 && next === null ? null : (
                <nav aria-label={t('Pages of the contacts')} className="flex justify-end gap-2">
                  <Button disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
                    {t('Before')}
                  </Button>
                  <Button disabled={next === null} onClick={() => setCursors([...cursors, next ?? ''])}>
                    {t('After')}
                  </Button>
                </nav>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  );
}
