import type { FastifyInstance } from 'fastify';
import { errors } from '../../errors.ts';
import type { FreeSpace } from '../../shared/free-space.ts';

interface SpaceDeps {
  readonly space?: FreeSpace;
}

/** Throws 503 while the disk is below its floor. */
export async function requireSpace({ space }: SpaceDeps): Promise<void> {
  if (space !== undefined && !(await space.isAvailable())) throw errors.storageFull();
}

/** Stores the pieces of an upload while the disk has space. */
export const piecesWithSpace =
  <P extends unknown[]>(deps: SpaceDeps & { readonly copyPiece: (...piece: P) => Promise<void> }) =>
  async (...piece: P): Promise<void> => {
    await requireSpace(deps);
    return deps.copyPiece(...piece);
  };

/** Refuses requests that dial while the disk is almost full. */
export function refuseDialingWithoutSpace(app: FastifyInstance, { space }: SpaceDeps): void {
  if (space === undefined) return;
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.rateClass !== 'dial') return;
    if ((await space.state()) === 'critical') throw errors.storageFull();
  });
}
