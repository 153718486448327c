import type { SipMessage, SipRequest } from '../message.ts';
import type { Scheduler } from '../scheduler.ts';
import { inviteClient, stepInviteClient } from './invite-client.ts';
import { inviteServer, stepInviteServer } from './invite-server.ts';
import { nonInviteClient, stepNonInviteClient } from './non-invite-client.ts';
import { nonInviteServer, stepNonInviteServer } from './non-invite-server.ts';
import { TransactionRun } from './run.ts';
import type { ClientEvent, ServerEvent, TimerName, Timing, UserEvent } from './types.ts';

interface Options {
  readonly request: SipRequest;
  readonly reliable: boolean;
  readonly timing: Timing;
  readonly scheduler: Scheduler;
  readonly actions: {
    send(message: SipMessage): void;
    toUser(event: UserEvent): void;
    ended(): void;
  };
}

/** A running transaction, whichever of the machines it is. */
export interface ClientRun {
  dispatch(event: ClientEvent): void;
  stop(): void;
}
export interface ServerRun {
  dispatch(event: ServerEvent): void;
  stop(): void;
}

const fire = (timer: TimerName): { kind: 'timer'; timer: TimerName } => ({ kind: 'timer', timer });

export function createClientRun(options: Options): ClientRun {
  const { request, reliable, timing, scheduler, actions } = options;
  const frame = { request, reliable, timing };
  return request.method === 'INVITE'
    ? new TransactionRun({ state: inviteClient(frame), step: stepInviteClient, fire, scheduler, actions })
    : new TransactionRun({
        state: nonInviteClient(frame),
        step: stepNonInviteClient,
        fire,
        scheduler,
        actions,
      });
}

export function createServerRun(options: Options): ServerRun {
  const { request, reliable, timing, scheduler, actions } = options;
  const frame = { request, reliable, timing };
  return request.method === 'INVITE'
    ? new TransactionRun({ state: inviteServer(frame), step: stepInviteServer, fire, scheduler, actions })
    : new TransactionRun({
        state: nonInviteServer(frame),
        step: stepNonInviteServer,
        fire,
        scheduler,
        actions,
      });
}
