import { allows } from '../../domain/access/access.ts';
import { accessOf } from '../../domain/access/table.ts';
import type { Caller } from '../../domain/workspaces/authenticate-key.ts';
import type { Template } from '../../store/json/template.ts';
import { codeOfPause } from '../../domain/whatsapp/send-errors.ts';
import { variableNames } from '../../domain/whatsapp/template.ts';
import type { WhatsappNumberRow } from '../../domain/whatsapp/numbers.ts';
import { iso } from '../common/values.ts';

/** Token and app secret are never shown, and the verify token only to who may change the number. */
export const toWhatsappNumber = (
  number: WhatsappNumberRow,
  publicUrl: string,
  { principal }: Pick<Caller, 'principal'>,
) => ({
  id: number.id,
  whatsapp_number_id: number.id,
  agent_id: number.agentId,
  phone_number_id: number.phoneNumberId,
  number: number.number,
  display_name: number.displayName,
  business_account_id: number.businessAccountId,
  webhook_url: `${publicUrl}/whatsapp/webhook/${number.id}`,
  verify_token: allows(accessOf('changeWhatsappNumber'), principal) ? number.verifyToken : null,
  last_error: number.lastError,
  last_error_code: codeOfPause(number.lastError),
  created_at: iso(number.createdAt),
});

export const toTemplate = (template: Template) => ({
  name: template.name,
  language: template.language,
  category: template.category,
  status: template.status,
  header:
    template.header === null
      ? null
      : { kind: template.header.kind, text: 'text' in template.header ? template.header.text : null },
  body: template.body,
  footer: template.footer,
  buttons: template.buttons.map(({ kind, text, url }) => ({ kind, text, url })),
  variables: variableNames(template),
  is_sendable: template.unusable === null,
  reason: template.unusable,
});
