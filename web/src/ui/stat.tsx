import type { ReactNode } from 'react';
import { LOCALE } from '../words/language.ts';
import { t } from '../words/words.ts';

/** One figure with its name, and what it means. */
export function Stat({
  name,
  title,
  value,
  children,
}: {
  name: string;
  /** A tooltip: how the figure is computed. */
  title?: string;
  value: ReactNode;
  children?: ReactNode;
}): ReactNode {
  return (
    <div
      title={title === undefined ? undefined : t(title)}
      className="rounded-lg border border-line bg-surface px-4 py-3 "
    >
      <h2 className="text-xs text-muted">{t(name)}</h2>
      <p className="mt-1 text-2xl font-semibold tracking-tight tabular-nums">{value}</p>
      {children === undefined ? null : <div className="mt-1 text-xs text-muted">{children}</div>}
    </div>
  );
}

/** Figures side by side, two in a row on a phone. */
export const Stats = ({ children }: { children: ReactNode }): ReactNode => (
  <div className="grid grid-cols-[repeat(auto-fit,minmax(min(10rem,100%),1fr))] gap-3 sm:gap-4">
    {children}
  </div>
);

export const formatShare = (share: number): string =>
  new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 }).format(share);
