import { errors } from '../../../errors.ts';
import { isUuid } from '../../../shared/ids.ts';
import { lockKnowledgeBase } from '../../../store/knowledge.ts';
import type { EditChange, EditContext } from './edit-context.ts';

export interface KnowledgeBaseChoice {
  kb_id: string;
}
const MAX_ATTACHED = 10;

/** The version may look the knowledge base up from the next call on; attaching it again changes nothing. */
export async function attachKb(context: EditContext, input: KnowledgeBaseChoice): Promise<EditChange> {
  const id = await knownId(context, input);
  const ids = context.config.knowledge_base_ids ?? [];
  if (ids.includes(id)) return {};
  if (ids.length >= MAX_ATTACHED) {
    throw errors.invalid('kb_id', `would be more than ${MAX_ATTACHED} knowledge bases of one agent version`);
  }
  return { config: { ...context.config, knowledge_base_ids: [...ids, id] } };
}

/** The version no longer looks it up. */
export async function removeKb(context: EditContext, input: KnowledgeBaseChoice): Promise<EditChange> {
  const id = await knownId(context, input);
  const ids = context.config.knowledge_base_ids ?? [];
  if (!ids.includes(id)) throw errors.knowledgeBaseNotAttached();
  return { config: { ...context.config, knowledge_base_ids: ids.filter((other) => other !== id) } };
}

/** Locks it, so that it cannot be deleted while it is being attached. */
async function knownId(
  { tx, workspaceId }: EditContext,
  { kb_id: id }: KnowledgeBaseChoice,
): Promise<string> {
  const base = isUuid(id) ? await lockKnowledgeBase(tx, workspaceId, id) : undefined;
  if (base === undefined) throw errors.knowledgeBaseNotFound();
  return base.id;
}
