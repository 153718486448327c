import { Type } from 'typebox';
import { DEFAULT_NUMBER_REST } from '../../shared/workspace-defaults.ts';

const strict = { additionalProperties: false };
const DESTINATION = '^(\\+[1-9]\\d{0,11}|[A-Z]{2})$';

const destinations = (description: string) =>
  Type.Array(
    Type.String({
      pattern: DESTINATION,
      'x-rule': 'must be a prefix such as +91 or a country such as IN',
    }),
    { maxItems: 1000, description },
  );

/** A storage quota in MB. */
const quota = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description }));

const NumberRest = Type.Union(
  [
    Type.Literal(false),
    Type.Object(
      {
        attempts: Type.Optional(
          Type.Integer({
            minimum: 2,
            maximum: 1000,
            default: DEFAULT_NUMBER_REST.attempts,
            description: 'The last attempts of a number that count.',
          }),
        ),
        share: Type.Optional(
          Type.Number({
            exclusiveMinimum: 0,
            maximum: 1,
            default: DEFAULT_NUMBER_REST.share,
            description: 'A number rests below this share of the mean answer rate of its rotation.',
          }),
        ),
        minutes: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 10_080,
            default: DEFAULT_NUMBER_REST.minutes,
            description: 'How long it rests.',
          }),
        ),
      },
      strict,
    ),
  ],
  {
    'x-rule': 'must be false, or attempts 2 to 1000, share above 0 to 1, minutes 1 to 10080',
    description:
      'When a caller number whose calls are answered less often than those of its peers rests; false: never.',
  },
);

/** Dial limits of a workspace; parsed by domain/workspaces/limits.ts. */
export const LimitsEntry = Type.Object(
  {
    allowed_destinations: Type.Optional(
      destinations('The only prefixes and countries that the workspace may dial. Default: all.'),
    ),
    denied_destinations: Type.Optional(
      destinations('Prefixes and countries that it never dials; they go before allowed_destinations.'),
    ),
    destination_calls: Type.Optional(
      Type.Record(Type.String({ pattern: DESTINATION }), Type.Integer({ minimum: 0, maximum: 100_000 }), {
        ...strict,
        description: 'Concurrent calls by prefix or country. Default: no limit.',
      }),
    ),
    callee_frequency: Type.Optional(
      Type.Object(
        {
          attempts: Type.Integer({ minimum: 1, maximum: 1000, description: 'Attempts to one callee.' }),
          hours: Type.Number({ exclusiveMinimum: 0, maximum: 8784, description: 'Within these hours.' }),
        },
        {
          ...strict,
          description: 'Per callee, over campaigns and individual calls. Default: no limit.',
        },
      ),
    ),
    calls_per_minute: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description:
          'Calls and transfers started in any 60 s, in both directions and from pages. Default: no cap.',
      }),
    ),
    stranger_calls_per_minute: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description:
          'The part of `calls_per_minute` that inbound callers and pages with the public key may use. Default: no cap.',
      }),
    ),
    stranger_credits_per_day: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_000_000_000,
        description:
          'The part of `credits_per_day` for calls and chats that strangers begin: inbound callers, pages with the public key, customers of chats. Default: no cap.',
      }),
    ),
    model_turns_per_day: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000_000,
        description:
          'Replies of a model in chats, agent tests and test runs, with the analyses of these, in a day of UTC, also in unlimited workspaces. Default: no cap.',
      }),
    ),
    credits_per_day: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_000_000_000,
        description:
          'Credits charged and locked in a day of UTC; without effect on unlimited workspaces. Default: no cap.',
      }),
    ),
    recordings_mb: quota(
      'MB of recordings; at this quota calls are no longer recorded. Default: `STORAGE_RECORDINGS_MB`.',
    ),
    call_records_mb: quota(
      'MB of transcripts, tool logs, analyses and event logs of calls; at this quota event logs are no longer kept. Default: `STORAGE_CALL_RECORDS_MB`.',
    ),
    chats_mb: quota('MB of chats; at this quota no chat begins. Default: `STORAGE_CHATS_MB`.'),
    tests_mb: quota(
      'MB of agent tests and results of test runs; at this quota no test begins. Default: `STORAGE_TESTS_MB`.',
    ),
    transfer_hosts: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^([A-Za-z0-9][A-Za-z0-9.-]{0,252}|\\[[0-9A-Fa-f:.]{2,45}\\])$',
          'x-rule': 'must be a host name or an address without a port, such as pbx.example.com',
        }),
        { maxItems: 100, description: 'Hosts of SIP transfers beside those of the trunks. Default: none.' },
      ),
    ),
    number_rest: Type.Optional(NumberRest),
  },
  {
    ...strict,
    description:
      'Limits of dialling, spending and storage. Without them only call_limit, trunk and balance limit the calls of a workspace.',
  },
);
