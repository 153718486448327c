import { createContext, useContext } from 'react';
import { usePreference } from './preferences.ts';

/** Whether the page belongs to the developers' section, where every action shows its request. */
export const DeveloperPage = createContext(false);

/** Whether actions offer their request for scripts: on developers' pages, and everywhere once the reader asks for it. */
export function useShowsRequests(): boolean {
  const isDeveloperPage = useContext(DeveloperPage);
  const [isWanted] = usePreference('show-requests');
  return isDeveloperPage || isWanted;
}
