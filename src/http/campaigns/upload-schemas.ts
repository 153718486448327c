import { Type } from 'typebox';
import { CampaignCallConfig } from '../agents/call-config-schemas.ts';
import { RequestWarnings, WindowFields } from '../common/calling-window-schemas.ts';
import { IsoTime, LookupId, mapOf, nullable, oneOf, Uuid } from '../common/schemas.ts';

const CampaignTime = (what: string) =>
  Type.String({
    maxLength: 40,
    example: '2026-01-05T09:30:00-08:00',
    description: `${what} ISO 8601 with an offset, or DD/MM/YYYY, HH:MM in the time zone of call_config.call_time.timezone, else of the agent. 05/01/2026 is 5 January.`,
  });

/** The form's fields without the file; JSON fields are parsed. */
export const UploadFields = Type.Object(
  {
    agent_id: LookupId,
    variables_map: Type.Optional(
      mapOf(Type.String({ minLength: 1, maxLength: 255 }), {
        maxProperties: 200,
        propertyNames: { minLength: 1, maxLength: 100 },
        description:
          'JSON object: variable name (mobile_number, callee_name, …) to column header. An unmapped prompt variable takes the column of the same name.',
        example: { mobile_number: 'Phone', callee_name: 'First name' },
      }),
    ),
    country_code: Type.Optional(
      Type.String({
        pattern: '^\\+?[1-9]\\d{0,2}$',
        'x-rule': 'must be a country calling code, such as +91',
        example: '+91',
        description:
          'The country code of numbers that have none. Without it every number must have a country code.',
      }),
    ),
    campaign_name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: "Default: the file's name." }),
    ),
    campaign_start_time: Type.Optional(CampaignTime('No call is dialled earlier.')),
    campaign_end_time: Type.Optional(CampaignTime('No call is dialled later.')),
    call_config: Type.Optional(CampaignCallConfig),
    template: Type.Optional(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 512 }),
          language: Type.String({ minLength: 2, maxLength: 15 }),
        },
        {
          additionalProperties: false,
          description:
            "JSON object: the approved template that a WhatsApp agent's campaign sends to every contact; required for such an agent, refused for others. Each of its variables (GET /whatsapp/templates) takes the column that variables_map names, else the column of the same name.",
          example: { name: 'order_update', language: 'en_US' },
        },
      ),
    ),
    remove_invalid_rows: Type.Optional(
      Type.Boolean({
        description:
          'Skips invalid rows instead of rejecting the list. Also accepted as a query parameter. Default false.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** The form as the reference shows it. */
export const UploadDocumented = {
  type: 'object',
  additionalProperties: false,
  required: ['file', 'agent_id'],
  properties: {
    file: {
      type: 'string',
      format: 'binary',
      description:
        'CSV with a header row and a column "Mobile Number". Comma, semicolon, tab or |; UTF-8, UTF-16 or Windows-1252. Up to 2,000,000 rows. Or an Excel workbook (.xlsx) of up to 10 MB, of which the first sheet is read.',
    },
    ...UploadFields.properties,
  },
};

export const UploadQuery = Type.Object({
  remove_invalid_rows: Type.Optional(
    Type.Boolean({ description: 'Same as the form field, which takes precedence.' }),
  ),
});

const InvalidRow = Type.Object({
  row: Type.Integer({ description: 'From 1, without the header; blank lines count.' }),
  column: Type.String(),
  value: Type.String({ description: 'The first 200 characters.' }),
  reason: Type.String(),
  suggestion: Type.Optional(Type.String({ description: 'The probable correction.' })),
});
const RejectsUrl = nullable(
  Type.String({
    description:
      'CSV of every invalid row: its columns, then row, column, value, reason and suggestion, then cells beyond the header. Corrected, the file can be uploaded again. Signed; needs no key; valid for RECORDING_LINK_DAYS. For a list that save rejected it is available for 24 hours. Null: no invalid row.',
  }),
);
const ReportFields = {
  total_rows: Type.Integer({ description: 'Non-blank rows.' }),
  successful_rows: Type.Integer(),
  failed_rows: Type.Integer(),
  refused_rows: nullable(
    Type.Object(
      {
        invalid: Type.Integer({ description: 'Rows that break a rule of the list.' }),
        duplicate: Type.Integer({ description: 'Rows with the number of an earlier row.' }),
        do_not_call: Type.Integer({ description: 'Rows whose number is on the do-not-call list.' }),
      },
      { description: 'What failed_rows is made of. Null: not counted, or the file could not be read.' },
    ),
  ),
  invalid_rows: Type.Array(InvalidRow, { description: 'The first hundred problems.' }),
  invalidated_rows_csv_url: RejectsUrl,
  encoding: nullable(Type.String({ description: 'The detected encoding.', example: 'utf-8' })),
  delimiter: nullable(Type.String({ example: ',' })),
};

const Times = {
  campaign_start_time: nullable(IsoTime),
  campaign_end_time: nullable(IsoTime),
  calling_window: nullable(
    Type.Object(WindowFields, { description: 'When contacts may be called; null: they are written to.' }),
  ),
  warnings: RequestWarnings,
};

export const SavedList = Type.Object({
  message: Type.String(),
  list_id: Uuid,
  bulk_list_id: Uuid,
  ...Times,
  ...ReportFields,
});

const status = oneOf(['uploaded', 'verifying', 'completed', 'failed']);
const Uploading = {
  bulk_list_id: Uuid,
  list_id: Uuid,
  status,
  campaign_name: Type.String(),
  total_callees: Type.Integer(),
  invalidated_rows_count: Type.Integer(),
  invalidated_rows_csv_url: RejectsUrl,
};
export const UploadingList = Type.Object({ ...Uploading, ...Times });

export const UploadStatus = Type.Object({
  ...Uploading,
  message: Type.Optional(Type.String({ description: 'Why the import failed.' })),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  processed_rows: Type.Integer(),
  ...ReportFields,
});
export const UploadParams = Type.Object({ bulk_list_id: LookupId });
