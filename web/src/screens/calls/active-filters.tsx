import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { CopyButton } from '../../ui/controls.tsx';
import { formatCode } from '../../ui/format.tsx';
import { FINDING_NAMES, STATUS_NAMES, type CallFilters } from './filters.ts';
import { LOCALE } from '../../words/language.ts';
import { t } from '../../words/words.ts';

type Name = Exclude<keyof CallFilters, 'page' | 'rows'>;
const LABELS: Readonly<Record<Name, string>> = {
  status: 'Status',
  type: 'Direction',
  agent: 'Assistant',
  campaign: 'Campaign',
  number: 'Callee',
  result: 'Result',
  finding: 'Finding',
  from: 'From',
  to: 'To',
};
const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });

/** The filters that apply: each is removed by itself, and the address shares them all. */
export function ActiveFilters({
  filters,
  onChange,
}: {
  filters: CallFilters;
  onChange: (filters: CallFilters) => void;
}): ReactNode {
  const agents = useRead('listAgents', { limit: 100 });
  const campaigns = useRead('listCampaigns', { limit: 100, call_count: false });
  const names = Object.keys(LABELS).filter((name) => filters[name as Name] !== undefined) as Name[];
  if (names.length === 0) return null;
  const wordsOf = (name: Name): string => {
    const value = filters[name] ?? '';
    if (name === 'agent') {
      return agents.data?.data.agents.find(({ id }) => id === value)?.agent_display_name ?? value;
    }
    if (name === 'campaign') return campaigns.data?.campaigns.find(({ id }) => id === value)?.name ?? value;
    if (name === 'from' || name === 'to') return DAY.format(new Date(value));
    if (name === 'finding') return t(FINDING_NAMES[value] ?? value);
    return name === 'number' || name === 'result' ? value : t(STATUS_NAMES[value] ?? formatCode(value));
  };
  const without = (name: Name): CallFilters => {
    const { [name]: _, page: __, ...kept } = filters;
    return kept;
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ul aria-label={t('Active filters')} className="flex flex-wrap items-center gap-2">
        {names.map((name) => (
          <li key={name}>
            <button
              type="button"
              className="flex min-h-7 max-w-80 items-center gap-1.5 rounded-full border border-accent px-3 text-sm hover:bg-raised"
              onClick={() => onChange(without(name))}
            >
              <span className="sr-only">{t('Remove the filter')}</span>
              <span className="text-muted">{t(LABELS[name])}</span>
              <span className="truncate">{wordsOf(name)}</span>
              <span aria-hidden="true" className="text-muted">
                ✕
              </span>
            </button>
          </li>
        ))}
      </ul>
      {names.length > 1 ? (
        <button
          type="button"
          className="min-h-7 rounded-full px-2 text-sm text-accent hover:bg-raised"
          onClick={() => onChange({})}
        >
          {t('Remove all')}
        </button>
      ) : null}
      <CopyButton text={location.href} label={t('Copy link')} />
    </div>
  );
}
