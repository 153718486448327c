import { Type } from 'typebox';
import { mapOf, nullable } from './common.ts';

export { ProvidersBody } from '../../domain/providers/provider-schema.ts';

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
    vendors: mapOf(
      Type.Object({
        api_key: nullable(
          Type.String({
            description: 'Masked: prefix and last four characters.',
            example: 'sk_••••••••9f3a',
          }),
        ),
        base_url: nullable(Type.String()),
        model: nullable(Type.String()),
        llm_model: nullable(Type.String()),
        tts_model: nullable(Type.String()),
        voice: nullable(Type.String()),
        languages: nullable(Type.Array(Type.String())),
      }),
      { description: "Accounts of the workspace by vendor; other vendors use the installation's." },
    ),
    available: Type.Object(
      { stt: Type.Array(Type.String()), llm: Type.Array(Type.String()), tts: Type.Array(Type.String()) },
      {
        description:
          'Vendors with an account, of the workspace or the installation: those that may be chosen.',
      },
    ),
  }),
});
export const SavedProviders = Type.Object({ message: Type.String(), ...Providers.properties });
