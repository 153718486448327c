import { useId, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { t } from '../../words/words.ts';
import { formatNumber } from '../format.tsx';
import { Legend } from './legend.tsx';
import type { Series } from './series.ts';
import { nameEvery, niceTicks } from './ticks.ts';
import { useWidth } from './use-width.ts';

export interface Bar {
  readonly key: string;
  /** In the card, and under the bar as far as there is room. */
  readonly name: string;
  /** One value for each series, 0 or more. */
  readonly values: readonly number[];
}

const [LEFT, RIGHT, TOP, BOTTOM, HEIGHT] = [36, 4, 8, 22, 200];
const PLOT = HEIGHT - TOP - BOTTOM;
const CARD_PX = 176;
const MOST_BAR_PX = 44;

/**
 * Stacked bars with an axis. The pointer and the arrow keys show the values of a bar in a card; a series is left out
 * with its name in the legend. `label` names the chart for screen readers.
 */
export function BarChart({
  label,
  bars,
  series,
  namePx = 52,
}: {
  label: string;
  bars: readonly Bar[];
  series: readonly Series[];
  /** The width that a name under a bar needs. */
  namePx?: number;
}): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const id = useId();
  const [at, setAt] = useState<number | null>(null);
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const shown = series.flatMap((each, index) => (hidden.includes(each.name) ? [] : [{ ...each, index }]));
  const sumOf = (bar: Bar): number => shown.reduce((sum, { index }) => sum + (bar.values[index] ?? 0), 0);
  const ticks = niceTicks(Math.max(0, ...bars.map(sumOf)));
  const most = ticks.at(-1) ?? 1;
  const step = Math.max(0, width - LEFT - RIGHT) / Math.max(1, bars.length);
  const barPx = Math.min(MOST_BAR_PX, Math.max(1, step * 0.7));
  const every = nameEvery(step, namePx);
  const y = (value: number): number => TOP + PLOT - (value / Math.max(1, most)) * PLOT;
  const bar = at === null ? undefined : bars[at];
  const text = (each: Bar): string =>
    `${each.name}: ${shown.map(({ name, index }) => `${formatNumber(each.values[index] ?? 0)} ${t(name).toLowerCase()}`).join(', ')}`;
  const onPointer = (event: PointerEvent<HTMLElement>): void => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT;
    const index = Math.floor(x / Math.max(1, step));
    setAt(index >= 0 && index < bars.length ? index : null);
  };
  const onKey = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === 'Escape') setAt(null);
    if (by === undefined || bars.length === 0) return;
    event.preventDefault();
    setAt(Math.min(bars.length - 1, Math.max(0, (at ?? (by > 0 ? -1 : bars.length)) + by)));
  };
  return (
    <div>
      <Legend series={series} hidden={hidden} onChange={setHidden} />
      <div
        ref={frame}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, bars.length - 1)}
        aria-valuenow={at ?? 0}
        aria-valuetext={bar === undefined ? t('Arrow keys read the values') : text(bar)}
        aria-describedby={bar === undefined ? undefined : id}
        className="relative"
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => setAt(null)}
        onBlur={() => setAt(null)}
        onKeyDown={onKey}
      >
        <svg aria-hidden="true" width={width} height={HEIGHT} className="block text-xs">
          {ticks.map((tick) => (
            <g key={tick}>
              <line x1={LEFT} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} className="stroke-line" />
              <text x={LEFT - 8} y={y(tick) + 4} textAnchor="end" className="fill-muted">
                {formatNumber(tick)}
              </text>
            </g>
          ))}
          {bars.map((each, index) => {
            const middle = LEFT + index * step + step / 2;
            let below = 0;
            return (
              <g key={each.key}>
                {index === at ? (
                  <rect x={middle - step / 2} y={TOP} width={step} height={PLOT} className="fill-raised" />
                ) : null}
                {shown.map(({ name, fill, index: of }) => {
                  const value = each.values[of] ?? 0;
                  const [from, to] = [y(below), y(below + value)];
                  below += value;
                  return value === 0 ? null : (
                    <rect
                      key={name}
                      x={middle - barPx / 2}
                      y={to}
                      width={barPx}
                      height={Math.max(1, from - to - 1)}
                      rx={1.5}
                      className={fill}
                    />
                  );
                })}
                {index % every === 0 ? (
                  <text x={middle} y={HEIGHT - 6} textAnchor="middle" className="fill-muted">
                    {each.name}
                  </text>
                ) : null}
              </g>
            );
          })}
        </svg>
        {bar === undefined || at === null ? null : (
          <dl
            id={id}
            className="pointer-events-none absolute top-2 z-10 grid grid-cols-[1fr_auto] gap-x-3 gap-y-0.5 rounded-md border border-line bg-surface px-3 py-2 text-xs shadow-lg"
            style={{
              width: CARD_PX,
              left: Math.max(0, Math.min(width - CARD_PX, LEFT + (at + 0.5) * step - CARD_PX / 2)),
            }}
          >
            <dt className="font-medium">{bar.name}</dt>
            <dd className="text-right font-medium tabular-nums">{formatNumber(sumOf(bar))}</dd>
            {shown.map(({ name, square, index }) => (
              <div key={name} className="contents">
                <dt className="flex items-center gap-1.5 text-muted">
                  <span className={`size-2 rounded-sm ${square}`} />
                  {t(name)}
                </dt>
                <dd className="text-right tabular-nums">{formatNumber(bar.values[index] ?? 0)}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </div>
  );
}
