import type { VersionConfig } from '../../store/json/agent-version.ts';
import { errors } from '../../errors.ts';
import { webSessionsOf } from '../agents/web-sessions.ts';

/**
 * Throws 403 if the version takes only sessions that the workspace's server opened, and 422 for a variable that a page may
 * not set.
 */
export function checkPage(
  config: Pick<VersionConfig, 'webSessions'>,
  args: Readonly<Record<string, string>>,
): void {
  const rules = webSessionsOf(config);
  if (rules.requireSession) throw errors.sessionRequired();
  const allowed = rules.pageVariables;
  const foreign = allowed === null ? undefined : Object.keys(args).find((name) => !allowed.includes(name));
  if (foreign !== undefined) {
    throw errors.invalid(
      `custom_args_values.${foreign}`,
      'must be left out: a page may set only the variables of web_sessions.page_variables',
    );
  }
}
