import { repeated, request, sleep, type Attack, type Report, type Target } from './attack.ts';
import { PageMachine, publicKey } from './page.ts';
import { startHangingSite } from './servers.ts';

/** Chats of the tenant whose model hangs: more than its share of the turns. */
const HANGING_CHATS = 80;
/** A page begins at most so many chats a minute. */
const CHATS_OF_A_MACHINE = 18;
/** A new chat of another workspace has its first answer within this time. */
const OTHER_CHAT_MS = 5_000;
const OTHER_EVERY_MS = 2_000;
const WEB_CHAT = '/api/v0/chat/web';

/** A visitor of another workspace begins a chat, writes one line and waits for its answer. */
async function otherChats(
  target: Target,
  report: Report,
  machine: PageMachine,
  key: string,
  stop: AbortSignal,
): Promise<void> {
  const from = performance.now();
  const answer = Promise.withResolvers<boolean>();
  let hasBegun = false;
  const who = { key, agentId: target.otherAgentId };
  const socket = await machine.open(target, WEB_CHAT, who, report, (chat, data) => {
    const { type, role } = JSON.parse(data.toString()) as { type: string; role?: string };
    if (type === 'ready') {
      hasBegun = true;
      chat.send(JSON.stringify({ type: 'ready' }));
      chat.send(JSON.stringify({ type: 'text', id: 'one', text: 'Hello, when are you open?' }));
    }
    if (type === 'line' && role === 'agent') answer.resolve(true);
  });
  if (stop.aborted) return socket?.terminate();
  if (socket === null) return report.leak('a visitor of another workspace could not begin a chat');
  setTimeout(() => answer.resolve(false), OTHER_CHAT_MS).unref();
  if (await answer.promise) {
    const seconds = (performance.now() - from) / 1000;
    report.answer(`chat of another workspace answered in ${Math.ceil(seconds)} s or less`);
  } else {
    const state = hasBegun ? '' : ', for it did not begin';
    report.leak(`a chat of another workspace had no answer in ${OTHER_CHAT_MS / 1000} s${state}`);
  }
  socket.send(JSON.stringify({ type: 'hangup' }));
  socket.close(1000);
  return undefined;
}

const setModel = (target: Target, llm: object): Promise<{ status: number }> =>
  request(target, target.key, 'PATCH', '/api/v0/agent/v1', {
    body: { operation: 'edit_llm', agent_id: target.agentId, llm },
  });

const hangingModel: Attack = {
  id: '2.4',
  name: `${HANGING_CHATS} chats of a tenant whose model never answers`,
  async run(target, report, stop) {
    const site = await startHangingSite();
    const set = await setModel(target, {
      provider: 'openai_compatible',
      model: 'm',
      base_url: `${site.url}/hangs`,
    });
    report.answer(`edit_llm ${set.status}`);
    const [own, other] = await Promise.all([
      publicKey(target, target.key, target.agentId),
      publicKey(target, target.otherKey, target.otherAgentId),
    ]);
    const machines: PageMachine[] = [];
    const hang = async (): Promise<void> => {
      for (let n = 0; n < HANGING_CHATS && !stop.aborted; n += 1) {
        if (n % CHATS_OF_A_MACHINE === 0) machines.push(new PageMachine());
        const who = { key: own, agentId: target.agentId };
        const socket = await machines.at(-1)?.open(target, WEB_CHAT, who, report, (chat, data) => {
          if (!data.includes('"ready"')) return;
          chat.send(JSON.stringify({ type: 'ready' }));
          chat.send(JSON.stringify({ type: 'text', id: 'one', text: 'I need an answer.' }));
        });
        if (socket == null) continue;
        stop.addEventListener('abort', () => socket.terminate(), { once: true });
        report.sent += 1;
      }
    };
    const visitor = new PageMachine();
    await Promise.all([
      hang(),
      repeated(OTHER_EVERY_MS, stop, async () => otherChats(target, report, visitor, other, stop)),
    ]);
    await setModel(target, { provider: 'default' });
    site.close();
    await Promise.all([...machines, visitor].map((machine) => machine.close()));
  },
};

const SLOW_READS = [
  '/api/v0/analytics/chat-analytics',
  '/api/v0/analytics/hour-analytics',
  '/api/v0/calling/history?limit=100&search=a',
  '/api/v0/chat/history?limit=100',
];
/** Reads that one tenant has under way all the time. */
const READS_AT_ONCE = 40;

const slowReads: Attack = {
  id: '2.7',
  name: `${READS_AT_ONCE} reads and replays of one tenant at once, without a pause`,
  async run(target, report, stop) {
    const paths = [...SLOW_READS, `/api/v0/calling/replay?id=${target.recorded.id}`];
    const loop = async (path: string): Promise<void> => {
      while (!stop.aborted) {
        const { status } = await request(target, target.key, 'GET', path, { stop }).catch(() => ({
          status: 0,
        }));
        report.sent += 1;
        if (!stop.aborted) report.answer(status);
        // A refused client comes back at once, but does not take the whole processor for it.
        if (status === 429) await sleep(50, stop);
      }
    };
    await Promise.all(Array.from({ length: READS_AT_ONCE }, (_, n) => loop(paths[n % paths.length] ?? '')));
  },
};

export const tenantChats: readonly Attack[] = [hangingModel, slowReads];
