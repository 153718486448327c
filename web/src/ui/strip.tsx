import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';

/** Which edges have more beyond them. */
type Hidden = 'none' | 'before' | 'after' | 'both';

/**
 * Tabs or links side by side. On a phone they stay on one line, which scrolls sideways to the chosen one and fades at an
 * edge that has more beyond it; in a wider window they take as many lines as they need.
 */
export function Strip({ chosen, children }: { chosen: string | number; children: ReactNode }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState<Hidden>('none');
  const look = (): void => {
    if (box.current !== null) setHidden(hiddenOf(box.current));
  };
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setHidden(hiddenOf(element)));
    observer.observe(element);
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    const tab = element
      ?.querySelector('[aria-selected=true], [aria-current=page], [aria-current=step]')
      ?.getBoundingClientRect();
    if (element === null || tab === undefined) return;
    const { left, width } = element.getBoundingClientRect();
    element.scrollLeft += tab.left + tab.width / 2 - (left + width / 2);
  }, [chosen]);
  return (
    <div
      ref={box}
      data-hides={hidden}
      onScroll={look}
      className="-mb-px [scrollbar-width:none] max-sm:overflow-x-auto max-sm:[&_:focus-visible]:-outline-offset-2!"
    >
      {children}
    </div>
  );
}

/** A pixel less counts as seen: browsers round. */
function hiddenOf({ scrollLeft, clientWidth, scrollWidth }: HTMLElement): Hidden {
  const isBefore = scrollLeft > 1;
  const isAfter = scrollLeft + clientWidth < scrollWidth - 1;
  if (isBefore) return isAfter ? 'both' : 'before';
  return isAfter ? 'after' : 'none';
}
