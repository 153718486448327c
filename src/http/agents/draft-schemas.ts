import { Type } from 'typebox';
import { IsoTime, LookupId, nullable, Offset, oneOf, Uuid } from '../common/schemas.ts';
import { VersionDetails } from './schemas.ts';

const Words = Type.Array(Type.Object({ change: oneOf(['same', 'removed', 'added']), text: Type.String() }), {
  description: 'The runs that are same or removed join to before, those that are same or added to after.',
});
const Changes = Type.Array(
  Type.Object({
    path: Type.String({
      description: 'The setting; items of lists by id, name or target.',
      example: 'flow.nodes[greet].edges[reason]',
    }),
    change: oneOf(['added', 'removed', 'changed', 'moved'], {
      description: 'moved: the items of a list have another order; before and after name them.',
    }),
    before: Type.Unknown(),
    after: Type.Unknown(),
    words: nullable(Words),
  }),
);

const Note = Type.String({ maxLength: 500, description: 'What changes and why, for the history.' });
const Tag = Type.String({ maxLength: 64 });

export const DraftAnswer = Type.Object({
  draft: Type.Object({
    version_id: Type.String({
      format: 'uuid',
      description: 'Of the draft: PATCH /agent/v1, test conversations and test cases take it.',
    }),
    tag: Type.String({ description: 'Names this state of the draft: If-Match of an edit, if_draft.' }),
    author: nullable(Type.String({ description: 'Who began the draft.' })),
    base_version_id: Uuid,
    live_version_id: Uuid,
    live_tag: Type.String({ description: 'Names this state of the active version: if_live.' }),
    is_behind: Type.Boolean({
      description:
        'The active version changed since the draft copied it: publishing answers 409 without if_live.',
    }),
    changes: Type.Integer({ description: 'Settings that the draft changes.' }),
    created_at: IsoTime,
    updated_at: IsoTime,
    version: VersionDetails,
  }),
});
export const DraftDifferenceAnswer = Type.Object({
  draft_tag: Type.String(),
  live_tag: Type.String(),
  difference: Type.Object({
    draft: Changes,
    live: Changes,
    conflicts: Type.Array(Type.String(), {
      description: "Paths of the draft's changes that the active version changed as well.",
    }),
  }),
});
export const DiscardedDraft = Type.Object({ message: Type.String(), version_id: Uuid });
export const DiscardQuery = Type.Object({ if_draft: Type.Optional(Tag) });

export const PublishBody = Type.Object({
  note: Type.Optional(Note),
  if_draft: Type.Optional(
    Type.String({ maxLength: 64, description: 'The tag of the draft; with another one the answer is 409.' }),
  ),
  if_live: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'The live_tag of the version that the draft replaces. Default: the active version must be as the draft copied it.',
    }),
  ),
});
export const RollbackBody = Type.Object({
  version_id: LookupId,
  note: Type.Optional(Note),
  if_live: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'active_tag of the version that is active; with another one the answer is 409.',
    }),
  ),
});
export const PublishedAnswer = Type.Object({
  message: Type.String(),
  version_id: Type.String({ format: 'uuid', description: 'The new version, which takes every new call.' }),
  version_slug: Type.String({ example: 'v4' }),
});

export const HistoryQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  offset: Type.Optional(Offset),
});
export const HistoryAnswer = Type.Object({
  active_version_id: Uuid,
  active_tag: Type.String({ description: 'Names this state of the active version: if_live of a rollback.' }),
  draft_version_id: nullable(Type.String({ format: 'uuid', description: 'Null: the agent has no draft.' })),
  versions: Type.Array(
    Type.Object({
      version_id: Uuid,
      version_slug: Type.String(),
      note: Type.String(),
      author: nullable(Type.String({ description: 'Null: made by create_version or with the agent.' })),
      call_traffic: Type.Integer(),
      created_at: IsoTime,
      updated_at: IsoTime,
    }),
  ),
  total: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer(),
});
export const CompareQuery = Type.Object({ version_id: LookupId, other_version_id: LookupId });
export const ComparedAnswer = Type.Object({ changes: Changes });
