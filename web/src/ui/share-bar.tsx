import type { ReactNode } from 'react';

/** A share of 0 to 1 as a bar beside its figure; the figure is for screen readers, too. `fills`: the bar is as wide as there is room. */
export function ShareBar({
  share,
  fills = false,
  children,
}: {
  share: number;
  fills?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <span className="flex items-center gap-3">
      <span
        aria-hidden="true"
        className={`h-1.5 overflow-hidden rounded-sm bg-raised ${fills ? 'grow' : 'w-24 shrink-0 sm:w-32'}`}
      >
        <span className="block h-full bg-accent" style={{ width: `${Math.min(1, share) * 100}%` }} />
      </span>
      <span className="min-w-8 text-right tabular-nums">{children}</span>
    </span>
  );
}
