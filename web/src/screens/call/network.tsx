import type { ReactNode } from 'react';
import { formatNumber } from '../../ui/format.tsx';
import { Card, Facts } from '../../ui/page.tsx';
import type { Call } from './types.ts';
import { formatShare } from '../../ui/stat.tsx';
import { t } from '../../words/words.ts';

type Network = NonNullable<Call['network']>;
const ms = (value: number | null): string => (value === null ? '–' : `${formatNumber(value)} ms`);
const percent = (value: number | null): string => (value === null ? '–' : formatShare(value / 100));

const mos = (average: number | null, lowest: number | null): string =>
  average === null || lowest === null
    ? '–'
    : t('{average} on average, {lowest} at the worst', {
        average: formatNumber(average),
        lowest: formatNumber(lowest),
      });

/** The quality of the RTP stream of the call, and of its transfer legs. */
export function Networks({ call }: { call: Call }): ReactNode {
  return (
    <>
      {call.network === null ? null : <Quality title={t('Network')} network={call.network} />}
      {call.transfer_network.map((network, index) => (
        // Legs have no other identity than their order.
        // oxlint-disable-next-line react/no-array-index-key
        <Quality
          key={index}
          title={t('Network of transfer {index}', { index: index + 1 })}
          network={network}
        />
      ))}
    </>
  );
}

function Quality({ title, network }: { title: string; network: Network }): ReactNode {
  return (
    <Card title={title}>
      <Facts
        rows={[
          ['Codec', network.codec],
          ['Quality heard here (MOS)', mos(network.mos_received, network.mos_received_lowest)],
          ['Quality heard by the far side (MOS)', mos(network.mos_sent, network.mos_sent_lowest)],
          [
            'Packets',
            t('{packetsSent} sent, {packetsReceived} received', {
              packetsSent: formatNumber(network.packets_sent),
              packetsReceived: formatNumber(network.packets_received),
            }),
          ],
          ['Lost', `${formatNumber(network.packets_lost)} (${percent(network.loss_percent)})`],
          ['Arrived too late to play', formatNumber(network.packets_late)],
          ['Received twice', formatNumber(network.duplicates)],
          ['Concealed', ms(network.concealed_ms)],
          ['Jitter', ms(network.jitter_ms)],
          ['Round trip', ms(network.round_trip_ms)],
          [
            'At the far side',
            t('{lost} lost, jitter {jitter}', {
              lost: percent(network.remote_loss_percent),
              jitter: ms(network.remote_jitter_ms),
            }),
          ],
          ...(network.stray_packets > 0
            ? [['Discarded: from another address', formatNumber(network.stray_packets)] as const]
            : []),
        ]}
      />
    </Card>
  );
}
