import type { ReactNode } from 'react';
import { SheetButton } from '../../ui/sheet-button.tsx';
import type { Sheet } from '../../ui/sheet.ts';

/** A part of the page with its title, and its figures as CSV. */
export function Section({
  title,
  intro,
  sheet,
  isCard = false,
  children,
}: {
  title: string;
  intro?: ReactNode;
  sheet: Sheet;
  /** Draws a frame around contents that have none. */
  isCard?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <section className={isCard ? 'rounded-lg border border-line bg-surface p-4' : ''}>
      <div className="mb-3 flex items-start justify-between gap-3">
        <div>
          <h2 className={`${isCard ? 'text-sm' : 'text-base'} font-semibold`}>{title}</h2>
          {intro === undefined ? null : <p className="max-w-3xl text-pretty text-muted">{intro}</p>}
        </div>
        <SheetButton sheet={sheet} />
      </div>
      {children}
    </section>
  );
}
