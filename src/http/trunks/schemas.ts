import { Type } from 'typebox';
import { CARRIER_KINDS } from '../../shared/carrier-kinds.ts';
import { RequestWarnings } from '../common/calling-window-schemas.ts';
import { IsoTime, nullable, oneOf, Uuid } from '../common/schemas.ts';

const Count = Type.Integer();
const Failure = Type.Object({
  call_id: Uuid,
  attempt: Count,
  ended_at: IsoTime,
  sub_status: nullable(Type.String({ example: 'NOT_ABLE_TO_CALL' })),
  sip_code: nullable(Type.Integer({ example: 503 })),
  reason: nullable(Type.String({ example: 'Service Unavailable' })),
});

export const TrunkList = Type.Object({
  trunks: Type.Array(
    Type.Object({
      trunk_id: Uuid,
      name: Type.String({ example: 'carrier' }),
      kind: oneOf(['sip', ...CARRIER_KINDS, 'test'], {
        description:
          'test: the built-in test carrier; others than sip: calls over WebSockets of the carrier.',
      }),
      transport: nullable(oneOf(['udp', 'tcp', 'tls'], { description: 'Null: chosen by DNS.' })),
      srtp: oneOf(['off', 'optional', 'required'], { description: 'Encryption of the audio.' }),
      registers: Type.Boolean(),
      registered: nullable(
        Type.Boolean({
          description: 'Null: the trunk does not register, or a process without this API registers it.',
        }),
      ),
      reachable: nullable(
        Type.Boolean({
          description:
            'Answers OPTIONS; of a carrier over WebSockets: its API takes the account. null: not probed by this process.',
        }),
      ),
      gateways: Type.Array(
        Type.Object({
          priority: Type.Integer({ description: 'The lowest number is used first.' }),
          weight: Type.Integer({ description: 'Share of the calls within its priority.' }),
          health: nullable(
            oneOf(['healthy', 'suspect', 'down'], {
              description:
                'healthy: answers OPTIONS; suspect: left one unanswered or a call without a response; down: left three unanswered. null: not probed yet.',
            }),
          ),
        }),
        {
          description:
            'The addresses that the trunk lists, in the order of its entry; empty: one address, or not probed by this process. Calls use those that are healthy.',
        },
      ),
      enabled: Type.Boolean({ description: 'False: out of service.' }),
      paused_until: nullable(
        Type.String({
          format: 'date-time',
          description: 'It answered 503 with Retry-After: no new calls before; null: not paused.',
        }),
      ),
      max_calls: nullable(Type.Integer({ description: 'Channels of all workspaces; null: no limit.' })),
      calls_per_second: nullable(Type.Number({ description: 'New calls a second; null: no limit.' })),
      numbers: Type.Integer({ description: 'Numbers of the workspace on it.' }),
      live_calls: Type.Integer({ description: 'Live calls of the workspace on it.' }),
      last_failures: Type.Array(Failure, {
        description:
          'The latest five attempts of the workspace in 24 hours that failed at the carrier or in the service, newest first.',
      }),
    }),
  ),
  warnings: RequestWarnings,
});
