import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { formatNumber } from '../../ui/format.tsx';
import { ShareBar } from '../../ui/share-bar.tsx';
import { formatShare } from '../../ui/stat.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { DETECTOR_NAMES } from '../call/detector-names.ts';
import { Section } from './section.tsx';
import { detectorSheet } from './sheets.ts';
import { t } from '../../words/words.ts';

type Found = Answer<'getFindings'>;
type Row = Found['detectors'][number];

const columns = (agentId: string | undefined): readonly Column<Row>[] => [
  {
    title: 'Detector',
    cell: ({ detector }) => (
      <Link
        to="/calls"
        search={{ finding: detector, ...(agentId === undefined ? {} : { agent: agentId }) }}
        className="text-accent underline"
      >
        {t(DETECTOR_NAMES[detector])}
      </Link>
    ),
  },
  {
    title: 'Share of checked calls',
    cell: ({ share }) => <ShareBar share={share ?? 0}>{formatShare(share ?? 0)}</ShareBar>,
  },
  { title: 'Calls', cell: ({ calls }) => formatNumber(calls), isNumber: true },
  { title: 'False alarms', cell: ({ false_alarms: count }) => formatNumber(count), isNumber: true },
  {
    title: 'False alarms among its findings',
    cell: ({ false_share: share }) => formatShare(share ?? 0),
    isNumber: true,
  },
];

/** What detectors found in ended calls, and how often people called it a false alarm. */
export function Detectors({ found, agentId }: { found: Found; agentId: string | undefined }): ReactNode {
  if (found.detectors.length === 0) return null;
  return (
    <Section title={t('Detectors')} sheet={detectorSheet(found.detectors)}>
      <Table
        caption={t('Findings in {checkedCalls} checked calls', {
          checkedCalls: formatNumber(found.checked_calls),
        })}
        columns={columns(agentId)}
        rows={found.detectors}
        keyOf={({ detector }) => detector}
      />
    </Section>
  );
}
