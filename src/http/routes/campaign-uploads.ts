import { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';
import { IncomingFile } from '../../domain/campaigns/import/incoming-file.ts';
import type { ImportPlan } from '../../domain/campaigns/import/import-plan.ts';
import { planImport, type UploadForm } from '../../domain/campaigns/import/plan-import.ts';
import { saveList, takeList } from '../../domain/campaigns/import/take-upload.ts';
import {
  checkLargeCampaigns,
  openRejects,
  uploadStatus,
} from '../../domain/campaigns/import/upload-status.ts';
import { errors } from '../../errors.ts';
import { newId } from '../../shared/ids.ts';
import { readContactListForm } from '../contact-list-form.ts';
import { idempotent } from '../idempotent.ts';
import { UploadRoom } from '../multipart-form.ts';
import {
  SavedList,
  UploadDocumented,
  UploadFields,
  UploadingList,
  UploadParams,
  UploadQuery,
  UploadStatus,
} from '../schemas/campaign-uploads.ts';
import { answers, failures, IdempotencyHeader } from '../schemas/common.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Server } from '../type-provider.ts';
import { createBodyCheck } from '../validation.ts';

const tags = ['Campaigns'];
const consumes = ['multipart/form-data'];
/** Each holds a megabyte or two while its file comes in. */
const MOST_UPLOADS = 8;
const checkFields = createBodyCheck(UploadFields);

const toForm = (fields: Static<typeof UploadFields>, query: Static<typeof UploadQuery>): UploadForm => ({
  agentId: fields.agent_id,
  variablesMap: fields.variables_map ?? {},
  countryCode: fields.country_code ?? null,
  campaignName: fields.campaign_name ?? null,
  campaignStartTime: fields.campaign_start_time ?? null,
  campaignEndTime: fields.campaign_end_time ?? null,
  callConfig: fields.call_config ?? null,
  removeInvalidRows: fields.remove_invalid_rows ?? query.remove_invalid_rows ?? false,
});

/** Takes a form in, checks it, and gives it to `end` once per Idempotency-Key; what is not kept is forgotten. */
async function take<T>(
  deps: ServerDeps,
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
  const file = new IncomingFile(deps, { workspaceId, uploadId: newId() }, flow);
  try {
    const { fields, fileName } = await readContactListForm(request, file, deps.uploadLimits.maxBytes);
    const form = toForm(checkFields(fields), request.query);
    request.body = { ...(request.body as object), remove_invalid_rows: form.removeInvalidRows };
    const plan = (): Promise<ImportPlan> =>
      planImport({ ...deps, maxRows: deps.uploadLimits.maxRows }, request.caller, form, {
        name: fileName,
        head: file.head,
        bytes: file.bytes,
      });
    awaitQuietly(request);
    return await idempotent(deps, request, reply, (store, claim) => end(file, plan, store, claim));
  } finally {
    await file.discard().catch((error: unknown) => {
      deps.log.warn({ err: error }, 'an upload could not be forgotten; it lapses');
    });
  }
}

/** Clients in Python write True. */
function foldFlag(request: FastifyRequest): void {
  const query = request.query as Record<string, unknown>;
  const flag = query['remove_invalid_rows'];
  if (typeof flag === 'string') query['remove_invalid_rows'] = flag.toLowerCase();
}

/** A connection says nothing while a list is read, for longer than idle ones are kept. */
function awaitQuietly(request: FastifyRequest): void {
  request.raw.socket.setTimeout?.(0);
}

/** POST /campaign/save, /campaign/upload-csv and GET /campaign/upload-status: in a scope of its own, where forms are read. */
export async function campaignUploadRoutes(app: Server, deps: ServerDeps): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: true });
  const room = new UploadRoom(MOST_UPLOADS);

  app.post(
    '/campaign/save',
    {
      config: { rateClass: 'write', takesLong: true, documentedBody: UploadDocumented },
      preValidation: async (request) => foldFlag(request),
      schema: {
        operationId: 'saveCampaign',
        summary: 'Upload a contact list and answer when it is read',
        description:
          'One invalid row refuses the whole list with 422 and the same report of rows, unless remove_invalid_rows is true. Nothing is dialled before the campaign is started.',
        tags,
        consumes,
        headers: IdempotencyHeader,
        querystring: UploadQuery,
        response: answers(SavedList, 400, 404, 409, 413, 415, 422),
      },
    },
    (request, reply) =>
      room.within(() =>
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
        summary: 'Upload a large contact list that is read in the background',
        description: 'Answers as soon as the file is in. Ask upload-status how far it has come.',
        tags,
        consumes,
        headers: IdempotencyHeader,
        querystring: UploadQuery,
        response: answers(UploadingList, 400, 403, 404, 409, 413, 415, 422),
      },
    },
    (request, reply) =>
      room.within(() =>
        take(deps, request, reply, 'upload', async (file, plan, store) => {
          const taken = await takeList(deps, file, await plan(), store);
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
        summary: 'How far a contact list has been read, and which rows are invalid',
        tags,
        params: UploadParams,
        response: answers(UploadStatus, 403, 404),
      },
    },
    (request) => uploadStatus(deps, request.caller.workspaceId, request.params.bulk_list_id),
  );
}

/** GET /campaign-rejects/{token}.csv: signed addresses, no key. */
export function campaignRejectRoutes(app: Server, deps: ServerDeps): void {
  app.get<{ Params: { file: string } }>(
    '/campaign-rejects/:file',
    {
      schema: {
        operationId: 'getCampaignRejects',
        summary: 'The invalid rows of a contact list as CSV, from its signed address',
        description:
          'Needs no key. Text that a spreadsheet would take for a formula has an apostrophe before it.',
        tags,
        security: [],
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
      const pieces = await openRejects({ ...deps, secret: deps.link.secret }, token);
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
