import { once } from 'node:events';
import {
  FAKE_CARRIER_KINDS,
  FakeCarrierApi,
  fakeCarrierAccount,
  fakeTrunkSettings,
  type FakeCarrierAccount,
} from '@callwright/stand-ins';

interface AccountOptions {
  readonly kind: string;
  readonly account?: string;
  readonly authToken?: string;
}

export interface CarrierCallOptions extends AccountOptions {
  /** The voice webhook of the trunk, under the public address of the service. */
  readonly webhook: string;
  /** Where the service listens, if not at the address of the webhook. */
  readonly service?: string;
  readonly from: string;
  readonly to: string;
  /** Keys that the caller presses when the agent has spoken. */
  readonly keys: string;
  /** The caller hangs up after so many seconds. */
  readonly seconds: number;
  /** Where the carrier's API listens meanwhile, for carriers whose calls the service takes by a request; absent: nowhere. */
  readonly port?: number;
}

const POLL_MS = 100;
/** The agent has spoken and waits: so many frames of 20 ms without sound. */
const QUIET_FRAMES = 50;
/** The service connects the stream of a call within so long. */
const CONNECT_MS = 10_000;

const unknownKind = `--kind must be one of ${FAKE_CARRIER_KINDS.join(', ')}`;

/** The account of the options; null: there is no such kind. */
function accountOf({ kind, account, authToken: secret }: AccountOptions): FakeCarrierAccount | null {
  const known = FAKE_CARRIER_KINDS.find((one) => one === kind);
  if (known === undefined) return null;
  return fakeCarrierAccount(known, {
    ...(account === undefined ? {} : { account }),
    ...(secret === undefined ? {} : { secret }),
  });
}

/** Calls the service as a carrier does, over the stand-in of its streams. Returns the exit code. */
export async function runCarrierCall(
  options: CarrierCallOptions,
  say: (line: string) => void = console.log,
): Promise<number> {
  const { webhook: webhookUrl, from, to, seconds } = options;
  if (!URL.canParse(webhookUrl) || !(seconds > 0)) {
    say('--webhook must be a URL, and --seconds a number above 0');
    return 2;
  }
  const account = accountOf(options);
  if (account === null) {
    say(unknownKind);
    return 2;
  }
  const api = new FakeCarrierApi(account, options.service ?? new URL(webhookUrl).origin);
  try {
    if (options.port !== undefined) await api.listen(options.port);
    const call = await api.dialIn(webhookUrl, from, to);
    const latest = performance.now() + CONNECT_MS;
    while (call.stream === null && performance.now() < latest)
      await new Promise((done) => setTimeout(done, POLL_MS));
    const connected = call.stream;
    if (connected === null) {
      say('The service did not take the call: is uri of the trunk the address of --port?');
      return 1;
    }
    say('The service took the call.');
    const { stream } = connected;
    const keys = options.keys.split('');
    const until = performance.now() + seconds * 1_000;
    const state = { isOver: false };
    void connected.ended.then(() => (state.isOver = true));
    while (!state.isOver && performance.now() < until) {
      await new Promise((done) => setTimeout(done, POLL_MS));
      const hasSpoken = stream.heard.some((frame) => frame !== null);
      if (hasSpoken && stream.heard.slice(-QUIET_FRAMES).every((frame) => frame === null))
        for (const key of keys.splice(0)) stream.press(key);
    }
    const by = state.isOver ? 'service' : 'caller';
    connected.hangUp();
    await connected.ended;
    const heardMs = stream.heard.filter((frame) => frame !== null).length * 20;
    say(`The ${by} hung up. The agent was heard for ${heardMs / 1_000} s.`);
    if (stream.errors.length === 0) return 0;
    say(`Messages that the carrier refuses: ${stream.errors.join(', ')}`);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  } finally {
    if (options.port !== undefined) await api.close();
  }
  return 1;
}

export interface CarrierApiOptions extends AccountOptions {
  readonly port: number;
  /** Where the service listens, if not at its public address. */
  readonly service?: string;
  /** What the called phones do. */
  readonly callee: string;
  /** Numbers of the account, with commas between them. */
  readonly numbers?: string;
  /** The voice webhook of the trunk, for carriers whose requests name no address of ours. */
  readonly webhook?: string;
}

const CALLEES = ['answers', 'rings', 'busy', 'fails', 'invalid'] as const;

/** Runs the stand-in of a carrier's API until SIGINT or SIGTERM. Returns the exit code. */
export async function runCarrierApi(
  options: CarrierApiOptions,
  say: (line: string) => void = console.log,
  stopped: Promise<unknown> = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]),
): Promise<number> {
  const { port, service, callee, webhook } = options;
  const known = CALLEES.find((one) => one === callee);
  if (known === undefined || !(Number.isInteger(port) && port >= 0 && port < 65_536)) {
    say(`--callee must be one of ${CALLEES.join(', ')}, and --port a port`);
    return 2;
  }
  const account = accountOf(options);
  if (account === null) {
    say(unknownKind);
    return 2;
  }
  const api = new FakeCarrierApi(account, service ?? null);
  api.settings.callee = known;
  if (options.numbers !== undefined) api.book.add(...options.numbers.split(','));
  api.webhookUrl = webhook ?? null;
  try {
    const uri = await api.listen(port);
    say(`The stand-in listens at ${uri}.`);
    const trunk = { name: account.kind, kind: account.kind, uri, ...fakeTrunkSettings(account) };
    say(`Its trunk in the provision file: ${JSON.stringify(trunk)}`);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return 1;
  }
  await stopped;
  await api.close();
  say(`The service placed ${api.calls.length} calls.`);
  return 0;
}
