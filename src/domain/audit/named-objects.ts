import { isUuid } from '../../shared/ids.ts';
import type { AuditRow } from '../../store/audit.ts';
import { namesOfObjects, type NamedKind } from '../../store/audit-names.ts';
import type { Db } from '../../store/database.ts';

/** The operation that shows the names of a kind: who may not send it does not learn them from the audit log either. */
const SHOWN_BY: Readonly<Record<NamedKind, string>> = {
  agent: 'listAgents',
  testCase: 'listTestCases',
  campaign: 'listCampaigns',
  knowledgeBase: 'listKnowledgeBases',
  numberPool: 'listNumberPools',
  number: 'listNumbers',
  whatsappNumber: 'listWhatsappNumbers',
  workspace: 'listSubWorkspaces',
  key: 'listKeys',
  member: 'listMembers',
  invitation: 'listInvitations',
  call: 'listCalls',
  chat: 'listChats',
};
const KINDS = Object.keys(SHOWN_BY) as NamedKind[];

/**
 * The present names of the objects of entries, by id, of the kinds that the reader may read. The log itself keeps ids
 * only, so an erased person has no name here.
 */
export function namedObjects(
  deps: { readonly db: Db },
  workspaceId: string,
  entries: readonly AuditRow[],
  may: (operation: string) => boolean,
): Promise<Map<string, string>> {
  const ids = new Set(
    entries
      .flatMap(({ objects }) => Object.values(objects).flat())
      .filter((value): value is string => typeof value === 'string' && isUuid(value)),
  );
  const kinds = KINDS.filter((kind) => may(SHOWN_BY[kind]));
  return namesOfObjects(deps.db, workspaceId, kinds, [...ids]);
}
