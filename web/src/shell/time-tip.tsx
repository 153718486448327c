import { useEffect, useState, type ReactNode } from 'react';
import { readerZone, zonedTimes, type ZonedTime } from '../parts/time-zones.ts';

interface Tip {
  readonly times: readonly ZonedTime[];
  readonly left: number;
  readonly top: number;
}
const ID = 'time-tip';
const [WIDTH, HEIGHT, GAP] = [272, 112, 6];

function tipOf(time: HTMLTimeElement): Tip | null {
  const times = zonedTimes(time.dateTime, readerZone(), time.dataset['zone'] ?? null);
  if (times.length === 0) return null;
  const box = time.getBoundingClientRect();
  const isLow = box.bottom + GAP + HEIGHT > innerHeight;
  return {
    times,
    left: Math.max(GAP, Math.min(box.left, document.documentElement.clientWidth - WIDTH - GAP)),
    // Touching the time, so that the pointer can move onto it.
    top: isLow ? Math.max(0, box.top - HEIGHT) : box.bottom,
  };
}

/** The time under the pointer, or of the focused link, in every zone that matters. One for all times of the page. */
export function TimeTip(): ReactNode {
  const [tip, setTip] = useState<Tip | null>(null);
  useEffect(() => {
    let described: Element | null = null;
    let anchor: HTMLTimeElement | null = null;
    const show = (time: HTMLTimeElement | null): void => {
      anchor = time;
      setTip(time === null ? null : tipOf(time));
    };
    const describe = (element: Element | null): void => {
      described?.removeAttribute('aria-describedby');
      element?.setAttribute('aria-describedby', ID);
      described = element;
    };
    const hide = (): void => {
      describe(null);
      show(null);
    };
    const onPointer = ({ target }: PointerEvent): void => {
      if (!(target instanceof Element) || target.closest(`#${ID}`) !== null) return;
      const time = target.closest<HTMLTimeElement>('time[datetime]');
      // A page that moves under a resting pointer does not end the tip of the focus.
      if (time !== null || described === null) show(time);
    };
    const onFocus = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element) || !target.matches('a:focus-visible')) return;
      const time = target.querySelector<HTMLTimeElement>('time[datetime]');
      if (time === null) return;
      describe(target);
      show(time);
    };
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') hide();
    };
    document.addEventListener('pointerover', onPointer);
    document.addEventListener('focusin', onFocus);
    document.addEventListener('focusout', hide);
    document.addEventListener('keydown', onKey);
    // A row that gets the focus may scroll into view.
    const onScroll = (): void => {
      if (anchor !== null) show(anchor.isConnected ? anchor : null);
    };
    document.addEventListener('scroll', onScroll, true);
    return () => {
      document.removeEventListener('pointerover', onPointer);
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('focusout', hide);
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('scroll', onScroll, true);
    };
  }, []);
  if (tip === null) return null;
  return (
    <div
      id={ID}
      role="tooltip"
      style={{ left: tip.left, top: tip.top, width: WIDTH, paddingBlock: GAP }}
      className="fixed z-30"
    >
      <dl className="flex flex-col gap-1.5 rounded-md border border-line bg-surface px-3 py-2 text-sm shadow-lg">
        {tip.times.map(({ label, text }) => (
          <div key={label}>
            <dt className="text-xs text-muted">{label}</dt>
            <dd className="tabular-nums">{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
