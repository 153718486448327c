import type { VersionConfig } from '../../store/json/agent-version.ts';

/** What pages with the public key may do with the version. */
export const webSessionsOf = (
  config: Pick<VersionConfig, 'webSessions'>,
): NonNullable<VersionConfig['webSessions']> =>
  config.webSessions ?? { requireSession: false, pageVariables: null };
