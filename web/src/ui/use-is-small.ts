import { useMedia } from './use-media.ts';

/** Whether the window is a phone's or a tablet's: too narrow for the navigation at its side. */
export const useIsSmall = (): boolean => useMedia('(width < 64rem)');
