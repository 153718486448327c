import type { ReactNode } from 'react';
import { Badge } from '../ui/page.tsx';
import { checkDetail } from './check-details.ts';
import { FIXES, TITLES } from './check-names.ts';
import { t } from '../words/words.ts';

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string | null;
}

/** Readiness checks, each with its state, cause and fix. */
export function Checks({ checks }: { checks: readonly Check[] }): ReactNode {
  return (
    <ul className="grid gap-x-6 gap-y-2.5 sm:grid-cols-2 lg:grid-cols-3">
      {checks.map(({ name, ok, detail }) => (
        <li
          key={name}
          className={`flex items-baseline gap-x-3 gap-y-1 ${ok && detail === null ? '' : 'col-span-full flex-wrap'}`}
        >
          {ok ? (
            detail === null ? (
              <Badge tone="good">OK</Badge>
            ) : (
              <Badge tone="warn">{t('Note')}</Badge>
            )
          ) : (
            <Badge tone="bad">{t('Failed')}</Badge>
          )}
          <span className="font-medium">
            {t(TITLES[name] ?? name.charAt(0).toUpperCase() + name.slice(1))}
          </span>
          {detail === null ? null : <span className="wrap-anywhere">{checkDetail(detail)}</span>}
          {ok && detail === null ? null : (
            <span className="basis-full text-sm text-muted">
              {t(FIXES[name] ?? 'Read the log of the process.')}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
