import type { WhatsappNumberRow } from '../../domain/whatsapp/numbers.ts';
import { iso } from './values.ts';

/** Token and app secret are never shown. */
export const toWhatsappNumber = (number: WhatsappNumberRow, publicUrl: string) => ({
  id: number.id,
  whatsapp_number_id: number.id,
  agent_id: number.agentId,
  phone_number_id: number.phoneNumberId,
  number: number.number,
  display_name: number.displayName,
  webhook_url: `${publicUrl}/whatsapp/webhook/${number.id}`,
  verify_token: number.verifyToken,
  last_error: number.lastError,
  created_at: iso(number.createdAt),
});
