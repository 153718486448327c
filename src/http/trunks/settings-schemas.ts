import { Type } from 'typebox';
import { TrunkFields } from '../../wire/provision/schema.ts';
import { IsoTime, nullable, oneOf, Uuid } from '../common/schemas.ts';

export const TrunkParams = Type.Object({
  trunk_name: Type.String({ minLength: 1, maxLength: 100, description: 'The name of the trunk.' }),
});
export const TrunkSettingsBody = TrunkFields;

const Settings = Type.Object({
  trunk_id: Uuid,
  name: Type.String({ example: 'carrier' }),
  updated_at: IsoTime,
  numbers: Type.Integer({ description: 'Numbers of all workspaces on it.' }),
  from_file: Type.Boolean({
    description: 'PROVISION_FILE declares it: the file sets it back when it is applied again.',
  }),
  has_password: Type.Boolean({ description: 'A password is stored; it is never shown.' }),
  has_signing_key: Type.Boolean({ description: 'A signing key is stored; it is never shown.' }),
  webhook_url: nullable(
    Type.String({
      description: 'Of a carrier over WebSockets: where its number, or application, sends calls. Null: SIP.',
    }),
  ),
  secret_header: nullable(
    Type.String({ description: 'Header of the stored `inbound_secret`, whose value is never shown.' }),
  ),
  registered: nullable(Type.Boolean({ description: 'Null: it does not register, or not here.' })),
  reachable: nullable(
    Type.Boolean({
      description:
        'Answers OPTIONS; of a carrier over WebSockets: its API takes the account. null: not probed by this process.',
    }),
  ),
  gateways: Type.Array(Type.Object({ health: nullable(oneOf(['healthy', 'suspect', 'down'])) }), {
    description: 'Health of the gateways of `settings`, in their order; empty: it has none, or not here.',
  }),
  faults: Type.Array(
    Type.Object({
      field: Type.String({ example: 'gateways[0].uri' }),
      message: Type.String({ example: 'it does not answer OPTIONS, or left a call unanswered' }),
    }),
    {
      description: 'Faults that the service sees at the moment, each with the field of `settings` to change.',
    },
  ),
  settings: Type.Omit(TrunkFields, ['password', 'signing_key', 'inbound_secret'], {
    additionalProperties: false,
    description: 'As the body of PUT /workspace/trunks/{trunk_name}, without its secrets.',
  }),
});
export const TrunkSettingsList = Type.Object({ trunks: Type.Array(Settings) });
export const TrunkSettingsAnswer = Type.Object({ message: Type.String(), trunk: Settings });
export const TrunkDeleted = Type.Object({ message: Type.String() });
const Numbers = Type.Array(Type.String({ example: '+14155550100' }));
export const TrunkNumbers = Type.Object({
  numbers: Type.Array(
    Type.Object({
      number: Type.String({ example: '+14155550100' }),
      workspace_id: nullable(
        Type.String({ format: 'uuid', description: 'Has the number on this trunk. Null: no workspace.' }),
      ),
    }),
  ),
});
export const ImportNumbersBody = Type.Object(
  {
    workspace_id: Uuid,
    numbers: Type.Array(Type.String({ pattern: '^\\+[1-9][0-9]{6,14}$', example: '+14155550100' }), {
      minItems: 1,
      maxItems: 1_000,
      uniqueItems: true,
      description: 'Numbers of the account at the carrier, in E.164 form.',
    }),
  },
  { additionalProperties: false },
);
export const NumbersImported = Type.Object({
  message: Type.String(),
  imported: Numbers,
  known: Type.Array(Type.String(), { description: 'The workspace had them on the trunk before.' }),
});
export const WebhookSet = Type.Object({
  message: Type.String(),
  webhook_url: Type.String({ example: 'https://calls.example.com/carriers/TRUNK_ID/voice' }),
  numbers: Type.Array(Type.String(), {
    description: 'Numbers on the trunk that the account has: their calls come to `webhook_url`.',
  }),
});
export const TrunkChecked = Type.Object({
  message: Type.String(),
  is_probed: Type.Boolean({ description: 'False: the process that answers does not carry the trunk.' }),
});
