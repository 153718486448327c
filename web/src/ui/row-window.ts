import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** The rows of a long table that are near the screen, and the height of those before and after them. */
export interface RowWindow {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly beforePx: number;
  readonly afterPx: number;
}

/** Rows beyond the screen on each side, so that scrolling and the keyboard find them. */
const OVERSCAN = 20;
/** The window moves in steps of rows: a render for every pixel would stutter. */
const STEP = 10;

/** The window of `count` rows of `rowPx`, whose first one is `topPx` below the top of a screen of `screenPx`. */
export function rowWindow(count: number, rowPx: number, topPx: number, screenPx: number): RowWindow {
  const first = Math.floor(-topPx / rowPx / STEP) * STEP - OVERSCAN;
  const last = Math.ceil((screenPx - topPx) / rowPx / STEP) * STEP + OVERSCAN;
  const to = Math.min(count, Math.max(last, 2 * OVERSCAN));
  const from = Math.max(0, Math.min(first, to - 2 * OVERSCAN));
  return { from, to, beforePx: from * rowPx, afterPx: (count - to) * rowPx };
}

/** Shorter tables are drawn whole: the browser's own search then finds every row. */
const LONG = 100;
const USUAL_ROW_PX = 37;

/** Which rows of a table to draw; null: all of them. `body` is the element of its rows. */
export function useRowWindow(count: number, body: RefObject<HTMLElement | null>): RowWindow | null {
  const isLong = count > LONG;
  const [shown, setShown] = useState<RowWindow>(() => rowWindow(count, USUAL_ROW_PX, 0, 1_000));
  const rowPx = useRef(USUAL_ROW_PX);
  useLayoutEffect(() => {
    if (!isLong) return undefined;
    const update = (): void => {
      const element = body.current;
      if (element === null) return;
      const rows = [...element.querySelectorAll<HTMLElement>(':scope > tr[aria-rowindex]')];
      const [first, last] = [rows[0]?.getBoundingClientRect(), rows.at(-1)?.getBoundingClientRect()];
      if (first !== undefined && last !== undefined) rowPx.current = (last.bottom - first.top) / rows.length;
      const next = rowWindow(count, rowPx.current, element.getBoundingClientRect().top, innerHeight);
      setShown((now) => (now.from === next.from && now.to === next.to ? now : next));
    };
    update();
    addEventListener('scroll', update, { passive: true });
    addEventListener('resize', update);
    return () => {
      removeEventListener('scroll', update);
      removeEventListener('resize', update);
    };
  }, [isLong, count, body]);
  return isLong ? shown : null;
}
