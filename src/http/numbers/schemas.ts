import { Type } from 'typebox';
import { IsoTime, LookupId, nullable, Uuid } from '../common/schemas.ts';

const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', example: 'Spring campaign' });
const NumberIds = Type.Array(LookupId, {
  maxItems: 200,
  description: 'from_number_id of numbers of the workspace that are in no other pool.',
});

export const PoolParams = Type.Object({ number_pool_id: LookupId });
export const CreatePoolBody = Type.Object({ name: Name, from_number_ids: Type.Optional(NumberIds) });
export const RenamePoolBody = Type.Object({ name: Name });
export const PoolMembersBody = Type.Object({
  from_number_ids: Type.Array(LookupId, { minItems: 1, maxItems: 200 }),
});

const Pool = Type.Object({
  id: Uuid,
  name: Type.String(),
  created_at: IsoTime,
  updated_at: IsoTime,
  numbers: Type.Array(
    Type.Object({
      from_number_id: Uuid,
      number: Type.String(),
      display_name: Type.String(),
      is_spam: Type.Boolean(),
      last_used_at: nullable(IsoTime),
      resting_until: nullable(
        Type.String({
          format: 'date-time',
          description:
            'The number rests, because it was answered much less often than the others of its rotation; null: it does not.',
        }),
      ),
    }),
    { description: 'Least recently used first.' },
  ),
});
export const PoolAnswer = Type.Object({ number_pool: Pool });
export const PoolList = Type.Object({ number_pools: Type.Array(Pool) });
export const DeletedPool = Type.Object({ message: Type.String(), number_pool_id: Uuid });
