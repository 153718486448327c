import { Type } from 'typebox';
import { S2S_ENTRIES } from '../../vendors/accounts.ts';
import { PROVIDER_KINDS, VENDOR_NAMES } from '../../vendors/catalogue.ts';
import { FAULT_KINDS } from '../../shared/vendor-fault.ts';
import { mapOf, nullable, oneOf } from '../common/schemas.ts';

export { ProvidersBody } from '../../wire/provider-schema.ts';

const Chain = nullable(
  Type.Array(Type.String(), {
    description: "Null: the installation's chain.",
    example: ['deepgram', 'offline'],
  }),
);

export const Providers = Type.Object({
  providers: Type.Object({
    stt: Chain,
    llm: Chain,
    tts: Chain,
    s2s: nullable(oneOf(S2S_ENTRIES, { description: "Speech to speech. Null: the installation's choice." })),
    vendors: mapOf(
      Type.Object({
        api_key: nullable(
          Type.String({
            description: 'Masked: prefix and last four characters.',
            example: 'sk_••••••••9f3a',
          }),
        ),
        base_url: nullable(Type.String()),
        stt_base_url: nullable(Type.String()),
        tts_base_url: nullable(Type.String()),
        model: nullable(Type.String()),
        llm_model: nullable(Type.String()),
        tts_model: nullable(Type.String()),
        s2s_model: nullable(Type.String()),
        voice: nullable(Type.String()),
        languages: nullable(Type.Array(Type.String())),
      }),
      { description: "Accounts of the workspace by vendor; other vendors use the installation's." },
    ),
    available: Type.Object(
      {
        stt: Type.Array(Type.String()),
        llm: Type.Array(Type.String()),
        tts: Type.Array(Type.String()),
        s2s: Type.Array(Type.String()),
      },
      {
        description:
          'Vendors with an account, of the workspace or the installation: those that may be chosen.',
      },
    ),
    in_use: Type.Object(
      {
        stt: Type.Array(Type.String()),
        llm: Type.Array(Type.String()),
        tts: Type.Array(Type.String()),
      },
      {
        description:
          'Vendors that calls of assistants without a choice of their own try, in order. Empty: the offline engine of this machine.',
      },
    ),
  }),
});

const amount = (description: string) => nullable(Type.Number({ description }));
const Offer = Type.Object({
  part: oneOf(PROVIDER_KINDS, { description: 'The part of a call that the vendor does.' }),
  vendor: Type.String({ example: 'deepgram' }),
  model: nullable(
    Type.String({ description: 'The model that the account names; null: its usual one.', example: 'nova-3' }),
  ),
  languages: nullable(
    Type.Array(Type.String({ example: 'hi-IN' }), {
      description:
        'Languages of agents that the vendor has with this model; null: not known of language models.',
    }),
  ),
  prices: Type.Array(
    Type.Object({
      model: Type.String({
        description:
          'A model, or the beginning of its name before a *; *: every model without an entry before it.',
        example: 'flux-*',
      }),
      per_minute: amount('Of audio heard.'),
      per_million_input_tokens: amount('Tokens that a model reads.'),
      per_million_cached_tokens: amount(
        "Those that it reads from the vendor's cache; null: as much as others.",
      ),
      per_million_output_tokens: amount('Tokens that a model writes.'),
      per_thousand_characters: amount('Of text spoken.'),
    }),
    {
      description:
        "At the prices of PRICES_FILE, or list prices, which may differ from a vendor's invoice: of the account's model, or of the vendor's models if it names none. Empty: no price is known.",
    },
  ),
});

/** With what went wrong in calls. */
export const ReadProviders = Type.Object({
  ...Providers.properties,
  offers: Type.Array(Offer, {
    description: 'What each vendor can do in each part of a call, with or without an account.',
  }),
  currency: Type.String({ description: 'Of the prices of offers.', example: 'USD' }),
  agent_languages: Type.Array(Type.String({ example: 'hi-IN' }), {
    description: 'The languages of the active versions of the agents that talk on the phone.',
  }),
  from_file: Type.Array(Type.String({ example: 'vendors.deepgram' }), {
    description:
      'What PROVISION_FILE declares of them: stt, llm, tts, s2s and vendors.<name>; the file sets it back when it is applied again.',
  }),
  faults: Type.Array(
    Type.Object({
      part: oneOf(PROVIDER_KINDS, { description: 'The part of a call that the vendor does.' }),
      vendor: Type.String({ example: 'deepgram' }),
      reason: oneOf(FAULT_KINDS, { description: 'Of the last fault, as in the details of a call.' }),
      status: nullable(Type.Integer({ description: 'HTTP status; null: the fault is none of HTTP.' })),
      message: Type.String({ description: 'Names the vendor and the cause, never a key.' }),
      last_at: Type.String({ format: 'date-time' }),
      count: Type.Integer({
        description: 'Faults in the last 24 hours, of the 1,000 newest calls that had any.',
      }),
    }),
    {
      description:
        "What went wrong at vendors in the workspace's calls of the last 24 hours, with its own accounts or the installation's; the latest first. A vendor without an entry had no fault.",
    },
  ),
});
export const TestVendorBody = Type.Object({
  kind: oneOf([...PROVIDER_KINDS, 's2s'] as const, {
    description: 'The part of a call that the vendor does.',
  }),
  vendor: oneOf(VENDOR_NAMES, { example: 'deepgram' }),
});

export const TestedVendor = Type.Object({
  kind: Type.String(),
  vendor: Type.String(),
  ok: Type.Boolean(),
  duration_ms: nullable(
    Type.Integer({
      description:
        'Until the vendor answered as in a call; of a recogniser, from the end of the speech to its words.',
    }),
  ),
  heard: nullable(
    Type.String({
      description:
        'What the recogniser wrote of "I would like to book a table for two."; null: it failed, or another part was tried.',
    }),
  ),
  fault: nullable(
    Type.Object({
      kind: oneOf(FAULT_KINDS, {
        description:
          'key: the key is refused; credit: none is left; limit: too many requests; rejected: the vendor refuses the request; timeout: no answer in time; lost: the connection failed.',
      }),
      message: Type.String({ description: 'Names the vendor and the cause, never a key.' }),
    }),
  ),
});

export const SavedProviders = Type.Object({ message: Type.String(), ...Providers.properties });
