import type { ReactNode } from 'react';
import { formatCount, formatNumber } from '../../ui/format.tsx';
import { Badge } from '../../ui/page.tsx';
import { groupsOf, type Preview } from './review-groups.ts';
import { t } from '../../words/words.ts';

const SHOWN = 6;

/** Where the people are, what time it is there, and who is called at once. */
export function ReviewZones({ preview }: { preview: Preview }): ReactNode {
  const groups = groupsOf(preview, Date.now());
  const rest = groups.slice(SHOWN);
  if (groups.length === 0) return <p className="text-muted">{t('No contact waits for a call.')}</p>;
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={t('Where the people are')}>
      <table className="w-full text-sm">
        <thead className="text-left text-muted">
          <tr className="border-b border-line">
            <th className="py-1.5 pr-4 font-medium">{t('Where')}</th>
            <th className="py-1.5 pr-4 text-right font-medium">{t('People')}</th>
            <th className="py-1.5 pr-4 font-medium">{t('Time there')}</th>
            <th className="py-1.5 font-medium">{t('What happens')}</th>
          </tr>
        </thead>
        <tbody>
          {groups.slice(0, SHOWN).map((group) => (
            <tr key={group.place} className="border-b border-line align-top last:border-0">
              <td className="py-1.5 pr-4">{group.place}</td>
              <td className="py-1.5 pr-4 text-right tabular-nums">{formatNumber(group.contacts)}</td>
              <td className="py-1.5 pr-4 whitespace-nowrap tabular-nums">{group.clock}</td>
              <td className="py-1.5">
                <span className="flex flex-wrap items-center gap-2">
                  {group.what}
                  {group.isNight ? <Badge tone="warn">{t('Night there')}</Badge> : null}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rest.length === 0 ? null : (
        <p className="mt-2 text-sm text-muted">
          {t('{rest} in {length} of time zones; {rest2} of them are called at once.', {
            rest: formatCount(
              rest.reduce((sum, { contacts }) => sum + contacts, 0),
              'person',
              'people',
            ),
            length: formatCount(rest.length, 'other group'),
            rest2: formatNumber(rest.reduce((sum, each) => sum + (each.isOpen ? each.contacts : 0), 0)),
          })}
        </p>
      )}
    </div>
  );
}
