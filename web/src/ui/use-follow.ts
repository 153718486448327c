import { useEffect, useRef, type RefObject } from 'react';

/** Pixels from the end within which a reader still reads the newest. */
const NEAR_PX = 48;

/** Keeps the end of a growing list in sight while the reader is there; `mark` changes with every entry. */
export function useFollow<T extends HTMLElement>(
  mark: unknown,
): { readonly ref: RefObject<T | null>; readonly onScroll: () => void } {
  const ref = useRef<T>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const list = ref.current;
    if (list !== null && isAtEnd.current) list.scrollTop = list.scrollHeight;
  }, [mark]);
  const onScroll = (): void => {
    const list = ref.current;
    if (list === null) return;
    isAtEnd.current = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_PX;
  };
  return { ref, onScroll };
}
