import { Type } from 'typebox';
import { CALL_PURPOSES } from '../../shared/call-purposes.ts';
import { e164, IsoTime, LookupId, nullable, oneOf, Uuid } from '../common/schemas.ts';

export const NumberParams = Type.Object({ number: e164() });
export const NumbersOf = Type.Object({
  workspace_id: Type.String({ ...LookupId, description: 'The workspace that has, or gets, the number.' }),
});

const Trunk = { description: 'The name of a trunk of the installation, or `test`.', example: 'carrier' };
const PURPOSE = {
  description:
    'Commercial calls that may come from it: campaigns with another purpose are refused. Null: any.',
};
const DISPLAY = 'Shown to callees whose carrier passes it on.';

export const NumberBody = Type.Object(
  {
    ...NumbersOf.properties,
    trunk: Type.String({ minLength: 1, maxLength: 100, ...Trunk }),
    display_name: Type.Optional(Type.String({ maxLength: 100, description: DISPLAY })),
    is_test_number: Type.Optional(
      Type.Boolean({ description: 'Places test calls of the dashboard only. Default: false.' }),
    ),
    call_limit: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          maximum: 100_000,
          description: 'Concurrent calls from it. Null: no limit.',
        }),
      ),
    ),
    purpose: Type.Optional(nullable(oneOf(CALL_PURPOSES, PURPOSE))),
  },
  { additionalProperties: false },
);

const Settings = Type.Object({
  from_number_id: Uuid,
  number: Type.String({ example: '+14155550100' }),
  trunk: nullable(Type.String(Trunk)),
  display_name: Type.String({ description: DISPLAY }),
  is_test_number: Type.Boolean(),
  call_limit: nullable(Type.Integer({ description: 'Null: no limit.' })),
  purpose: nullable(oneOf(CALL_PURPOSES, PURPOSE)),
  from_file: Type.Boolean({
    description: 'PROVISION_FILE declares it: the file sets it back when it is applied again.',
  }),
  updated_at: IsoTime,
});
export const NumberSettingsList = Type.Object({ numbers: Type.Array(Settings) });
export const NumberSettingsAnswer = Type.Object({ message: Type.String(), number: Settings });
export const NumberRemoved = Type.Object({ message: Type.String(), from_number_id: Uuid });
