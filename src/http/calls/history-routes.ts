import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { exportHistory } from '../../domain/calls/history.ts';
import { zoneOfDays } from '../common/zone-of-days.ts';
import { historyFilter } from './history-filter.ts';
import { ExportBody } from './history-schemas.ts';
import { failures } from '../common/schemas.ts';
import { historyCsv } from './history-csv.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';

type CallsHistoryRouteDeps = Pick<ServerDeps, 'db' | 'clock' | 'log' | 'link'>;

/** POST /calling/history/download: the history as a CSV file. */
export function historyExportRoutes(app: Server, deps: CallsHistoryRouteDeps): void {
  app.post(
    '/calling/history/download',
    {
      config: { rateClass: 'write', isHeavy: true },
      preValidation: async (request) => {
        // A request without a body exports every call.
        if (request.body === undefined) request.body = {};
      },
      schema: {
        operationId: 'exportCalls',
        summary: 'Calls as a CSV file, newest first',
        description:
          'Streams every call that matches. 409 while the same export of the workspace runs. Text that a spreadsheet would evaluate as a formula is prefixed with an apostrophe.',
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
      const filter = historyFilter(
        request.body,
        await zoneOfDays(deps, request.caller.workspaceId, request.body),
      );
      const withAnalysis = request.body.send_analysis ?? false;
      const { workspaceId } = request.caller;
      const { pieces, release } = await exportHistory(deps, workspaceId, filter, withAnalysis);
      const stream = Readable.from(historyCsv(pieces, withAnalysis));
      // Runs however the stream ends: complete, aborted by the client, or failed.
      stream.once('close', () => {
        release().catch((error: unknown) => {
          deps.log.warn({ err: error }, 'export lease not released; it expires');
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
