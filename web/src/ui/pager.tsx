import { useId, type ReactNode } from 'react';
import { Button } from './controls.tsx';
import { formatNumber } from './format.tsx';
import { t } from '../words/words.ts';

/** Which part of a list is shown, and the way to the others. `sizes`: the choice of rows on a page. */
export function Pager<Size extends number>({
  total,
  page,
  size,
  sizes = [],
  names: [before, after] = ['Newer', 'Older'],
  onPage,
  onSize,
}: {
  total: number;
  page: number;
  size: number;
  sizes?: readonly Size[];
  /** Of the ways to the page before and after; lists begin with the newest entry. */
  names?: readonly [string, string];
  onPage: (page: number) => void;
  onSize?: (size: Size) => void;
}): ReactNode {
  const id = useId();
  if (total <= Math.min(size, ...sizes) && page === 1) return null;
  const last = Math.max(1, Math.ceil(total / size));
  return (
    <nav aria-label={t('Pages')} className="flex flex-wrap items-center justify-between gap-3 text-sm">
      <span className="text-muted tabular-nums">
        {t('{from} to {to} of {total}', {
          from: formatNumber(Math.min((page - 1) * size + 1, total)),
          to: formatNumber(Math.min(page * size, total)),
          total: formatNumber(total),
        })}
      </span>
      <span className="flex flex-wrap items-center gap-2">
        {sizes.length === 0 ? null : (
          <span className="mr-2 flex items-center gap-2">
            <label htmlFor={id} className="text-muted">
              {t('Rows')}
            </label>
            <select
              id={id}
              className="min-h-control rounded-md border border-line bg-surface px-2 text-ink"
              value={size}
              onChange={({ target }) => {
                const next = sizes.find((each) => String(each) === target.value);
                if (next !== undefined) onSize?.(next);
              }}
            >
              {sizes.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          </span>
        )}
        <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
          {t(before)}
        </Button>
        <Button disabled={page >= last} onClick={() => onPage(page + 1)}>
          {t(after)}
        </Button>
      </span>
    </nav>
  );
}
