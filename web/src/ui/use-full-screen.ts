import { useSyncExternalStore } from 'react';

const subscribe = (listener: () => void): (() => void) => {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
};

/** Whether a part of the page fills the screen. Escape ends that, too. */
export const useIsFullScreen = (): boolean =>
  useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);

/** Whether the browser lets a part of a page fill the screen. That of an iPhone does not. */
export const hasFullScreen = (): boolean => document.fullscreenEnabled;

/** A browser may refuse; the page stays as it is then. */
export const fillScreen = (element: Element | null): void =>
  void element?.requestFullscreen().catch(() => undefined);

export function leaveFullScreen(): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen().catch(() => undefined);
}
