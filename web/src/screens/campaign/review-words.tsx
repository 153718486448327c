import type { ReactNode } from 'react';
import { listed, useCallPreview } from '../../parts/call-preview.tsx';
import { Button } from '../../ui/controls.tsx';
import { formatCount } from '../../ui/format.tsx';
import { spacedNumber } from '../../parts/phone-number.ts';
import type { Row, SampledRows } from './use-sampled-rows.ts';
import { t } from '../../words/words.ts';

const asContact = ({ callee_name: name, to_number: number, custom_args_values: values }: Row) => ({
  name,
  mobile_number: number,
  custom_args_values: values,
});

/** What some people of the list would hear first, and which values are missing. */
export function ReviewWords({ agentId, sampled }: { agentId: string; sampled: SampledRows }): ReactNode {
  const { rows, shown } = sampled;
  const preview = useCallPreview(agentId, rows.map(asContact));
  const contacts = preview?.contacts.length === rows.length ? preview.contacts : [];
  const gaps = contacts.filter(({ missing }) => missing.length > 0);
  const names = [...new Set(gaps.flatMap(({ missing }) => missing))];
  const values = { rows: formatCount(gaps.length, 'row'), seen: rows.length, names: listed(names) };
  return (
    <section aria-label={t('What they hear first')} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-sm font-semibold">{t('What they hear first')}</h3>
        <Button onClick={sampled.again}>{t('Show other rows')}</Button>
      </div>
      <ul className="flex flex-col gap-2">
        {shown.map((row, at) => (
          <li key={row.call_id} className="rounded-md border border-line bg-raised px-3 py-2">
            <p className="text-sm text-muted">
              {row.callee_name === '' ? t('Without a name') : row.callee_name}, {spacedNumber(row.to_number)}
            </p>
            <p className="mt-0.5 wrap-anywhere">
              {contacts[at] === undefined
                ? '…'
                : contacts[at].says === ''
                  ? t('Nothing: the assistant waits for the person to speak.')
                  : `“${contacts[at].says}”`}
            </p>
          </li>
        ))}
      </ul>
      {gaps.length === 0 ? null : (
        <p role="alert" className="text-sm text-warn">
          {gaps.length === 1
            ? t(
                '{rows} of the {seen} looked at has no value for {names}: the assistant leaves those words out.',
                values,
              )
            : t(
                '{rows} of the {seen} looked at have no value for {names}: the assistant leaves those words out.',
                values,
              )}
        </p>
      )}
    </section>
  );
}
