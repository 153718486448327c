import { getLocalModel, removeLocalModel, type ModelShelf } from '../../domain/providers/local-models.ts';
import { noteAccount } from '../../domain/users/account-log.ts';
import { answers } from '../common/schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { ModelAnswer, ModelList, ModelParams, ModelRemoved } from './model-schemas.ts';
import { toModel } from './model-wire.ts';

type ModelRouteDeps = Pick<ServerDeps, 'db' | 'clock' | 'models' | 'enginesInUse'>;

const tags = ['Workspace'];
const NO_MODELS: ModelShelf = {
  list: () => [],
  better: () => null,
  start: () => undefined,
  remove: () => Promise.resolve('absent'),
};
const FOR_OPERATORS = 'For operators of the installation, without X-Workspace-Id.';

/** GET /workspace/models, POST /workspace/models/{model_id}/get and DELETE /workspace/models/{model_id}, for operators. */
export function modelRoutes(app: Server, deps: ModelRouteDeps): void {
  const { models = NO_MODELS } = deps;

  app.get(
    '/workspace/models',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'listModels',
        summary: 'The models of this machine: what is installed, what is fetched, what would be better',
        description: `Recognisers, voices and other models that run without a vendor, with size, licence, quality and cost. ${FOR_OPERATORS}`,
        tags,
        response: answers(ModelList, 403),
      },
    },
    async () => ({
      in_use: (await deps.enginesInUse?.()) ?? null,
      better: models.better(),
      models: models.list().map(toModel),
    }),
  );

  app.post(
    '/workspace/models/:model_id/get',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'downloadModel',
        summary: 'Fetch a model in the background',
        description: `As callwright models get: answers at once, and GET /workspace/models has the progress. One download runs at a time and others wait; one that waits or runs goes on, and an installed model stays as it is. Calls that start after its end use it, without a restart. ${FOR_OPERATORS}`,
        tags,
        params: ModelParams,
        response: answers(ModelAnswer, 400, 403, 404),
      },
    },
    async ({ params: { model_id: id }, user, ip }) => {
      const objects = { model_id: id };
      const model = await getLocalModel(models, id, () =>
        noteAccount(deps, user.userId, 'model_download_started', { address: ip, objects }),
      );
      const message = model.state === 'installed' ? 'The model is installed' : 'The model is being fetched';
      return { message, model: toModel(model) };
    },
  );

  app.delete(
    '/workspace/models/:model_id',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'removeModel',
        summary: 'Delete the files of a model, or stop its download',
        description: `Calls that have loaded the model keep it in memory until they end; later ones use the engines that remain. 409 while another download or process changes the folder. ${FOR_OPERATORS}`,
        tags,
        params: ModelParams,
        response: answers(ModelRemoved, 403, 404, 409),
      },
    },
    async ({ params: { model_id: id }, user, ip }) => {
      const outcome = await removeLocalModel(models, id);
      const objects = { model_id: id };
      await noteAccount(deps, user.userId, 'model_removed', { address: ip, objects });
      return { message: outcome === 'removed' ? 'Model removed successfully' : 'The download was stopped' };
    },
  );
}
