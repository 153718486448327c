import type { ReactNode } from 'react';
import type { Levels } from '../../voice/listening.ts';
import { t } from '../../words/words.ts';

const SIDES = [
  { key: 'caller', name: 'Person', className: 'bg-person' },
  { key: 'agent', name: 'Assistant', className: 'bg-assistant' },
] as const;

/** How loud both sides of the call are now. The words of the call are what a screen reader gets. */
export const Meters = ({ levels }: { levels: Levels }): ReactNode => (
  <div
    aria-hidden="true"
    data-testid="levels"
    className="grid w-full max-w-md grid-cols-[5.5rem_1fr] items-center gap-x-3 gap-y-1 text-sm"
  >
    {SIDES.map(({ key, name, className }) => (
      <div key={key} className="contents">
        <span className="text-muted">{t(name)}</span>
        <span className="h-2 overflow-hidden rounded-full bg-raised">
          <span
            className={`block h-full rounded-full ${className}`}
            style={{ width: `${Math.round(levels[key] * 100)}%` }}
          />
        </span>
      </div>
    ))}
  </div>
);
