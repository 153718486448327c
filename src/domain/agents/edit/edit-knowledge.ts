import { Type } from 'typebox';
import { errors } from '../../../errors.ts';
import { isUuid } from '../../../shared/ids.ts';
import { LookupId } from '../../../shared/schema-parts.ts';
import { lockKnowledgeBase } from '../../../store/knowledge/bases.ts';
import { operation, type EditContext } from './operation.ts';

const MAX_ATTACHED = 10;
const KnowledgeBaseChoice = Type.Object({ kb_id: LookupId });

/** Lets the version search the knowledge base from the next call on. Idempotent. */
export const attachKb = operation(KnowledgeBaseChoice, async (context, input) => {
  const id = await lockedId(context, input.kb_id);
  const ids = context.config.knowledge_base_ids ?? [];
  if (ids.includes(id)) return {};
  if (ids.length >= MAX_ATTACHED) {
    throw errors.invalid('kb_id', `would be more than ${MAX_ATTACHED} knowledge bases of one agent version`);
  }
  return { config: { ...context.config, knowledge_base_ids: [...ids, id] } };
});

export const removeKb = operation(KnowledgeBaseChoice, async (context, input) => {
  const id = await lockedId(context, input.kb_id);
  const ids = context.config.knowledge_base_ids ?? [];
  if (!ids.includes(id)) throw errors.knowledgeBaseNotAttached();
  return { config: { ...context.config, knowledge_base_ids: ids.filter((other) => other !== id) } };
});

/** Locks the knowledge base, so that no concurrent request deletes it. Throws 404. */
async function lockedId({ tx, workspaceId }: EditContext, id: string): Promise<string> {
  const base = isUuid(id) ? await lockKnowledgeBase(tx, workspaceId, id) : undefined;
  if (base === undefined) throw errors.knowledgeBaseNotFound();
  return base.id;
}
