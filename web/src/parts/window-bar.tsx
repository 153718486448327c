import { useRef, type PointerEvent, type ReactNode } from 'react';
import { DAY_MINUTES, onClockAhead, partsOf, timeOf, withEdge, type Part } from './window-hours.ts';
import { t } from '../words/words.ts';

const HOURS = [0, 3, 6, 9, 12, 15, 18, 21, 24];
const share = (minutes: number): string => `${(minutes / DAY_MINUTES) * 100}%`;

/** A day of 24 hours with the open ones filled. `children`: what lies on the bar. */
function Day({ parts, children }: { parts: readonly Part[]; children?: ReactNode }): ReactNode {
  return (
    <div className="relative h-7 rounded-md border border-line bg-raised">
      <div className="absolute inset-0 overflow-hidden rounded-md">
        {parts.map(({ start, end }) => (
          <span
            key={start}
            className="absolute inset-y-0 bg-accent opacity-80"
            style={{ left: share(start), width: share(end - start) }}
          />
        ))}
        {HOURS.slice(1, -1).map((hour) => (
          <span
            key={hour}
            className="absolute inset-y-0 w-px bg-ground opacity-60"
            style={{ left: share(hour * 60) }}
          />
        ))}
      </div>
      {children}
    </div>
  );
}

/**
 * The hours of a calling window on the clock of its zone, and below it on the reader's clock. The edges can be dragged;
 * the times beside it are the accessible form of the same, so that screen readers and the keyboard skip the bar.
 */
export function WindowBar({
  windows,
  zone,
  ahead,
  onDrag,
}: {
  /** Start and end in minutes of the day; several a day cannot be dragged. */
  windows: readonly Part[];
  zone: string;
  /** Minutes by which the reader's clock is ahead; null: it shows the same, or each contact has its own zone. */
  ahead: number | null;
  onDrag?: ((window: Part) => void) | undefined;
}): ReactNode {
  const ref = useRef<HTMLDivElement>(null);
  const [only] = windows;
  const dragTo = (edge: 'start' | 'end', event: PointerEvent<HTMLElement>): void => {
    const box = ref.current?.getBoundingClientRect();
    if (only === undefined || box === undefined || !event.currentTarget.hasPointerCapture(event.pointerId))
      return;
    const at = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    const next = withEdge(only.start, only.end, edge, at * DAY_MINUTES);
    if (next.start !== only.start || next.end !== only.end) onDrag?.(next);
  };
  const isMovable =
    onDrag !== undefined && windows.length === 1 && only !== undefined && only.start !== only.end;
  const parts = (of: (window: Part) => readonly Part[]): readonly Part[] => windows.flatMap(of);
  return (
    <div aria-hidden="true" className="flex flex-col gap-1 text-xs text-muted select-none">
      <div ref={ref}>
        <Day parts={parts(({ start, end }) => partsOf(start, end))}>
          {isMovable
            ? (['start', 'end'] as const).map((edge) => (
                <span
                  key={edge}
                  data-edge={edge}
                  title={`${edge === 'start' ? 'From' : 'Until'} ${timeOf(only[edge])}`}
                  className="absolute -inset-y-1 flex w-6 -translate-x-1/2 cursor-ew-resize touch-none justify-center"
                  style={{ left: share(edge === 'end' && only.end === 0 ? DAY_MINUTES : only[edge]) }}
                  onPointerDown={(event) => {
                    event.preventDefault();
                    event.currentTarget.setPointerCapture(event.pointerId);
                  }}
                  onPointerMove={(event) => dragTo(edge, event)}
                >
                  <span className="w-1.5 rounded-full border border-surface bg-ink" />
                </span>
              ))
            : null}
        </Day>
      </div>
      <div className="relative h-4">
        {HOURS.map((hour) => (
          <span
            key={hour}
            className={`absolute tabular-nums ${hour === 0 ? '' : hour === 24 ? '-translate-x-full' : '-translate-x-1/2'}`}
            style={{ left: share(hour * 60) }}
          >
            {hour}
          </span>
        ))}
      </div>
      <p>{zone}</p>
      {ahead === null ? null : (
        <>
          <Day parts={parts(({ start, end }) => onClockAhead(start, end, ahead))} />
          <p>{t('Your clock')}</p>
        </>
      )}
    </div>
  );
}
