import { useId, useLayoutEffect, useRef, type ComponentProps, type ReactNode } from 'react';
import { t } from '../words/words.ts';
import { Button } from './controls.tsx';
import { showToastsIn } from './toast-host.ts';

/**
 * A modal dialog: the browser's own element keeps the focus inside, closes with Escape, and gives the focus back to the
 * control that opened it.
 */
export function Dialog({
  title,
  isWide = false,
  isTop = false,
  isSheet = false,
  onClose,
  children,
}: {
  title: string;
  isWide?: boolean;
  /** Its top stays where it is while its content changes. */
  isTop?: boolean;
  /** At the lower edge of a phone, as wide as its window; a press above it closes it. */
  isSheet?: boolean;
  onClose: () => void;
  children: ReactNode;
}): ReactNode {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return undefined;
    dialog.showModal();
    const takeToastsOut = showToastsIn(dialog);
    // React runs this before it removes the element: a dialog that is removed open leaves the focus nowhere.
    return () => {
      takeToastsOut();
      dialog.close();
    };
  }, []);
  const place = isSheet
    ? 'mx-0 mt-auto mb-0 max-h-[85dvh] w-full max-w-full overflow-y-auto rounded-b-none border-x-0 border-b-0'
    : `${isTop ? 'mx-auto mt-[12vh] mb-auto' : 'm-auto'} ${isWide ? 'w-[min(48rem,calc(100vw-2rem))]' : 'w-[min(32rem,calc(100vw-2rem))]'}`;
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onClose={() => {
        // This event comes late for a dialog that React removes: its owner may have opened another one since.
        if (ref.current?.open === false) onClose();
      }}
      onClick={
        isSheet
          ? ({ target, clientY }) => {
              const top = ref.current?.getBoundingClientRect().top ?? 0;
              if (target === ref.current && clientY < top) onClose();
            }
          : undefined
      }
      className={`${place} rounded-lg border [--bar:0px] border-line bg-surface p-5 text-ink shadow-lg`}
    >
      <h2 id={id} className="mb-3 text-lg font-semibold">
        {title}
      </h2>
      {children}
    </dialog>
  );
}

/** The end of a form in a dialog: its request as curl, the way out, and the button that sends it. */
export function DialogActions({
  action,
  look = 'primary',
  isBusy,
  disabled = false,
  curl,
  out = 'Cancel',
  onClose,
}: {
  /** The label of the button. */
  action: string;
  look?: ComponentProps<typeof Button>['look'];
  isBusy: boolean;
  disabled?: boolean;
  curl: ReactNode;
  out?: 'Cancel' | 'Close';
  onClose: () => void;
}): ReactNode {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      {curl}
      <Button onClick={onClose}>{t(out)}</Button>
      <Button type="submit" look={look} busy={isBusy} disabled={disabled}>
        {action}
      </Button>
    </div>
  );
}
