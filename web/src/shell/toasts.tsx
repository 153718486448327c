import { useRouterState } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useWorkspaceId } from '../session/workspace.ts';
import { Icon } from '../ui/icon.tsx';
import { toastHost } from '../ui/toast-host.ts';
import type { Toast } from '../ui/toast-queue.ts';
import { clearToasts, closeToast, holdToasts, undoToast, useToasts } from '../ui/toasts.ts';
import { t } from '../words/words.ts';

/** The element that gets the focus when the reader jumps to the messages. */
export const TOASTS_ID = 'toasts';
/** By then the browser knows what is under the pointer instead of a closed entry. */
const CLOSED_MS = 300;
const ACTION =
  'min-h-7 max-sm:min-h-control rounded-md px-2 text-sm font-medium text-accent hover:bg-raised disabled:opacity-60';

/**
 * What was just done, above every screen. The list exists before its first entry, so that screen readers announce each;
 * an entry under the pointer or the focus stays.
 */
export function Toasts(): ReactNode {
  const toasts = useToasts();
  const workspace = useWorkspaceId();
  const list = useRef<HTMLElement>(null);
  useEffect(() => clearToasts, [workspace]);
  // The page scrolls further by their height, so that they hide nothing that gets the focus. The room shrinks with the
  // next screen only: a page that moves makes a click miss.
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const room = useRef({ path, px: 0 });
  useLayoutEffect(() => {
    const px = toasts.length === 0 ? 0 : (list.current?.offsetHeight ?? 0);
    room.current = { path, px: room.current.path === path ? Math.max(room.current.px, px) : px };
    document.documentElement.style.setProperty('--toasts', `${room.current.px}px`);
  }, [toasts, path]);
  const holdIf = (): void =>
    holdToasts(list.current?.matches(':hover') === true || list.current?.matches(':focus-within') === true);
  // The pointer and the focus leave an entry that is closed without an event.
  const count = toasts.length;
  useEffect(() => {
    const timer = setTimeout(holdIf, CLOSED_MS);
    return () => clearTimeout(timer);
  }, [count]);
  // An undo removes the button that has the focus: the focus goes back to where it came from.
  const cameFrom = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const from = cameFrom.current;
    if (from === null || document.activeElement !== document.body) return;
    cameFrom.current = null;
    (from.isConnected ? from : document.querySelector<HTMLElement>('#content'))?.focus();
  }, [toasts]);
  return createPortal(
    <section
      ref={list}
      id={TOASTS_ID}
      aria-label={t('Messages')}
      tabIndex={-1}
      className="pointer-events-none fixed inset-x-4 bottom-4 z-40 max-sm:bottom-18 flex flex-col items-start gap-2 outline-none sm:right-auto sm:w-[24rem] lg:left-[14.75rem] in-[dialog]:max-sm:top-16 in-[dialog]:max-sm:bottom-auto"
      onPointerEnter={() => holdToasts(true)}
      onPointerLeave={holdIf}
      onFocus={({ relatedTarget }) => {
        holdToasts(true);
        if (relatedTarget instanceof HTMLElement && list.current?.contains(relatedTarget) === false) {
          cameFrom.current = relatedTarget;
        }
      }}
      onBlur={() => setTimeout(holdIf)}
      onKeyDown={(event) => {
        const last = toasts.at(-1);
        if (event.key === 'Escape' && last !== undefined) closeToast(last.id);
      }}
    >
      <div role="status" aria-relevant="additions" className="flex w-full flex-col gap-2">
        {toasts.map((toast) => (
          <Entry key={toast.id} toast={toast} />
        ))}
      </div>
    </section>,
    toastHost(),
  );
}

function Entry({ toast }: { toast: Toast }): ReactNode {
  const { id, text, tone, hasUndo, isBusy } = toast;
  return (
    <div
      className={`pointer-events-auto flex items-start justify-between gap-3 rounded-lg border bg-surface py-2.5 pr-2 pl-4 shadow-lg ${tone === 'bad' ? 'border-bad' : 'border-line'}`}
    >
      <p
        id={`toast-${id}`}
        className={`py-0.5 text-sm wrap-anywhere ${tone === 'bad' ? 'text-bad' : 'text-ink'}`}
      >
        {text}
      </p>
      <span className="flex shrink-0 gap-1">
        {hasUndo ? (
          <button type="button" className={ACTION} disabled={isBusy} onClick={() => void undoToast(id)}>
            {isBusy ? t('Undoing…') : t('Undo')}
          </button>
        ) : null}
        <button
          type="button"
          className={`${ACTION} text-muted`}
          aria-label={t('Close the message')}
          aria-describedby={`toast-${id}`}
          onClick={() => closeToast(id)}
        >
          <Icon name="x" />
        </button>
      </span>
    </div>
  );
}
