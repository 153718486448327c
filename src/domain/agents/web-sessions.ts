import type { VersionConfig } from '../../store/json/agent-version.ts';

/** What pages with the public key may do with the version. */
export const webSessionsOf = (
  config: Pick<VersionConfig, 'web_sessions'>,
): NonNullable<VersionConfig['web_sessions']> =>
  config.web_sessions ?? { require_session: false, page_variables: null };
