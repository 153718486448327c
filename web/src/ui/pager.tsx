import type { ReactNode } from 'react';
import { Button } from './controls.tsx';
import { formatNumber } from './format.tsx';

/** Which part of a list is shown, and the way to the others. */
export function Pager({
  total,
  page,
  size,
  onPage,
}: {
  total: number;
  page: number;
  size: number;
  onPage: (page: number) => void;
}): ReactNode {
  if (total <= size && page === 1) return null;
  const last = Math.max(1, Math.ceil(total / size));
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3 text-sm">
      <span className="text-muted">
        {formatNumber(Math.min((page - 1) * size + 1, total))} to {formatNumber(Math.min(page * size, total))}{' '}
        of {formatNumber(total)}
      </span>
      <span className="flex gap-2">
        <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
          Newer
        </Button>
        <Button disabled={page >= last} onClick={() => onPage(page + 1)}>
          Older
        </Button>
      </span>
    </nav>
  );
}
