import { useLayoutEffect, useState, type RefObject } from 'react';

/** Whether what the box holds is no wider than the box. Only then may it do without a scroll bar of its own. */
export function useFits(box: RefObject<HTMLElement | null>): boolean {
  const [fits, setFits] = useState(true);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const update = (): void => {
      const content = element.firstElementChild?.getBoundingClientRect().width ?? 0;
      setFits(content < element.clientWidth + 1);
    };
    update();
    const observer = new ResizeObserver(update);
    observer.observe(element);
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, [box]);
  return fits;
}
