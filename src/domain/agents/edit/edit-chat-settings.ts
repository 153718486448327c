import { errors } from '../../../errors.ts';
import type { EditChange } from './edit-context.ts';

export interface EditChatSettings {
  chat_settings: { whatsapp_session: { idle_timeout_minutes?: number; max_duration_minutes?: number } };
}

/** Refused: every agent of this service is a voice agent. */
export function editChatSettings(): EditChange {
  throw errors.notChatAgent();
}
