import { Type } from 'typebox';
import { IsoTime, LookupId, mapOf, nullable, Uuid } from '../common/schemas.ts';

const Money = Type.Number({ description: 'Credits.' });

export const SubWorkspaceParams = Type.Object({ workspace_id: LookupId });
export const CreateSubWorkspaceBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, example: 'Client A' }),
});
export const ConcurrencyBody = Type.Object({
  concurrency: nullable(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description:
        "Concurrent calls, taken from the parent's concurrency; the parent keeps the rest. Lowering it ends no call: while " +
        'calls above the limit are live, parent and siblings have that many fewer. null: the child shares what the parent has left.',
    }),
  ),
});
export const CreditBalancesBody = Type.Object({
  allocations: mapOf(Type.Number({ minimum: 0, maximum: 1_000_000_000 }), {
    minProperties: 1,
    maxProperties: 200,
    description:
      'Workspace ID of a child to its new balance in credits. Atomic: all balances are set, or none.',
    example: { '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10': 250 },
  }),
});

export const MoveNumbersBody = Type.Object({
  from_number_ids: Type.Array(LookupId, { minItems: 1, maxItems: 200, uniqueItems: true }),
});
export const MovePoolBody = Type.Object({ number_pool_id: LookupId });
export const MovedAnswer = Type.Object({
  message: Type.String(),
  workspace_id: Uuid,
  from_number_ids: Type.Array(Uuid),
});

const SubWorkspace = Type.Object({
  id: Uuid,
  name: Type.String(),
  created_at: IsoTime,
  parent_workspace_id: nullable(Type.String()),
  credits: Money,
  locked_credits: Money,
  unlimited: Type.Boolean(),
  concurrency: Type.Integer(),
  concurrency_shared: Type.Boolean({
    description: 'The concurrency is what the parent has left, shared with it.',
  }),
  has_api_key: Type.Boolean({ description: 'Keys are created in the dashboard; a new child has none.' }),
  archived_at: nullable({ ...IsoTime, description: 'Since when it is archived; null: it works.' }),
  numbers: Type.Array(
    Type.Object({ id: Uuid, number: Type.String(), number_pool_id: nullable(Type.String()) }),
    { description: 'Its caller numbers.' },
  ),
  number_pools: Type.Array(Type.Object({ id: Uuid, name: Type.String() })),
});
export const SubWorkspaceList = Type.Object({ sub_workspaces: Type.Array(SubWorkspace) });
export const SubWorkspaceAnswer = Type.Object({ message: Type.String(), sub_workspace: SubWorkspace });
export const CreditBalancesAnswer = Type.Object({
  message: Type.String(),
  credits: Type.Number({ description: "The parent's balance after the change." }),
  locked_credits: Money,
  sub_workspaces: Type.Array(SubWorkspace),
});
