import { useMedia } from './use-media.ts';

/** Whether the window is as narrow as a phone, for what a phone draws in another way than by its classes. */
export const useIsPhone = (): boolean => useMedia('(width < 40rem)');
