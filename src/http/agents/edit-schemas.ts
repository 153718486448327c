import { Type } from 'typebox';
import { EDITS } from './edit/edits.ts';
import { Warnings } from './schemas.ts';
import { LookupId, oneOf, Uuid } from '../common/schemas.ts';

const NAMES = EDITS.map(({ wire }) => wire);
const operation = {
  description: 'The setting to change.',
  'x-rule': `must be one of ${NAMES.join(', ')}`,
};

/** The fields of every operation. The route checks the operation's own fields next, so that errors name them. */
export const EditAgentBody = Type.Object({
  operation: oneOf(NAMES, operation),
  agent_id: LookupId,
  version_id: Type.Optional(LookupId),
});

interface DocumentedFields {
  readonly description?: string;
  readonly required?: readonly string[] | undefined;
  readonly properties: object;
}

/** The body as the reference shows it: one shape for each operation. */
export const EditAgentBodyDocumented = {
  oneOf: EDITS.map(({ wire: name, fields }: { wire: string; fields: DocumentedFields }) => ({
    title: name,
    ...(fields.description === undefined ? {} : { description: fields.description }),
    type: 'object',
    required: ['operation', 'agent_id', ...(fields.required ?? [])],
    properties: {
      operation: { const: name, type: 'string' },
      agent_id: LookupId,
      version_id: {
        ...LookupId,
        description:
          'Default: the active version; while an A/B test runs, the live one that was changed last.',
      },
      ...fields.properties,
    },
  })),
};

export const EditedAgent = Type.Object({
  message: Type.String(),
  agent_id: Uuid,
  version_id: Type.Optional(Type.String({ description: 'The new version, after create_version.' })),
  warnings: Warnings,
});
