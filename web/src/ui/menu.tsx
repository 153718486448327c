import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { buttonClass } from './controls.tsx';

/** Which corner of its button a menu hangs on. */
type Corner = 'bottom-left' | 'bottom-right' | 'top-left';
const CORNERS: Readonly<Record<Corner, string>> = {
  'bottom-left': 'left-0 top-full mt-1',
  'bottom-right': 'right-0 top-full mt-1',
  'top-left': 'left-0 bottom-full mb-1',
};

/** Between a box and the edge of the window. */
const EDGE_PX = 8;

/**
 * A button that opens a box with choices; Escape and a press elsewhere close it. `name`: what a screen reader says
 * instead of the label; `look`: the classes of the button.
 */
export function Menu({
  label,
  name,
  look = buttonClass(),
  corner = 'bottom-left',
  children,
}: {
  label: ReactNode;
  name?: string;
  look?: string;
  corner?: Corner;
  /** What the box holds; `close` closes it. */
  children: (close: () => void) => ReactNode;
}): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const menu = useRef<HTMLDetailsElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const close = (): void => {
    if (menu.current === null) return;
    // What had the focus in the box goes with it.
    if (box.current?.contains(document.activeElement) === true)
      menu.current.querySelector('summary')?.focus();
    menu.current.open = false;
  };
  useLayoutEffect(() => {
    if (!isOpen || box.current === null) return;
    const { left, right } = box.current.getBoundingClientRect();
    const beyondPx = right - document.documentElement.clientWidth + EDGE_PX;
    if (beyondPx > 0) box.current.style.translate = `-${beyondPx}px`;
    else if (left < EDGE_PX) box.current.style.translate = `${EDGE_PX - left}px`;
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      close();
      menu.current?.querySelector('summary')?.focus();
    };
    const onPress = ({ target }: PointerEvent): void => {
      if (!menu.current?.contains(target as Node)) close();
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', onPress);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', onPress);
    };
  }, [isOpen]);
  return (
    <details ref={menu} className="relative" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary
        aria-label={name}
        className={`${look} cursor-pointer list-none [&::-webkit-details-marker]:hidden`}
      >
        {label}
      </summary>
      {isOpen ? (
        <div
          ref={box}
          className={`absolute z-20 flex min-w-52 flex-col gap-1.5 rounded-md border border-line bg-surface p-3 shadow-lg ${CORNERS[corner]}`}
        >
          {children(close)}
        </div>
      ) : null}
    </details>
  );
}
