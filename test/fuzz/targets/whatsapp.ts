import { readFileSync } from 'node:fs';
import { isSigned } from '../../../src/domain/whatsapp/signature.ts';
import { readWebhook } from '../../../src/domain/whatsapp/webhook.ts';
import {
  filledTemplate,
  readTemplates,
  templateProblems,
  templateText,
  variableNames,
} from '../../../src/domain/whatsapp/template.ts';
import { FAKE_TEMPLATES } from '@callwright/stand-ins';
import { readOggOpus } from '../../../src/providers/notes/ogg-opus.ts';
import { mutateBytes, mutateText, tokens } from '../mutate.ts';
import { must, type Target } from '../target.ts';

const TOKENS = tokens(
  '{¦}¦[¦]¦,¦:¦"¦\\u0000¦\\ud800¦null¦true¦1e400¦""¦"from":¦"from_user_id":"IN.1"¦"type":"interactive"¦"interactive":{"type":"list_reply","list_reply":{"id":"a","title":"b"}}¦"type":"image"¦"image":{"caption":"x"}¦"type":"reaction"¦"type":"location"¦"location":{"latitude":1,"longitude":2}¦"timestamp":"99999999999"¦"statuses":[{"id":"w","status":"failed","errors":[{"code":131047}]}]¦"__proto__":¦"constructor":',
);
const BODY = JSON.stringify({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: 'WABA',
      changes: [
        {
          field: 'messages',
          value: {
            metadata: { phone_number_id: '106540352242922' },
            contacts: [{ profile: { name: 'Asha' }, wa_id: '919876543210' }],
            messages: [
              {
                from: '919876543210',
                id: 'wamid.1',
                timestamp: '1760000000',
                type: 'text',
                text: { body: 'Hello' },
              },
            ],
            statuses: [{ id: 'wamid.2', status: 'sent', biz_opaque_callback_data: 'x' }],
          },
        },
      ],
    },
  ],
});

const parsed = (input: Buffer): unknown => {
  try {
    return JSON.parse(input.toString('utf8')) as unknown;
  } catch {
    return null;
  }
};

const NOTE = readFileSync(new URL('../../fixtures/voice-notes/monday.ogg', import.meta.url));
const TEMPLATES = JSON.stringify({ data: FAKE_TEMPLATES });
const TEMPLATE_TOKENS = tokens(
  '{¦}¦[¦]¦,¦:¦"¦null¦{{1}}¦{{ 2 }}¦{{name}}¦{{¦}}¦{{__proto__}}¦"format":"IMAGE"¦"type":"URL"¦"url":"https://example.com/{{1}}"¦"parameter_format":"NAMED"¦"__proto__":',
);

/** The body of a webhook, after its signature was checked. */
export const WHATSAPP_TARGETS: readonly Target[] = [
  {
    name: 'whatsapp-webhook',
    make: (dice) => Buffer.from(mutateText(BODY, TOKENS, [BODY], dice)),
    run(input) {
      must(!isSigned(input, `sha256=${'0'.repeat(64)}`, 'a secret'), 'a guessed signature was accepted');
      const { messages, statuses, accounts } = readWebhook(parsed(input), 0);
      must(
        [...accounts.values()].every((id) => /^\d{5,32}$/.test(id)),
        'an account has other characters',
      );
      must(messages.length <= 1_000 && statuses.length <= 1_000, 'a webhook has too many updates');
      for (const message of messages) {
        must(message.id !== '' && message.id.length <= 512, 'a message has no usable id');
        must(message.customer !== '' && message.customer.length <= 512, 'a message has no customer');
        must(message.number === null || /^\d{5,17}$/.test(message.number), 'a number has other characters');
        must(Number.isSafeInteger(message.sentAt), 'a message has no time');
        must(message.text === null || message.text.length <= 20_000, 'a text is too long');
      }
    },
  },
  {
    name: 'whatsapp-voice',
    make: (dice) => mutateBytes(NOTE, [NOTE], dice),
    run(input) {
      const note = readOggOpus(input);
      if (note === null) return;
      const bytes = note.packets.reduce((sum, packet) => sum + packet.length, 0);
      must(bytes <= input.length, 'packets have more bytes than their file');
      must(
        note.packets.every(({ length }) => length > 0),
        'a packet is empty',
      );
    },
  },
  {
    name: 'whatsapp-templates',
    make: (dice) => Buffer.from(mutateText(TEMPLATES, TEMPLATE_TOKENS, [TEMPLATES], dice)),
    run(input) {
      for (const template of readTemplates(parsed(input))) {
        must(template.name !== '' && template.body !== '', 'a template has no name or body');
        const args = Object.fromEntries(
          variableNames(template).map((name) => [name, 'https://example.com/x']),
        );
        templateProblems(template, args);
        must(templateText(template, args).length <= 1_000_000, 'a text is too long');
        must(JSON.stringify(filledTemplate(template, args)).length <= 1_000_000, 'a message is too long');
      }
    },
  },
];
