import { eventually, type Service } from '../service/service.ts';

/** The events of a watched call, from its first ring to its end. */
export interface LiveCall {
  readonly events: readonly any[];
  /** Resolves to the first past or future event that matches. */
  until(what: string, holds: (event: any) => boolean): Promise<any>;
  /** Resolves once the agent has finished a line that matches. */
  hasSaid(words: RegExp): Promise<void>;
  stop(): void;
}

/** Watches a call over GET /calling/{call_id}/live. */
export async function watchLive(service: Service, callId: string): Promise<LiveCall> {
  const stopped = new AbortController();
  const events: any[] = [];
  let broken: unknown = null;
  const answer = await fetch(`${service.url}/api/v0/calling/${callId}/live`, {
    headers: { 'x-api-key': service.key },
    signal: stopped.signal,
  });
  if (!answer.ok || answer.body === null) throw new Error(`not watched: ${answer.status}`);
  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    let text = '';
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      const lines = (text + chunk).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('data: ')) events.push(JSON.parse(line.slice(6)));
    }
  };
  read(answer.body as ReadableStream<Uint8Array>).catch((error: unknown) => {
    if (!stopped.signal.aborted) broken = error;
  });
  const until: LiveCall['until'] = (what, holds) =>
    eventually(
      what,
      async () => {
        if (broken !== null) throw new Error(`${what}: the stream broke off`, { cause: broken });
        return events.find(holds) ?? null;
      },
      90_000,
    ).catch((error: unknown) => {
      throw new Error(`${what}, after ${JSON.stringify(events)}`, { cause: error });
    });
  return {
    events,
    until,
    hasSaid: async (words) => {
      await until(
        `the agent to say ${words}`,
        ({ type, line }) => type === 'line' && line.role === 'agent' && words.test(line.text),
      );
    },
    stop: () => stopped.abort(),
  };
}
