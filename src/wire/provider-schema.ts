import { Type, type Static } from 'typebox';
import { nullable, oneOf } from '../shared/schema-parts.ts';
import { wireInput } from '../shared/wire-input.ts';
import { S2S_ENTRIES } from '../vendors/accounts.ts';
import {
  VENDOR_NAMES,
  VENDORS_OF,
  type ProviderKind,
  type VendorName,
  type VendorOf,
  S2S_VENDOR_NAMES,
} from '../vendors/catalogue.ts';

/** Ends every chain; naming it alone keeps every vendor out. */
export const OFFLINE = 'offline';

const strict = { additionalProperties: false };

/** A chain of vendors: a call begins with the first one that works, and falls back to the next when one fails. */
export const chainOf = <K extends ProviderKind>(kind: K, description: string) =>
  Type.Array(oneOf<VendorOf<K> | typeof OFFLINE>([...VENDORS_OF[kind], OFFLINE]), {
    minItems: 1,
    maxItems: 8,
    uniqueItems: true,
    description,
    example: VENDORS_OF[kind].slice(0, 2),
  });

export const ModelName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[\\x21-\\x7e]+$',
  'x-rule': 'must be 1 to 200 visible ASCII characters',
  example: 'nova-3',
});

const Address = Type.String({ minLength: 1, maxLength: 2048 });

const partAddress = (what: string) =>
  nullable({
    ...Address,
    description: `For openai-compatible: address of the server that ${what}, under the rules of base_url. Null: base_url.`,
    example: 'https://speech.example.com/v1',
  });

const Vendor = Type.Object(
  {
    api_key: Type.Optional(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 500,
          pattern: '^[\\x21-\\x7e\\u2022]+$',
          'x-rule': 'must be 1 to 500 visible ASCII characters, or null',
          example: '0123456789abcdef',
          description:
            'Stored encrypted and shown masked: prefix and last four characters. The mask keeps the stored key.',
        }),
      ),
    ),
    base_url: Type.Optional(
      nullable({
        ...Address,
        description:
          "Another address of the vendor, or your own server: https, and a public address. With it the vendor's account is yours alone: the key of the installation is not sent there.",
        example: 'https://api.eu.deepgram.com',
      }),
    ),
    stt_base_url: Type.Optional(partAddress('transcribes')),
    tts_base_url: Type.Optional(partAddress('speaks')),
    model: Type.Optional(
      nullable({
        ...ModelName,
        description: 'The recogniser. Default: chosen by language.',
        example: 'nova-3',
      }),
    ),
    llm_model: Type.Optional(
      nullable({ ...ModelName, description: 'The language model.', example: 'gpt-5.4-mini' }),
    ),
    tts_model: Type.Optional(
      nullable({
        ...ModelName,
        description: 'The model of the voices. Default: that of the vendor for telephony.',
        example: 'eleven_flash_v2_5',
      }),
    ),
    s2s_model: Type.Optional(
      nullable({
        ...ModelName,
        description: `${S2S_VENDOR_NAMES.join(' and ')}: the model that hears and speaks.`,
        example: 'gpt-realtime-2.1',
      }),
    ),
    voice: Type.Optional(
      nullable({
        ...ModelName,
        description: "The vendor's own name of the voice for agents that name none of its voices.",
        example: '21m00Tcm4TlvDq8ikWAM',
      }),
    ),
    languages: Type.Optional(
      nullable(
        Type.Array(
          Type.String({ pattern: '^[a-z]{2}(-[A-Z]{2})?$', 'x-rule': 'must be a code such as hi or hi-IN' }),
          {
            maxItems: 50,
            example: ['hi', 'en'],
            description:
              'Languages that your own server recognises and speaks. Default: the usual ones of its kind.',
          },
        ),
      ),
    ),
  },
  strict,
);
type VendorBody = Static<typeof Vendor>;

const chainField = <K extends ProviderKind>(kind: K, what: string) =>
  Type.Optional(
    nullable(
      chainOf(
        kind,
        `${what} in order of preference. offline, the engine without vendors, always comes last. Null: those of the installation.`,
      ),
    ),
  );

/** The body of PUT /workspace/providers. An absent field keeps its value, and null removes it. */
export const ProvidersBody = Type.Object(
  {
    stt: chainField('stt', 'Speech recognisers'),
    llm: chainField('llm', 'Language models'),
    tts: chainField('tts', 'Speakers'),
    s2s: Type.Optional(
      nullable(
        oneOf(S2S_ENTRIES, {
          description:
            'Speech to speech: the vendor whose one model hears and speaks; stt, llm and tts take over when it fails. pipeline: they do it. Null: as the installation has it.',
          example: 'openai',
        }),
      ),
    ),
    vendors: Type.Optional(
      Type.Unsafe<Partial<Record<VendorName, VendorBody | null>>>(
        Type.Object(Object.fromEntries(VENDOR_NAMES.map((name) => [name, Type.Optional(nullable(Vendor))])), {
          ...strict,
          description: 'Accounts by vendor; null removes one with its key.',
        }),
      ),
    ),
  },
  strict,
);
/** What a body changes. */
export const toProvidersInput = wireInput(ProvidersBody);
export type ProvidersInput = ReturnType<typeof toProvidersInput>;
