import { once } from 'node:events';
import { announceTwilioCall, connectTwilioStream, FakeTwilioApi } from '@callwright/stand-ins';
import { newId } from '../shared/ids.ts';

export interface CarrierCallOptions {
  /** The voice webhook of the trunk, under the public address of the service. */
  readonly webhook: string;
  /** Where the service listens, if not at the address of the webhook. */
  readonly service?: string;
  readonly account: string;
  readonly authToken: string;
  readonly from: string;
  readonly to: string;
  /** Keys that the caller presses when the agent has spoken. */
  readonly keys: string;
  /** The caller hangs up after so many seconds. */
  readonly seconds: number;
}

const POLL_MS = 100;
/** The agent has spoken and waits: so many frames of 20 ms without sound. */
const QUIET_FRAMES = 50;

/** Calls the service as Twilio does, over the stand-in of its streams. Returns the exit code. */
export async function runCarrierCall(
  options: CarrierCallOptions,
  say: (line: string) => void = console.log,
): Promise<number> {
  const { webhook: webhookUrl, account: accountSid, authToken, from, to, seconds } = options;
  if (!URL.canParse(webhookUrl) || !(seconds > 0)) {
    say('--webhook must be a URL, and --seconds a number above 0');
    return 2;
  }
  const serviceUrl = options.service ?? new URL(webhookUrl).origin;
  const callSid = `CA${newId().replaceAll('-', '')}`;
  try {
    const url = await announceTwilioCall(
      { accountSid, authToken, webhookUrl, serviceUrl },
      { callSid, from, to },
    );
    const call = await connectTwilioStream({ accountSid, serviceUrl }, callSid, url);
    say('The service took the call.');
    const { stream } = call;
    const keys = options.keys.split('');
    const until = performance.now() + seconds * 1_000;
    const state = { isOver: false };
    void call.ended.then(() => (state.isOver = true));
    while (!state.isOver && performance.now() < until) {
      await new Promise((done) => setTimeout(done, POLL_MS));
      const hasSpoken = stream.heard.some((frame) => frame !== null);
      if (hasSpoken && stream.heard.slice(-QUIET_FRAMES).every((frame) => frame === null))
        for (const key of keys.splice(0)) stream.press(key);
    }
    const by = state.isOver ? 'service' : 'caller';
    call.hangUp();
    await call.ended;
    const heardMs = stream.heard.filter((frame) => frame !== null).length * 20;
    say(`The ${by} hung up. The agent was heard for ${heardMs / 1_000} s.`);
    if (stream.errors.length === 0) return 0;
    say(`Messages that Twilio refuses: ${stream.errors.join(', ')}`);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  }
  return 1;
}

export interface CarrierApiOptions {
  readonly account: string;
  readonly authToken: string;
  readonly port: number;
  /** Where the service listens, if not at its public address. */
  readonly service?: string;
  /** What the called phones do. */
  readonly callee: string;
}

const CALLEES = ['answers', 'rings', 'busy', 'fails', 'invalid'] as const;

/** Runs the stand-in of Twilio's API until SIGINT or SIGTERM. Returns the exit code. */
export async function runCarrierApi(
  { account: accountSid, authToken, port, service, callee }: CarrierApiOptions,
  say: (line: string) => void = console.log,
  stopped: Promise<unknown> = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]),
): Promise<number> {
  const known = CALLEES.find((one) => one === callee);
  if (known === undefined || !(Number.isInteger(port) && port >= 0 && port < 65_536)) {
    say(`--callee must be one of ${CALLEES.join(', ')}, and --port a port`);
    return 2;
  }
  const api = new FakeTwilioApi({ accountSid, authToken }, service ?? null);
  api.settings.callee = known;
  try {
    say(`The stand-in listens at ${await api.listen(port)}.`);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return 1;
  }
  await stopped;
  await api.close();
  say(`The service placed ${api.calls.length} calls.`);
  return 0;
}
