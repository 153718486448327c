import type { Answer } from '../api/api.ts';
import type { Service } from '../service/service.ts';
import { Browser } from './browser.ts';

/** A browser of a started service, signed in as this member of its first workspace. */
export async function serviceBrowser(service: Service, email: string): Promise<Browser> {
  const browser = new Browser({
    async request(method, path, { body, headers } = {}): Promise<Answer> {
      const response = await fetch(`${service.url}${path}`, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          origin: service.url,
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const set = response.headers.get('set-cookie');
      return {
        status: response.status,
        headers: set === null ? {} : { 'set-cookie': set },
        body: JSON.parse(text),
        text,
      };
    },
  });
  await browser.signIn(email);
  const { body } = await browser.readSession();
  browser.workspaceId = (body['workspaces'] as { id: string }[])[0]!.id;
  return browser;
}
