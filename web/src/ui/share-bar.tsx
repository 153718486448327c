import type { ReactNode } from 'react';

/** A share of 0 to 1 as a bar beside its figure; the figure is for screen readers, too. */
export function ShareBar({ share, children }: { share: number; children: ReactNode }): ReactNode {
  return (
    <span className="flex items-center gap-3">
      <span aria-hidden="true" className="h-1.5 w-24 shrink-0 overflow-hidden rounded-sm bg-raised sm:w-32">
        <span className="block h-full bg-accent" style={{ width: `${Math.min(1, share) * 100}%` }} />
      </span>
      <span className="min-w-8 text-right tabular-nums">{children}</span>
    </span>
  );
}
