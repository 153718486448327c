import { useWorkspace } from './session.ts';

/** The zone by whose days the open workspace counts. */
export const useWorkspaceZone = (): string => useWorkspace()?.timezone ?? 'UTC';
