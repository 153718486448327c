import { previewCalls } from '../../domain/calls/preview/preview-call.ts';
import { placeCall, placingWith } from '../../domain/calls/place.ts';
import { openTestWebCall } from '../../domain/web-calls/open-web-call.ts';
import { rotatePublicKey } from '../../domain/web-calls/rotate-public-key.ts';
import { errors } from '../../errors.ts';
import { PlacedCall, TestCallBody } from '../calls/schemas.ts';
import { CallPreviewAnswer, CallPreviewBody } from '../calls/preview-schemas.ts';
import { dashboardAnswers } from '../account/schemas.ts';
import { AgentParams, OpenedWebCall, PublicKeyAnswer, TestWebCallBody } from './schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { toCallPreview } from '../calls/preview-wire.ts';
import { toPlacedCall } from '../calls/wire.ts';
import { toOpenedWebCall } from './routes.ts';

type WebCallsTestCallRouteDeps = Pick<
  ServerDeps,
  'db' | 'clock' | 'log' | 'voices' | 'prompts' | 'rate' | 'wakeScheduler' | 'link' | 'webCalls'
>;

const tags = ['Dashboard'];

/** Test calls of the dashboard, in the browser and to a phone, and the public key of an agent's browser calls. */
export function testCallRoutes(app: Server, deps: WebCallsTestCallRouteDeps): void {
  const placing = placingWith(deps);

  app.post(
    '/test-web-calls',
    {
      config: { rateClass: 'dial' },
      schema: {
        operationId: 'openTestWebCall',
        summary: 'Begin a test call in the browser',
        description: 'The answer has the token and the address of the connection.',
        tags,
        body: TestWebCallBody,
        response: dashboardAnswers(OpenedWebCall, 400, 402, 403, 404, 413, 415, 422),
      },
    },
    async ({ caller, body, changeEntry }) => {
      if (!deps.webCalls.areHere) throw errors.webCallsElsewhere();
      const opened = await openTestWebCall(
        { ...deps, maxWebCallMs: deps.webCalls.maxMs },
        caller.workspaceId,
        changeEntry,
        {
          agentId: body.agent_id,
          versionId: body.version_id ?? null,
          isStrict: caller.strictVariables,
          args: body.custom_args_values ?? {},
          mediaType: body.media_type ?? 'audio',
        },
      );
      return toOpenedWebCall(opened, deps.link.publicUrl);
    },
  );

  app.post(
    '/test-calls',
    {
      config: { rateClass: 'dial' },
      schema: {
        operationId: 'placeTestCall',
        summary: 'Place a test call to a phone',
        description: 'As placeCall, also from a shared test number.',
        tags,
        body: TestCallBody,
        response: dashboardAnswers(PlacedCall, 400, 402, 403, 404, 409, 413, 415, 422),
      },
    },
    async ({ caller, body, changeEntry }) =>
      toPlacedCall(
        await placeCall(
          placing,
          caller,
          {
            name: body.name,
            mobileNumber: body.mobile_number,
            agentId: body.agent_id,
            source: { fromNumberId: body.from_number_id, fromNumber: null, numberPoolId: null },
            customArgsValues: body.custom_args_values ?? {},
            callConfig: null,
            v2: null,
            isTestCall: true,
          },
          { change: changeEntry, answer: null },
        ),
      ),
  );

  app.post(
    '/call-preview',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'previewCalls',
        summary: 'What calls would say first, and when their phones may ring',
        description: 'Changes nothing. For the active version of the agent.',
        tags,
        body: CallPreviewBody,
        response: dashboardAnswers(CallPreviewAnswer, 400, 403, 404, 413, 415, 422),
      },
    },
    async ({ caller, body }) =>
      toCallPreview(
        await previewCalls(
          deps,
          caller.workspaceId,
          body.agent_id,
          body.contacts.map((contact) => ({
            name: contact.name ?? '',
            mobileNumber: contact.mobile_number ?? '',
            values: contact.custom_args_values ?? {},
          })),
        ),
      ),
  );

  app.post(
    '/agents/:agent_id/webcall-key',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'rotateWebCallKey',
        summary: "Replace the public key of an agent's browser calls",
        description: 'Pages that hold the old key can begin no calls from then on.',
        tags,
        params: AgentParams,
        response: dashboardAnswers(PublicKeyAnswer, 403, 404),
      },
    },
    async ({ caller, params, changeEntry }) => ({
      webcall_public_key: await rotatePublicKey(deps, caller.workspaceId, changeEntry, params.agent_id),
    }),
  );
}
