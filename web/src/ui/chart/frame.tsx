import {
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import { t, within } from '../../words/words.ts';
import { Legend } from './legend.tsx';
import { placeAt } from './place-at.ts';
import type { Series } from './series.ts';
import { nameEvery, niceTicks } from './ticks.ts';
import { useWidth } from './use-width.ts';

/** The values of one place on the axis. */
export interface Point {
  readonly key: string;
  /** In the card, and under the place as far as there is room. */
  readonly name: string;
  /** One value for each series, 0 or more; null: none. */
  readonly values: readonly (number | null)[];
}
export interface ShownSeries extends Series {
  /** Its place in `values`. */
  readonly index: number;
}
/** What a press or Enter on a place opens. */
export interface Opening {
  /** Says so in the card. */
  readonly hint: string;
  readonly open: (key: string) => void;
}
/** Where things are, in pixels. */
export interface Geometry {
  readonly shown: readonly ShownSeries[];
  /** The width of a place. */
  readonly step: number;
  readonly middleOf: (index: number) => number;
  readonly y: (value: number) => number;
}

const [RIGHT, TOP, BOTTOM, HEIGHT] = [4, 8, 22, 200];
/** Between the values of the axis and the plot, and the room that one of their characters needs. */
const [AXIS_GAP, CHARACTER_PX] = [8, 7.5];
const PLOT = HEIGHT - TOP - BOTTOM;
const CARD_PX = 184;

/**
 * The frame of a chart: an axis with round values, names under the places, a legend that leaves series out, and a card
 * with the values of a place, which the pointer and the arrow keys choose. `label` names the chart for screen readers.
 * A finger chooses a place with the first press, and opens it with the second.
 */
export function ChartFrame({
  label,
  points,
  series,
  most,
  format,
  total,
  namePx = 52,
  isTitled = false,
  opens,
  draw,
}: {
  label: string;
  points: readonly Point[];
  series: readonly Series[];
  /** The largest value that the shown series reach. */
  most: (shown: readonly ShownSeries[]) => number;
  format: (value: number) => string;
  /** What stands beside the name in the card; null: nothing. */
  total?: (point: Point, shown: readonly ShownSeries[]) => string;
  /** The width that a name under a place needs. */
  namePx?: number;
  /** It stands under the title of a card, beside which its legend fits. */
  isTitled?: boolean;
  /** Undefined: nothing stands behind a place. */
  opens?: Opening;
  draw: (geometry: Geometry) => ReactNode;
}): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const id = useId();
  const [at, setAt] = useState<number | null>(null);
  const choosesOnly = useRef(false);
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const shown = series.flatMap((each, index) => (hidden.includes(each.name) ? [] : [{ ...each, index }]));
  const ticks = niceTicks(most(shown));
  const top = Math.max(1, ticks.at(-1) ?? 1);
  const left = AXIS_GAP + CHARACTER_PX * Math.max(2, ...ticks.map((tick) => format(tick).length));
  const step = Math.max(0, width - left - RIGHT) / Math.max(1, points.length);
  const every = nameEvery(step, namePx);
  const y = (value: number): number => TOP + PLOT - (value / top) * PLOT;
  const middleOf = (index: number): number => left + (index + 0.5) * step;
  const point = at === null ? undefined : points[at];
  const say = (value: number | null | undefined): string =>
    value === null || value === undefined ? '–' : format(value);
  const placeOf = (event: MouseEvent<HTMLElement>): number | null =>
    placeAt(event.clientX - event.currentTarget.getBoundingClientRect().left, left, step, points.length);
  const onDown = (event: PointerEvent<HTMLElement>): void => {
    const place = placeOf(event);
    choosesOnly.current = event.pointerType === 'touch' && place !== at;
    setAt(place);
  };
  const onLeave = ({ pointerType }: PointerEvent<HTMLElement>): void => {
    // A finger that is lifted leaves, too: the place stays chosen for the second press.
    if (pointerType !== 'touch' || opens === undefined) setAt(null);
  };
  const onPress = (event: MouseEvent<HTMLElement>): void => {
    const pressed = choosesOnly.current ? undefined : points[placeOf(event) ?? -1];
    if (pressed !== undefined) opens?.open(pressed.key);
  };
  const onKey = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === 'Escape') setAt(null);
    if (event.key === 'Enter' && point !== undefined) opens?.open(point.key);
    if (by === undefined || points.length === 0) return;
    event.preventDefault();
    setAt(Math.min(points.length - 1, Math.max(0, (at ?? (by > 0 ? -1 : points.length)) + by)));
  };
  return (
    <div>
      <div className={isTitled ? 'sm:-mt-8' : undefined}>
        <Legend series={series} hidden={hidden} onChange={setHidden} />
      </div>
      <div
        ref={frame}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, points.length - 1)}
        aria-valuenow={at ?? 0}
        aria-valuetext={
          point === undefined
            ? t('Arrow keys read the values')
            : `${point.name}: ${shown.map(({ name, index }) => `${say(point.values[index])} ${within(t(name))}`).join(', ')}`
        }
        aria-describedby={point === undefined ? undefined : id}
        className={`relative ${opens === undefined || at === null ? '' : 'cursor-pointer'}`}
        onPointerMove={(event) => setAt(placeOf(event))}
        onPointerDown={onDown}
        onPointerLeave={onLeave}
        onPointerCancel={() => setAt(null)}
        onClick={onPress}
        onBlur={() => setAt(null)}
        onKeyDown={onKey}
      >
        <svg aria-hidden="true" width={width} height={HEIGHT} className="block text-xs">
          {ticks.map((tick) => (
            <g key={tick}>
              <line x1={left} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} className="stroke-line" />
              <text x={left - AXIS_GAP} y={y(tick) + 4} textAnchor="end" className="fill-muted">
                {format(tick)}
              </text>
            </g>
          ))}
          {at === null ? null : (
            <rect x={middleOf(at) - step / 2} y={TOP} width={step} height={PLOT} className="fill-raised" />
          )}
          {points.map(({ key, name }, index) =>
            index % every === 0 ? (
              <text key={key} x={middleOf(index)} y={HEIGHT - 6} textAnchor="middle" className="fill-muted">
                {name}
              </text>
            ) : null,
          )}
          {draw({ shown, step, middleOf, y })}
        </svg>
        {point === undefined || at === null ? null : (
          <div
            id={id}
            className="pointer-events-none absolute top-2 z-10 rounded-md border border-line bg-surface px-3 py-2 text-xs shadow-lg"
            style={{
              width: CARD_PX,
              left: Math.max(0, Math.min(width - CARD_PX, middleOf(at) - CARD_PX / 2)),
            }}
          >
            <dl className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-0.5">
              <dt className="font-medium">{point.name}</dt>
              <dd className="text-right font-medium tabular-nums">{total?.(point, shown)}</dd>
              {shown.map(({ name, square, index }) => (
                <div key={name} className="contents">
                  <dt className="flex items-center gap-1.5 text-muted">
                    <span className={`size-2 rounded-sm ${square}`} />
                    {t(name)}
                  </dt>
                  <dd className="text-right tabular-nums">{say(point.values[index])}</dd>
                </div>
              ))}
            </dl>
            {opens === undefined ? null : <p className="mt-1 text-muted">{opens.hint}</p>}
          </div>
        )}
      </div>
    </div>
  );
}
