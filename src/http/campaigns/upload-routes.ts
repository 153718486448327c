import { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';
import { IncomingFile } from '../../domain/campaigns/import/incoming-file.ts';
import type { ImportPlan } from '../../domain/campaigns/import/import-plan.ts';
import { findDialingAgent, planImport, type UploadForm } from '../../domain/campaigns/import/plan-import.ts';
import { saveList, takeList } from '../../domain/campaigns/import/take-upload.ts';
import {
  checkLargeCampaigns,
  openRejects,
  uploadStatus,
} from '../../domain/campaigns/import/upload-status.ts';
import { errors } from '../../errors.ts';
import { newId } from '../../shared/ids.ts';
import { readContactListForm } from './contact-list-form.ts';
import { toCallConfig } from '../agents/call-config-schemas.ts';
import { idempotent } from '../server/idempotent.ts';
import { UploadPlaces } from '../server/upload-places.ts';
import {
  SavedList,
  UploadDocumented,
  UploadFields,
  UploadingList,
  UploadParams,
  UploadQuery,
  UploadStatus,
} from './upload-schemas.ts';
import { progressAnswer } from '../../wire/campaigns/list-answers.ts';
import { answers, failures, IdempotencyHeader } from '../common/schemas.ts';
import { piecesWithSpace, requireSpace } from '../server/free-space.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { createBodyCheck } from '../server/validation.ts';

type CampaignsUploadRouteDeps = Pick<
  ServerDeps,
  | 'db'
  | 'clock'
  | 'log'
  | 'prompts'
  | 'kickJobs'
  | 'chats'
  | 'link'
  | 'importer'
  | 'copyPiece'
  | 'space'
  | 'readWorkbook'
  | 'uploadLimits'
  | 'uploadsHeldBytes'
  | 'seal'
>;

const tags = ['Campaigns'];
const consumes = ['multipart/form-data'];
/** Concurrent uploads; each buffers one to two megabytes. */
const UPLOADS = { places: 8, parts: 2, heldMs: 60_000 };
const checkFields = createBodyCheck(UploadFields);

const toForm = (fields: Static<typeof UploadFields>, query: Static<typeof UploadQuery>): UploadForm => ({
  agentId: fields.agent_id,
  variablesMap: fields.variables_map ?? {},
  countryCode: fields.country_code ?? null,
  campaignName: fields.campaign_name ?? null,
  campaignStartTime: fields.campaign_start_time ?? null,
  campaignEndTime: fields.campaign_end_time ?? null,
  callConfig: fields.call_config === undefined ? null : toCallConfig(fields.call_config),
  template: fields.template ?? null,
  removeInvalidRows: fields.remove_invalid_rows ?? query.remove_invalid_rows ?? false,
});

/** Receives and checks a form, then runs `end` once per Idempotency-Key. A file that `end` does not keep is deleted. */
async function take<T>(
  deps: CampaignsUploadRouteDeps,
  request: FastifyRequest<{ Querystring: Static<typeof UploadQuery> }>,
  reply: FastifyReply,
  flow: 'save' | 'upload',
  end: (
    file: IncomingFile,
    plan: () => Promise<ImportPlan>,
    ...keep: Parameters<Parameters<typeof idempotent>[3]>
  ) => Promise<T>,
): Promise<T> {
  const { workspaceId } = request.caller;
  await requireSpace(deps);
  const file = new IncomingFile(
    { ...deps, copyPiece: piecesWithSpace(deps) },
    { workspaceId, uploadId: newId() },
    flow,
  );
  try {
    const { fields, fileName } = await readContactListForm(
      request,
      file,
      deps.uploadLimits.maxBytes,
      async (agentId) => {
        await findDialingAgent(deps.db, workspaceId, agentId);
      },
      deps.readWorkbook,
    );
    const form = toForm(checkFields(fields), request.query);
    request.body = { ...(request.body as object), remove_invalid_rows: form.removeInvalidRows };
    const plan = (): Promise<ImportPlan> =>
      planImport(
        { ...deps, templates: deps.chats.templates, maxRows: deps.uploadLimits.maxRows },
        request.caller,
        form,
        {
          name: fileName,
          head: file.head,
          bytes: file.bytes,
        },
      );
    disableIdleTimeout(request);
    return await idempotent(deps, request, reply, (store, claim) => end(file, plan, store, claim));
  } finally {
    await file.discard().catch((error: unknown) => {
      deps.log.warn({ err: error }, 'upload not deleted; the sweep deletes it later');
    });
  }
}

/** Accepts `True` and `False`, as Python clients write booleans. */
function foldFlag(request: FastifyRequest): void {
  const query = request.query as Record<string, unknown>;
  const flag = query['remove_invalid_rows'];
  if (typeof flag === 'string') query['remove_invalid_rows'] = flag.toLowerCase();
}

/** Disables the idle timeout of the connection while a list is imported. */
function disableIdleTimeout(request: FastifyRequest): void {
  request.raw.socket.setTimeout?.(0);
}

/**
 * POST /campaign/save, /campaign/upload-csv and GET /campaign/upload-status, in an encapsulated scope with the
 * multipart parser.
 */
export async function campaignUploadRoutes(app: Server, deps: CampaignsUploadRouteDeps): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: true });
  const uploads = new UploadPlaces(UPLOADS);

  app.post(
    '/campaign/save',
    {
      config: { rateClass: 'write', takesLong: true, documentedBody: UploadDocumented },
      preValidation: async (request) => foldFlag(request),
      schema: {
        operationId: 'saveCampaign',
        summary: 'Upload a contact list and wait for its import',
        description:
          'One invalid row rejects the whole list with 422 and the same row report, unless remove_invalid_rows is true. Nothing is dialled before the campaign is started.',
        tags,
        consumes,
        headers: IdempotencyHeader,
        querystring: UploadQuery,
        response: answers(SavedList, 400, 404, 409, 413, 415, 422),
      },
    },
    (request, reply) =>
      uploads.within(request, () =>
        take(deps, request, reply, 'save', async (file, plan, _store, claim) =>
          saveList(deps, file, await plan(), claim, request.changeEntry),
        ),
      ),
  );

  app.post(
    '/campaign/upload-csv',
    {
      config: { rateClass: 'write', takesLong: true, documentedBody: UploadDocumented },
      preValidation: async (request) => {
        checkLargeCampaigns(request.caller);
        foldFlag(request);
      },
      schema: {
        operationId: 'uploadCampaign',
        summary: 'Upload a large contact list for import in the background',
        description: 'Answers when the file is received. upload-status reports the progress of the import.',
        tags,
        consumes,
        headers: IdempotencyHeader,
        querystring: UploadQuery,
        response: answers(UploadingList, 400, 403, 404, 409, 413, 415, 422),
      },
    },
    (request, reply) =>
      uploads.within(request, () =>
        take(deps, request, reply, 'upload', async (file, plan, store) => {
          const taken = await takeList(deps, file, await plan(), request.changeEntry, store);
          deps.kickJobs?.();
          return taken;
        }),
      ),
  );

  app.get(
    '/campaign/upload-status/:bulk_list_id',
    {
      config: { rateClass: 'read' },
      preValidation: async (request) => checkLargeCampaigns(request.caller),
      schema: {
        operationId: 'getUploadStatus',
        summary: 'Progress of an import, and its invalid rows',
        description: 'invalidated_rows_csv_url downloads every invalid row with its reason.',
        tags,
        params: UploadParams,
        response: answers(UploadStatus, 403, 404),
      },
    },
    async (request) =>
      progressAnswer(await uploadStatus(deps, request.caller.workspaceId, request.params.bulk_list_id)),
  );
}

/** GET /campaign-rejects/{token}.csv: authorised by the signed token, not by a key. */
export function campaignRejectRoutes(app: Server, deps: CampaignsUploadRouteDeps): void {
  app.get<{ Params: { file: string } }>(
    '/campaign-rejects/:file',
    {
      schema: {
        operationId: 'getCampaignRejects',
        summary: 'The invalid rows of a contact list as CSV, at a signed URL',
        description:
          'Needs no key. Text that a spreadsheet would evaluate as a formula is prefixed with an apostrophe.',
        tags,
        params: {
          type: 'object',
          required: ['file'],
          properties: { file: { type: 'string', description: '{token}.csv' } },
        },
        response: {
          200: {
            description: 'The file.',
            content: { 'text/csv': { schema: Type.Unsafe<Readable>({ type: 'string' }) } },
          },
          ...failures(404),
        },
      },
    },
    async (request, reply) => {
      const [, token] = /^([\w-]+)\.csv$/.exec(request.params.file) ?? [];
      if (token === undefined) throw errors.rejectsNotFound();
      const pieces = await openRejects(deps, token);
      return reply
        .headers({
          'content-disposition': 'attachment; filename="invalid-rows.csv"',
          'cache-control': 'private, no-store',
        })
        .type('text/csv; charset=utf-8')
        .send(Readable.from(pieces));
    },
  );
}
