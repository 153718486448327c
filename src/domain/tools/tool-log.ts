import type { ToolLogEntry } from '../../voice/conversation.ts';
import type { JsonObject } from '../../store/schema.ts';

export const asJson = (entries: readonly ToolLogEntry[]): readonly JsonObject[] =>
  entries as unknown as readonly JsonObject[];
