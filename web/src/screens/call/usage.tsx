import type { ReactNode } from 'react';
import { formatCount, formatNumber, formatSeconds, Time } from '../../ui/format.tsx';
import { Badge, Card, Facts } from '../../ui/page.tsx';
import { formatMoney, PART_NAMES } from '../../parts/vendors.ts';
import type { Call } from './types.ts';
import { faultMessage } from '../../parts/vendor-fault.ts';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

type Vendor = Call['usage']['vendors'][number];

const amountOf = (vendor: Vendor): string =>
  [
    vendor.audio_seconds > 0 ? t('{time} of audio', { time: formatSeconds(vendor.audio_seconds) }) : '',
    vendor.input_tokens + vendor.output_tokens > 0
      ? t('{in} tokens in, {out} out', {
          in: formatNumber(vendor.input_tokens),
          out: formatNumber(vendor.output_tokens),
        })
      : '',
    vendor.characters > 0 ? formatCount(vendor.characters, 'character') : '',
  ]
    .filter(Boolean)
    .join(', ');

/** What the call used of each vendor, and the parts of its cost. */
export function Usage({ call }: { call: Call }): ReactNode {
  const { usage } = call;
  if (usage.vendors.length === 0) return null;
  const { currency } = usage;
  return (
    <Card title={t('Cost of vendors')}>
      <p className="mb-4 text-muted">
        {formatMoney(usage.cost, currency)}
        {usage.cost_per_minute === null
          ? ''
          : `, ${t('{money} per minute', { money: formatMoney(usage.cost_per_minute, currency) })}`}
        {usage.is_complete ? '.' : `; ${t('some vendors have no price.')}`}
      </p>
      <Facts
        rows={usage.vendors.map(
          (vendor) =>
            [
              `${t(PART_NAMES[vendor.part] ?? vendor.part)}: ${[vendor.vendor, vendor.model].filter(Boolean).join(' ')}`,
              <span key="cost">
                {vendor.cost === null ? t('No price') : formatMoney(vendor.cost, currency)}{' '}
                <span className="text-sm text-muted">{amountOf(vendor)}</span>
              </span>,
            ] as const,
        )}
      />
    </Card>
  );
}

/** Time and cost of each agent of a call that was handed over. */
export function CostByAgent({ call }: { call: Call }): ReactNode {
  const { agents, usage } = call;
  if (agents.length < 2) return null;
  return (
    <Card title={t('Cost by assistant')}>
      <Facts
        rows={agents.map(
          (agent) =>
            [
              agent.agent_name ?? agent.agent_id,
              <span key="cost">
                {rich('{callCost} credits, {vendorCost} of vendors {held}', {
                  callCost: formatNumber(agent.call_cost),
                  vendorCost: formatMoney(agent.vendor_cost, usage.currency),
                  held: (
                    <span className="text-sm text-muted">
                      {t('in the call for {heldSeconds}', {
                        heldSeconds: formatSeconds(agent.held_seconds),
                      })}
                    </span>
                  ),
                })}
              </span>,
            ] as const,
        )}
      />
    </Card>
  );
}

/** What went wrong at vendors during the call. */
export function VendorFaults({ call }: { call: Call }): ReactNode {
  if (call.vendor_faults.length === 0) return null;
  return (
    <Card title={t('Faults of vendors')}>
      <ul className="flex flex-col gap-3">
        {call.vendor_faults.map((fault) => (
          <li key={`${fault.part} ${fault.at} ${fault.message}`}>
            <p className="flex flex-wrap items-center gap-2">
              <Badge tone={fault.effect === 'failed' ? 'bad' : 'warn'}>
                {fault.effect === 'failed' ? t('No other vendor took over') : t('Another vendor took over')}
              </Badge>
              <span>{t(PART_NAMES[fault.part] ?? fault.part)}</span>
              <Time iso={fault.at} isBrief />
            </p>
            <p className="text-sm wrap-anywhere text-muted">{faultMessage(fault.message)}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
