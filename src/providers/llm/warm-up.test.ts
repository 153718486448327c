import { expect, it } from 'vitest';
import { LLM_VENDOR_NAMES } from '../../vendors/catalogue.ts';
import { openModel } from '../choose/models.ts';
import { protocolOf } from '../choose/protocols.ts';
import { warmUp } from './warm-up.ts';

it.each(LLM_VENDOR_NAMES)(
  'opening a model of %s warms up its SDK without a request to the vendor',
  async (vendor) => {
    const urls: unknown[] = [];
    const fetch = ((url: unknown) => {
      urls.push(url);
      return Promise.reject(new Error('no request is expected'));
    }) as typeof globalThis.fetch;
    const account = { vendor, key: 'key', baseUrl: 'https://vendor.example.com', model: 'm' };
    openModel({ ...account, fetch });
    await expect(warmUp(account, protocolOf(vendor, 'llm'))).resolves.toBeUndefined();
    expect(urls).toEqual([]);
  },
);
