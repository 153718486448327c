import type { ReactNode } from 'react';
import { t } from '../words/words.ts';

/** Lines of a paragraph or a form; a table; figures side by side; the cards of a page; a chart in its card. */
type Shape = 'lines' | 'table' | 'stats' | 'cards' | 'chart';

const BAR = 'animate-pulse rounded-md bg-raised';
const BOX = 'rounded-lg border border-line bg-surface';
const times = (count: number, draw: (index: number) => ReactNode): ReactNode[] =>
  Array.from({ length: count }, (_, index) => draw(index));

const SHAPES: Readonly<Record<Shape, () => ReactNode>> = {
  lines: () => times(3, (row) => <div key={row} className={`h-10 ${BAR}`} />),
  table: () => (
    <div className={BOX}>
      {times(8, (row) => (
        <div
          key={row}
          className="flex h-9 items-center justify-between gap-6 border-b border-line px-4 last:border-0"
        >
          <div className={`h-4 w-1/4 ${BAR}`} />
          <div className={`h-4 w-1/6 ${BAR}`} />
          <div className={`h-4 w-1/5 ${BAR} max-sm:hidden`} />
          <div className={`h-4 w-12 ${BAR}`} />
        </div>
      ))}
    </div>
  ),
  stats: () => (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(10rem,100%),1fr))] gap-3 sm:gap-4">
      {times(5, (box) => (
        <div key={box} className={`flex h-28 flex-col gap-3 px-5 py-4 ${BOX}`}>
          <div className={`h-4 w-2/3 ${BAR}`} />
          <div className={`h-7 w-1/3 ${BAR}`} />
        </div>
      ))}
    </div>
  ),
  cards: () => (
    <>
      <div className={`h-64 ${BOX} p-4`}>
        <div className={`h-full ${BAR}`} />
      </div>
      <div className="grid gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        {times(2, (card) => (
          <div key={card} className={`flex h-80 flex-col gap-3 p-4 ${BOX}`}>
            {times(5, (row) => (
              <div key={row} className={`h-6 ${BAR}`} />
            ))}
          </div>
        ))}
      </div>
    </>
  ),
  chart: () => <div className={`h-52 ${BAR}`} />,
};

/** The place of what loads, in its shape, so that the page does not jump. */
export function Loading({
  label = t('Loading'),
  shape = 'lines',
}: {
  label?: string;
  shape?: Shape;
}): ReactNode {
  return (
    <div role="status" className={`flex flex-col ${shape === 'lines' ? 'gap-3' : 'gap-6'}`}>
      <span className="sr-only">{label}</span>
      {SHAPES[shape]()}
    </div>
  );
}
