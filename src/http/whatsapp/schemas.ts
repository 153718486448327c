import { Type } from 'typebox';
import { RequestWarnings } from '../common/calling-window-schemas.ts';
import { e164, IsoTime, LookupId, mapOf, nullable, oneOf, Uuid } from '../common/schemas.ts';

const Secret = (description: string) => Type.String({ minLength: 1, maxLength: 1000, description });

const BusinessAccountId = Type.String({
  pattern: '^[0-9]{5,32}$',
  'x-rule': 'must be the digits that Meta shows as the WhatsApp Business account id',
  example: '102290129340398',
  description:
    'The account that owns the templates. Without it, it is learnt from the first webhook of the number.',
});

export const AddWhatsappNumberBody = Type.Object({
  agent_id: LookupId,
  phone_number_id: Type.String({
    pattern: '^[0-9]{5,32}$',
    'x-rule': 'must be the digits that Meta shows as the phone number id',
    example: '106540352242922',
  }),
  number: Type.String({
    pattern: '^\\+[1-9][0-9]{6,14}$',
    'x-rule': 'must be a number in E.164 form',
    example: '+15550783881',
  }),
  display_name: Type.Optional(Type.String({ maxLength: 100 })),
  business_account_id: Type.Optional(BusinessAccountId),
  access_token: Secret('Token of a system user with whatsapp_business_messaging.'),
  app_secret: Secret('Secret of the app, which signs webhooks.'),
});

export const WhatsappNumber = Type.Object({
  id: Uuid,
  whatsapp_number_id: Uuid,
  agent_id: Uuid,
  phone_number_id: Type.String(),
  number: Type.String(),
  display_name: Type.String(),
  business_account_id: nullable(BusinessAccountId),
  webhook_url: Type.String({ description: 'Callback URL of the app.' }),
  verify_token: nullable(
    Type.String({
      description: 'Verify token of the app. Null for viewers and keys that cannot change numbers.',
    }),
  ),
  last_error: nullable(Type.String({ description: 'Why sending was paused last, in English.' })),
  last_error_code: nullable(
    Type.Integer({ description: 'The error code of WhatsApp for which sending was paused last.' }),
  ),
  created_at: IsoTime,
});
export const WhatsappNumbers = Type.Object({ whatsapp_numbers: Type.Array(WhatsappNumber) });
export const WhatsappNumberParams = Type.Object({ whatsapp_number_id: LookupId });
export const ChangeWhatsappNumberBody = Type.Object({
  display_name: Type.Optional(Type.String({ maxLength: 100 })),
  business_account_id: Type.Optional(BusinessAccountId),
  access_token: Type.Optional(AddWhatsappNumberBody.properties.access_token),
  app_secret: Type.Optional(AddWhatsappNumberBody.properties.app_secret),
});
export const RemovedWhatsappNumber = Type.Object({
  message: Type.String(),
  whatsapp_number_id: Type.String(),
});

export const StartWhatsappBody = Type.Object({
  whatsapp_number_id: LookupId,
  mobile_number: e164({ example: '+919876543210' }),
  template: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 512, example: 'order_update' }),
    language: Type.String({ minLength: 2, maxLength: 15, example: 'en_US' }),
    parameters: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), {
        maxItems: 20,
        description: 'Texts of the body, in order.',
      }),
    ),
    text: Type.Optional(
      Type.String({
        maxLength: 1024,
        description: 'The words of the template, which the agent takes as its own first message.',
      }),
    ),
  }),
  custom_args_values: Type.Optional(mapOf(Type.String({ maxLength: 1000 }), { maxProperties: 200 })),
});

export const StartedWhatsappChat = Type.Object({
  status: Type.String({ example: 'success' }),
  data: Type.Object({ chat_id: Uuid, state: oneOf(['open']), warnings: RequestWarnings }),
  message: Type.String(),
});

export const TemplatesQuery = Type.Object({
  whatsapp_number_id: LookupId,
  refresh: Type.Optional(
    Type.Boolean({ default: false, description: 'Read from WhatsApp now; else at most five minutes old.' }),
  ),
});
export const WhatsappTemplates = Type.Object({
  templates: Type.Array(
    Type.Object({
      name: Type.String(),
      language: Type.String({ example: 'en_US' }),
      category: Type.String({ example: 'UTILITY' }),
      status: Type.String({ example: 'APPROVED' }),
      header: nullable(
        Type.Object({
          kind: oneOf(['text', 'image', 'video', 'document']),
          text: nullable(Type.String()),
        }),
      ),
      body: Type.String({ example: 'Hello {{1}}, your order {{2}} is on its way.' }),
      footer: nullable(Type.String()),
      buttons: Type.Array(
        Type.Object({ kind: Type.String(), text: Type.String(), url: nullable(Type.String()) }),
      ),
      variables: Type.Array(Type.String(), {
        description:
          'Each needs a column of the contact list: body_1, header_1 and button_1 for positions, header_image and the like for an https address of a file, else the name of the placeholder.',
        example: ['body_1', 'body_2'],
      }),
      is_sendable: Type.Boolean({ description: 'A campaign can send it.' }),
      reason: nullable(Type.String({ description: 'Why a campaign cannot send it.' })),
    }),
  ),
});
