import {
  addMembers,
  createPool,
  readPool,
  readPools,
  removeMembers,
  removePool,
  renamePool,
} from '../../domain/numbers/number-pools.ts';
import { idempotent } from '../server/idempotent.ts';
import { answers, IdempotencyHeader } from '../common/schemas.ts';
import {
  CreatePoolBody,
  DeletedPool,
  PoolAnswer,
  PoolList,
  PoolMembersBody,
  PoolParams,
  RenamePoolBody,
} from './schemas.ts';
import { toPool } from './wire.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';

type NumbersRouteDeps = Pick<ServerDeps, 'db' | 'clock'>;

/** GET and POST /number-pool; GET, PATCH and DELETE /number-pool/{id}; POST and DELETE of its members. */
export function numberPoolRoutes(app: Server, deps: NumbersRouteDeps): void {
  const tags = ['Numbers'];
  const read = { rateClass: 'read' } as const;
  const write = { rateClass: 'write' } as const;

  app.get(
    '/number-pool',
    {
      config: read,
      schema: {
        operationId: 'listNumberPools',
        summary: 'Number pools',
        description: 'With the numbers of each and the one that calls next.',
        tags,
        response: answers(PoolList),
      },
    },
    async (request) => ({ number_pools: (await readPools(deps, request.caller.workspaceId)).map(toPool) }),
  );

  app.post(
    '/number-pool',
    {
      config: write,
      schema: {
        operationId: 'createNumberPool',
        summary: 'Create a number pool',
        description:
          'Calls placed with a pool rotate through its numbers, least recently used first; numbers that are marked as spam or have reached their call limit are skipped.',
        tags,
        headers: IdempotencyHeader,
        body: CreatePoolBody,
        response: answers(PoolAnswer, 400, 409, 413, 415, 422),
      },
    },
    (request, reply) =>
      idempotent(deps, request, reply, async (store) => {
        const { name, from_number_ids: numberIds } = request.body;
        const input = { name, numberIds: numberIds ?? [] };
        const pool = await createPool(
          deps,
          request.caller.workspaceId,
          request.changeEntry,
          input,
          (tx, made) => store(tx, { number_pool: toPool(made) }),
        );
        return { number_pool: toPool(pool) };
      }),
  );

  app.get(
    '/number-pool/:number_pool_id',
    {
      config: read,
      schema: {
        operationId: 'getNumberPool',
        summary: 'One number pool',
        description: 'With its numbers and the one that calls next.',
        tags,
        params: PoolParams,
        response: answers(PoolAnswer, 404),
      },
    },
    async (request) => ({
      number_pool: toPool(await readPool(deps, request.caller.workspaceId, request.params.number_pool_id)),
    }),
  );

  app.patch(
    '/number-pool/:number_pool_id',
    {
      config: write,
      schema: {
        operationId: 'renameNumberPool',
        summary: 'Rename a number pool',
        description: 'Campaigns and agents that use the pool keep it.',
        tags,
        params: PoolParams,
        body: RenamePoolBody,
        response: answers(PoolAnswer, 400, 404, 413, 415, 422),
      },
    },
    async ({ caller, params, body, changeEntry }) => ({
      number_pool: toPool(
        await renamePool(deps, caller.workspaceId, changeEntry, params.number_pool_id, body.name),
      ),
    }),
  );

  app.delete(
    '/number-pool/:number_pool_id',
    {
      config: write,
      schema: {
        operationId: 'deleteNumberPool',
        summary: 'Delete a number pool, but not its numbers',
        description: '409 while a campaign that uses it runs.',
        tags,
        params: PoolParams,
        response: answers(DeletedPool, 404, 409),
      },
    },
    async ({ caller, params, changeEntry }) => {
      const { poolId } = await removePool(deps, caller.workspaceId, changeEntry, params.number_pool_id);
      return { message: 'Number pool deleted successfully', number_pool_id: poolId };
    },
  );

  app.post(
    '/number-pool/:number_pool_id/members',
    {
      config: write,
      schema: {
        operationId: 'addNumberPoolMembers',
        summary: 'Add numbers to a pool',
        description: 'A number of another workspace is refused.',
        tags,
        params: PoolParams,
        body: PoolMembersBody,
        response: answers(PoolAnswer, 400, 404, 413, 415, 422),
      },
    },
    async ({ caller, params, body, changeEntry }) => ({
      number_pool: toPool(
        await addMembers(deps, caller.workspaceId, changeEntry, params.number_pool_id, body.from_number_ids),
      ),
    }),
  );

  app.delete(
    '/number-pool/:number_pool_id/members',
    {
      config: write,
      schema: {
        operationId: 'removeNumberPoolMembers',
        summary: 'Remove numbers from a pool',
        description: '409 when a running campaign would have no caller number left.',
        tags,
        params: PoolParams,
        body: PoolMembersBody,
        response: answers(PoolAnswer, 400, 404, 409, 413, 415, 422),
      },
    },
    async ({ caller, params, body, changeEntry }) => ({
      number_pool: toPool(
        await removeMembers(
          deps,
          caller.workspaceId,
          changeEntry,
          params.number_pool_id,
          body.from_number_ids,
        ),
      ),
    }),
  );
}
