import { createSocket, type RemoteInfo } from 'node:dgram';

export interface HeardInvite {
  /** The number that was dialled. */
  readonly to: string;
  /** Time of arrival by `now`. */
  readonly at: number;
  /** End of ringing by `now`; null while it rings. */
  until: number | null;
}

/** A carrier that logs calls: every call rings until `hold(false)`, then gets 486, unless cancelled before. */
export interface RefusingCarrier {
  readonly port: number;
  /** Received calls, without retransmissions. */
  readonly heard: readonly HeardInvite[];
  /** Calls ringing now, and the maximum so far. */
  ringing(): { now: number; most: number };
  /** While held, calls ring; released, all calls and every later one get 486. */
  hold(held: boolean): void;
  close(): Promise<void>;
}

export async function startRefusingCarrier(now: () => number): Promise<RefusingCarrier> {
  const socket = createSocket('udp4');
  const heard: HeardInvite[] = [];
  const open = new Map<string, (status: string) => void>();
  const known = new Set<string>();
  let held = false;
  let most = 0;
  socket.on('message', (data, from) => {
    const request = data.toString();
    const method = request.slice(0, request.indexOf(' '));
    if (method === 'OPTIONS' || method === 'CANCEL') answer(request, '200 OK', from);
    const id = header(request, 'Call-ID');
    if (method === 'CANCEL') end(id, '487 Request Terminated');
    if (method !== 'INVITE' || known.has(id)) return;
    known.add(id);
    const invite: HeardInvite = {
      to: /^INVITE sip:([^@;\s]+)/.exec(request)?.[1] ?? '',
      at: now(),
      until: null,
    };
    heard.push(invite);
    open.set(id, (status) => {
      invite.until = now();
      answer(request, status, from);
    });
    most = Math.max(most, open.size);
    answer(request, '180 Ringing', from);
    if (!held) release();
  });
  const answer = (request: string, status: string, to: RemoteInfo): void => {
    const copied = ['Via', 'From', 'Call-ID', 'CSeq'].map((name) => `${name}: ${header(request, name)}`);
    const lines = [
      `SIP/2.0 ${status}`,
      ...copied,
      `To: ${header(request, 'To')};tag=far`,
      'Content-Length: 0',
    ];
    socket.send(`${lines.join('\r\n')}\r\n\r\n`, to.port, to.address);
  };
  const end = (id: string, status: string): void => {
    open.get(id)?.(status);
    open.delete(id);
  };
  const release = (): void => {
    for (const id of open.keys()) end(id, '486 Busy Here');
  };
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    port: socket.address().port,
    heard,
    ringing: () => ({ now: open.size, most }),
    hold: (on) => {
      held = on;
      if (!on) release();
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

const header = (message: string, name: string): string =>
  new RegExp(`^${name}:\\s*(.*?)\\s*$`, 'im').exec(message)?.[1] ?? '';
