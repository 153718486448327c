import { errors } from '../../../errors.ts';
import { operation } from './operation.ts';

/** Replaces the origins whose pages may start web calls with the agent; the service's own origin must be in the list. */
export const editWhitelistedDomains = operation<{ whitelistedDomains: string[] }>(
  ({ config, publicUrl }, input) => {
    const origins = input.whitelistedDomains.map((text, index) =>
      originOf(`whitelisted_domains[${index}]`, text),
    );
    const own = new URL(publicUrl).origin;
    if (!origins.includes(own)) {
      throw errors.invalid('whitelisted_domains', `must keep the service's own web address ${own}`);
    }
    return { config: { ...config, whitelistedDomains: [...new Set(origins)] } };
  },
);

function originOf(path: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOrigin =
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === '' &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '';
  if (!isOrigin)
    throw errors.invalid(path, 'must be a web address without a path, such as https://www.example.com');
  return url.origin;
}
