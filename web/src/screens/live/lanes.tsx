import type { ReactNode } from 'react';
import type { WallCall } from './wall.ts';
import { t } from '../../words/words.ts';

const SIDES = [
  { side: 'caller', name: 'Person', className: 'text-person' },
  { side: 'agent', name: 'Assistant', className: 'text-assistant' },
] as const;

/**
 * Who speaks now: dashes move while the words of a side arrive. The stream of all calls has no loudness. The words of the
 * card are what a screen reader gets.
 */
export const Lanes = ({ heard }: { heard: WallCall['heard'] }): ReactNode => (
  <span aria-hidden="true" className="grid grid-cols-2 gap-3 text-xs text-muted">
    {SIDES.map(({ side, name, className }) => (
      <span key={side} className="flex min-w-0 items-center gap-2">
        <span className="truncate">{t(name)}</span>
        <span className="h-1 min-w-6 grow overflow-hidden bg-neutral-tint">
          {heard[side] === 0 ? null : (
            // Words of the person come several times a line: each begins the motion again, which ends without them.
            <span
              key={side === 'caller' ? heard.caller : side}
              data-speaks={side}
              className={`block h-full ${className}`}
            />
          )}
        </span>
      </span>
    ))}
  </span>
);
