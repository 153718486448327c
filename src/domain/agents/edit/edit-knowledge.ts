import { errors } from '../../../errors.ts';
import { isUuid } from '../../../shared/ids.ts';
import { lockKnowledgeBase } from '../../../store/knowledge/bases.ts';
import { operation, type EditContext } from './operation.ts';

const MAX_ATTACHED = 10;

interface KnowledgeBaseChoice {
  readonly kbId: string;
}

/** Lets the version search the knowledge base from the next call on. Idempotent. */
export const attachKb = operation<KnowledgeBaseChoice>(async (context, input) => {
  const id = await lockedId(context, input.kbId);
  const ids = context.config.knowledgeBaseIds ?? [];
  if (ids.includes(id)) return {};
  if (ids.length >= MAX_ATTACHED) {
    throw errors.invalid('kb_id', `would be more than ${MAX_ATTACHED} knowledge bases of one agent version`);
  }
  return { config: { ...context.config, knowledgeBaseIds: [...ids, id] } };
});

export const removeKb = operation<KnowledgeBaseChoice>(async (context, input) => {
  const id = await lockedId(context, input.kbId);
  const ids = context.config.knowledgeBaseIds ?? [];
  if (!ids.includes(id)) throw errors.knowledgeBaseNotAttached();
  return { config: { ...context.config, knowledgeBaseIds: ids.filter((other) => other !== id) } };
});

/** Locks the knowledge base, so that no concurrent request deletes it. Throws 404. */
async function lockedId({ tx, workspaceId }: EditContext, id: string): Promise<string> {
  const base = isUuid(id) ? await lockKnowledgeBase(tx, workspaceId, id) : undefined;
  if (base === undefined) throw errors.knowledgeBaseNotFound();
  return base.id;
}
