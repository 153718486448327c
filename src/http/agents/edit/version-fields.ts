import { Type } from 'typebox';
import { LookupId } from '../../../shared/schema-parts.ts';

export const CreateVersionFields = Type.Object(
  { description: Type.Optional(Type.String({ maxLength: 500 })) },
  {
    description:
      'Copies the version into a new one, whose version_id is in the answer. It takes no calls until activate_version or set_ab_test.',
  },
);

export const ActivateVersionFields = Type.Object(
  { version_id: LookupId },
  { description: 'The version takes every new call; a running A/B test ends.' },
);

export const AbTestFields = Type.Object({
  versions: Type.Array(
    Type.Object({
      version_id: LookupId,
      call_traffic: Type.Integer({ minimum: 1, maximum: 100, description: 'Percent of new calls.' }),
    }),
    { minItems: 2, maxItems: 10, description: 'call_traffic sums to 100.' },
  ),
});

export const NumberChoice = Type.Object({ number_id: LookupId });

export const KnowledgeBaseChoice = Type.Object({ kb_id: LookupId });
