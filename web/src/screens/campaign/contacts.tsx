import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Answer, Input } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { CallResult } from '../../parts/call-result.tsx';
import { CallStatus } from '../../parts/call-status.tsx';
import { outcomeName } from '../../parts/outcomes.ts';
import { Button } from '../../ui/controls.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import type { ListFilter } from '../../ui/filters/list-filter.ts';
import { ListFilters } from '../../ui/filters/list-filters.tsx';
import { formatNumber, Time } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { useResultChoices } from '../../parts/result-choices.ts';
import type { PhoneRow } from '../../ui/phone-rows.tsx';
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
      <span className="flex items-baseline gap-x-2">
        <Link
          to="/calls/$callId"
          params={{ callId: contact.call_id }}
          className="shrink-0 text-accent tabular-nums"
        >
          {contact.mobile_number === '' ? t('Erased') : contact.mobile_number}
        </Link>
        <span className="truncate text-muted" title={contact.callee_name}>
          {contact.callee_name}
        </span>
      </span>
    ),
    isLong: true,
  },
  {
    title: 'Result',
    cell: (contact) =>
      contact.result === null ? (
        <span className="text-muted">{outcomeName(contact.last_outcome)}</span>
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
  { title: 'Last call', cell: (contact) => <Time iso={contact.last_dialed_at} isBrief />, isMinor: true },
  {
    title: 'Next attempt',
    cell: ({ next_attempt_at: next }) =>
      next !== null && Date.parse(next) <= Date.now() ? (
        t('Due now')
      ) : (
        <ZonedTime iso={next} zone={zone} isBrief />
      ),
  },
  { title: 'Row', cell: (contact) => formatNumber(contact.row), isNumber: true, isMinor: true },
];

/** A contact on a phone: who, what came of the call, and when it was. */
const phoneRow = (contact: Contact): PhoneRow => {
  const { callee_name: name, mobile_number: number } = contact;
  return {
    title: (
      <Link to="/calls/$callId" params={{ callId: contact.call_id }} className="text-ink no-underline">
        {name || number || t('Erased')}
      </Link>
    ),
    state: <CallResult call={contact} isAlone />,
    detail: name === '' ? '' : number,
    time: contact.last_dialed_at === null ? null : <Time iso={contact.last_dialed_at} isBrief />,
  };
};

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
  const showResult = (value: string): void =>
    void navigate({ search: value === '' ? {} : { result: value }, replace: true });
  const results = useResultChoices(result, { bulk_list_id: campaign.id });
  const filters: ListFilter<'status' | 'result'>[] = [
    { name: 'status', label: t('State of the contact'), value: status, kind: 'choice', options: STATUSES },
    { name: 'result', label: t('Result'), value: result, kind: 'choice', options: results },
  ];
  return (
    <section id="contacts" className="flex scroll-mt-4 flex-col gap-4">
      <h2 className="text-base font-semibold">{t('Contacts')}</h2>
      <ListFilters
        filters={filters}
        search={{
          label: t('Number of the contact'),
          value: number,
          onApply: (value) => filter(() => setNumber(value)),
        }}
        onChange={(name, value) => {
          if (name === 'result') showResult(value);
          else filter(() => setStatus(STATUSES.find(([each]) => each === value)?.[0]));
        }}
        onClear={() => {
          setStatus(undefined);
          setNumber('');
          showResult('');
        }}
      >
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
      </ListFilters>
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
                phone={phoneRow}
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
