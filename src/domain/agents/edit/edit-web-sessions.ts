import type { VersionConfig } from '../../../store/json/agent-version.ts';
import { webSessionsOf } from '../web-sessions.ts';
import { operation } from './operation.ts';

/** What pages with the public key may do. Merged: an absent field keeps its value. */
export const editWebSessions = operation<{ webSessions: Partial<NonNullable<VersionConfig['webSessions']>> }>(
  ({ config }, { webSessions: sent }) => ({
    config: { ...config, webSessions: { ...webSessionsOf(config), ...sent } },
  }),
);
