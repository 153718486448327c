/** One server-sent event; `id` is sent as Last-Event-ID to continue after it. */
export interface ServerEvent {
  readonly id: string | null;
  readonly data: unknown;
}

/** The complete events in `text`, and the rest, which is an incomplete one. */
export function splitEvents(text: string): { events: ServerEvent[]; rest: string } {
  const blocks = text.split('\n\n');
  const rest = blocks.pop() ?? '';
  const events = blocks.flatMap((block) => {
    const lines = block.split('\n');
    const valuesOf = (name: string): string[] =>
      lines.filter((line) => line.startsWith(name)).map((line) => line.slice(name.length));
    const data = valuesOf('data: ').join('\n');
    return data === '' ? [] : [{ id: valuesOf('id: ')[0] ?? null, data: JSON.parse(data) as unknown }];
  });
  return { events, rest };
}

/** Reads the events of a streamed response until it ends. */
export async function readEvents(
  response: Response,
  onEvents: (events: readonly ServerEvent[]) => void,
): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let held = '';
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done || value === undefined) return;
    const { events, rest } = splitEvents(held + value);
    held = rest;
    if (events.length > 0) onEvents(events);
  }
}
