import { Type } from 'typebox';
import { AGENT_LANGUAGES, EDIT_VOICE_LANGUAGES } from '../../../shared/agent-languages.ts';
import { oneOf } from '../../../shared/schema-parts.ts';
import { LookupId, mapOf, Uuid } from '../../common/schemas.ts';
import { CreateAgentBody } from '../schemas.ts';
import { MOST_CHARS } from './text.ts';

const Document = {
  description:
    'YAML or JSON with `format: callwright-agent/1` and the settings of an agent as `callwright pull` writes them: prompt, voice, tools, flow, knowledge bases by name, test cases. Secrets are names: `{secret: NAME}`.',
};
export const ExportQuery = Type.Object({
  version_id: Type.Optional({
    ...LookupId,
    description: 'Of a version or the draft. Absent: the active version.',
  }),
});
export const ExportedAgent = Type.Object({
  file_name: Type.String(),
  document: Type.String(Document),
  secrets: Type.Array(Type.String(), {
    description: 'The names of secrets in it; an import into a new agent needs their values.',
  }),
});
export const ImportBody = Type.Object({
  document: Type.String({ minLength: 1, maxLength: MOST_CHARS, ...Document }),
  agent_id: Type.Optional({
    ...LookupId,
    description: 'The agent whose draft takes the document. Absent: a new agent.',
  }),
  secrets: Type.Optional(
    mapOf(Type.String({ minLength: 1, maxLength: 10_000 }), {
      description:
        'The values of secrets by their names. A draft keeps the stored values of those that are absent.',
    }),
  ),
});
export const ImportedAgent = Type.Object({
  message: Type.String(),
  agent_id: Uuid,
  version_id: Uuid,
  left_out: Type.Array(Type.String(), {
    description:
      'Settings of the document that differ and belong to the agent, so that its draft does not take them.',
  }),
});

/** POST /public/agent with what an agent can come to have: both voices, and the languages of `edit_voice`. */
export const ImportedCreation = Type.Object({
  ...CreateAgentBody.properties,
  primary_language: oneOf([...new Set([...AGENT_LANGUAGES, ...EDIT_VOICE_LANGUAGES])]),
  secondary_voice_id: Type.Optional(Uuid),
});
