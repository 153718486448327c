import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
  });

const closing = (server: Server) => (): void => {
  server.closeAllConnections();
  server.close();
};

/** Serves a page at `/page…`; any other path hangs. */
export async function startHangingSite(): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/page') !== true) return;
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<html><body><h1>Prices</h1><p>A visit costs forty dollars.</p></body></html>');
  });
  return { url: await listen(server), close: closing(server) };
}

/** A chat API that keeps what it is asked and answers one sentence; while it hangs, it answers nothing. */
export interface Model {
  readonly url: string;
  readonly prompts: string[];
  hang(on: boolean): void;
  close(): void;
}

export async function startModel(): Promise<Model> {
  const prompts: string[] = [];
  let isHung = false;
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { messages = [] } = JSON.parse(text || '{}') as { messages?: { content?: unknown }[] };
      prompts.push(
        messages
          .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
          .join('\n'),
      );
      if (isHung) return;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const delta = { id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm' };
      response.write(
        `data: ${JSON.stringify({ ...delta, choices: [{ index: 0, delta: { role: 'assistant', content: 'Thank you.' }, finish_reason: null }] })}\n\n`,
      );
      response.write(
        `data: ${JSON.stringify({ ...delta, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`,
      );
      response.end('data: [DONE]\n\n');
    });
  });
  const hang = (on: boolean): void => {
    isHung = on;
    if (!on) server.closeAllConnections();
  };
  return { url: `${await listen(server)}/v1`, prompts, hang, close: closing(server) };
}
