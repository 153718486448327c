import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { exportHistory } from '../../domain/calls/export-history.ts';
import { historyFilter } from '../history-filter.ts';
import { ExportBody } from '../schemas/calls.ts';
import { failures } from '../schemas/common.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Server } from '../type-provider.ts';

/** POST /calling/history/download: the history as a CSV file. */
export function historyExportRoutes(app: Server, deps: ServerDeps): void {
  app.post(
    '/calling/history/download',
    {
      config: { rateClass: 'write' },
      preValidation: async (request) => {
        // No body asks for everything.
        request.body ??= {};
      },
      schema: {
        operationId: 'exportCalls',
        summary: 'Calls as a CSV file, newest first',
        description:
          'Streams every call that matches. 409 while the same export of the workspace runs. Text that a spreadsheet would take for a formula has an apostrophe before it.',
        tags: ['Calling'],
        body: ExportBody,
        response: {
          200: {
            description: 'The file.',
            content: { 'text/csv': { schema: Type.Unsafe<Readable>({ type: 'string' }) } },
          },
          ...failures(400, 409, 413, 415, 422),
        },
      },
    },
    async (request, reply) => {
      const filter = historyFilter(request.body);
      const withAnalysis = request.body.send_analysis ?? false;
      const { workspaceId } = request.caller;
      const { pieces, release } = await exportHistory(deps, workspaceId, filter, withAnalysis);
      const stream = Readable.from(pieces);
      // However it ends: read to the end, left by the client, or broken.
      stream.once('close', () => {
        release().catch((error: unknown) => {
          deps.log.warn({ err: error }, 'the claim of an export could not be given back; it lapses');
        });
      });
      const day = new Date(deps.clock.now()).toISOString().slice(0, 10);
      return reply
        .headers({
          'content-disposition': `attachment; filename="call-history-${day}.csv"`,
          'cache-control': 'no-store',
        })
        .type('text/csv; charset=utf-8')
        .send(stream);
    },
  );
}
